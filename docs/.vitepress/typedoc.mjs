import { join } from "node:path";

// scripts/docs copies this file to build/docs/.vitepress, beside the packages.
const root = join(import.meta.dirname, "../../..");
const entries = [
	"index",
	"elements/index",
	"arrow",
	"tensor",
	"tools",
	"save",
	"model",
	"yaml",
];

/** TypeDoc's configuration: the references of all public names, as Markdown. */
export default {
	entryPoints: entries.map((name) => join(root, `web/src/${name}.ts`)),
	tsconfig: join(root, "web/tsconfig.build.json"),
	plugin: ["typedoc-plugin-markdown", join(import.meta.dirname, "typedoc-lit.mjs")],
	validation: { notDocumented: true, notExported: false, invalidLink: true },
	// A public member without a comment fails the build.
	treatValidationWarningsAsErrors: true,
	out: join(root, "build/docs/api"),
	entryFileName: "index.md",
	readme: "none",
	excludeInternal: true,
	excludePrivate: true,
	excludeProtected: true,
	excludeExternals: true,
	disableSources: true,
	hideBreadcrumbs: true,
	parametersFormat: "table",
	interfacePropertiesFormat: "table",
	enumMembersFormat: "table",
	typeDeclarationFormat: "table",
	sanitizeComments: true,
	useHTMLEncodedBrackets: true,
};
