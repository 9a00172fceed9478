// Completes dist's declarations after tsc: makes them readable for older compilers, hides
// constructors and members that only the package uses, and removes the declarations that no
// entry of the package refers to, the core's operations among them, and comments that nobody
// sees.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withoutUnused } from "./unused-types.mjs";

const dist = new URL("../dist/", import.meta.url);
const manifest = new URL("../package.json", import.meta.url);
const GENERIC = /\b((?:Big)?(?:Uint|Int|Float)\d+Array)<ArrayBuffer>/g;

/** Relative imports, in all forms that tsc writes. */
const IMPORT = /"(\.{1,2}\/[^"]+)\.js"/g;

/** Exports of another file's names. */
const EXPORT = /\bexport [^;]*? from "(\.{1,2}\/[^"]+)\.js"/g;

/** Constructors that only the package calls. */
const INTERNAL = /\/\*\* @internal\b.*?\*\/\s*(protected )?constructor\(.*?\);/gs;

/** Other members that only the package uses. */
const MEMBER = /^\t\/\*\* @internal\b[^/]*\*\/\n\t(?!.*\bconstructor\b).*;\n/gm;

/** The declarations of the entries in package.json. */
function entries() {
	const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
	return Object.values(exports)
		.filter(({ types }) => types?.startsWith("./dist/"))
		.map(({ types }) => new URL(types, manifest).href);
}

/** Returns the declarations that one names by the paths of `pattern`. */
function named(href, pattern) {
	const text = existsSync(new URL(href)) ? readFileSync(new URL(href), "utf8") : "";
	return Array.from(
		text.matchAll(pattern),
		([, path]) => new URL(`${path}.d.ts`, href).href,
	);
}

/** Returns the declarations that are reachable from `first` by the paths of `pattern`. */
function reachable(first, pattern) {
	const found = new Set(first);
	for (const href of found) for (const other of named(href, pattern)) found.add(other);
	return found;
}

/** Members that Lit calls. */
const OF_LIT =
	/^\t(?:static (?:styles|properties): (?:\{\n.*?\n\t\}|[^\n]*?)|(?:protected )?(?:render|update|willUpdate|updated|firstUpdated)\([^\n]*);\n/gms;

/**
 * Removes Lit's types, so that nobody installs it for them: the scripts contain it. Of its
 * elements, the promise that a page may await stays.
 */
function withoutLit(text) {
	const told =
		"{\n\t/** Resolves when the last change is drawn. */\n\treadonly updateComplete: Promise<boolean>;";
	return text
		.replace(OF_LIT, "")
		.replace(/(?<= extends )ReactiveControllerHost, |\bReactiveControllerHost & /g, "")
		.replace(" implements ReactiveController ", " ")
		.replace(" extends LitElement {", ` extends HTMLElement ${told}`);
}

/** Hides constructors: classes that others extend keep them for these. */
function withoutConstructors(text) {
	return text.replace(INTERNAL, (all, extended) =>
		extended || all.includes("subclasses")
			? "protected constructor();"
			: "private constructor();",
	);
}

/** Indents by tabs, as the sources are: tsc writes four spaces. */
function indented(text) {
	return text.replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/** Removes comments, except directives and those of deprecated names. */
function withoutComments(text) {
	return text.replace(/^[\t ]*\/\*\*(?!.{0,400}?@deprecated).*?\*\/\n/gms, "");
}

/**
 * TypeScript 5.4 to 5.6 have no generic typed arrays: `Uint8Array<ArrayBuffer>` becomes
 * an equal type that all versions know.
 */
function plain(text) {
	return text
		.replace(GENERIC, "($1 & { readonly buffer: ArrayBuffer })")
		.replace(/\b(\w+Array)<ArrayBufferLike>/g, "$1");
}

/** The table of operations, and the types of one of them. */
const OPERATIONS = new URL("core/operations.d.ts", dist).href;
const OF_OPERATION = /\b(?:Given|Result)<"(\w+)">/g;

/** Keeps the operations whose types other declarations name. */
function withoutOperations(text, others) {
	const named = new Set(
		others.flatMap((other) =>
			Array.from(other.matchAll(OF_OPERATION), ([, name]) => name),
		),
	);
	return text.replace(/^\t(\w+): \[.*?\];\n(?=\t\w|\})/gms, (row, name) =>
		named.has(name) ? row : "",
	);
}

const first = entries();
const kept = reachable(first, IMPORT);
/** Those of public names. Editors show no comments of others. */
const shown = reachable(
	[...first, ...first.flatMap((one) => named(one, IMPORT))],
	EXPORT,
);
const texts = new Map();
for (const file of readdirSync(dist, { recursive: true })) {
	if (!file.endsWith(".d.ts")) continue;
	const url = new URL(file, dist);
	const own = indented(withoutConstructors(plain(readFileSync(url, "utf8"))));
	const text = withoutLit(own);
	if (kept.has(url.href)) texts.set(url.href, text.replace(MEMBER, ""));
	rmSync(url);
}
const written = new Map(
	[...withoutUnused(texts, first)].flatMap(([href, text]) => {
		if (text === undefined) return [];
		if (text.includes('"lit"')) throw new Error(`${href}: has types of Lit`);
		return [[href, shown.has(href) ? text : withoutComments(text)]];
	}),
);
written.set(
	OPERATIONS,
	withoutOperations(written.get(OPERATIONS), [...written.values()]),
);
for (const [href, text] of written) writeFileSync(new URL(href), text);
