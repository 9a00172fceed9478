import { join } from "node:path";

// The table of the element's attributes, which docs/viewer-reference.md and editors have, too.
// scripts/docs copies this file to build/docs/.vitepress/theme.
const root = join(import.meta.dirname, "../../../..");

export default {
	async load() {
		const { viewerApi } = await import(join(root, "web/tools/manifest.mjs"));
		return viewerApi().attributes.map(({ name, description, text, values }) => ({
			...{ name, description, values },
			kind: text,
		}));
	},
};
