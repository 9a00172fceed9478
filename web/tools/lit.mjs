// Bundles Lit so that its elements can be imported without a document.
import { createRequire } from "node:module";

/** Stands for the simulated document that Lit's build for Node imports. */
const NO_DOCUMENT = "\0no-document";

/**
 * Takes Lit's build for Node, which runs in browsers, too: the other one needs a document
 * while it is imported, which pages that are rendered on a server lack.
 */
export const LIT = {
	name: "lit",
	resolveId(id, importer) {
		if (id === "@lit-labs/ssr-dom-shim") return NO_DOCUMENT;
		if (/^(@lit\/|lit(-html|-element)?(\/|$))/.test(id))
			return createRequire(importer).resolve(id);
	},
	load(id) {
		if (id === NO_DOCUMENT)
			return "export const HTMLElement = class {}; export const customElements = undefined;";
	},
};
