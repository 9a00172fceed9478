// Completes dist's declarations after tsc: makes them readable for older compilers and
// removes those that no entry of the package refers to.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
const manifest = new URL("../package.json", import.meta.url);
const GENERIC = /\b((?:Big)?(?:Uint|Int|Float)\d+Array)<ArrayBuffer>/g;

/** Relative imports, in all forms that tsc writes. */
const IMPORT = /"(\.{1,2}\/[^"]+)\.js"/g;

/** Returns the declarations that are reachable from the entries in package.json. */
function reachable() {
	const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
	const entries = Object.values(exports).filter(({ types }) =>
		types?.startsWith("./dist/"),
	);
	const found = new Set(entries.map(({ types }) => new URL(types, manifest).href));
	for (const href of found) {
		const text = existsSync(new URL(href)) ? readFileSync(new URL(href), "utf8") : "";
		for (const [, path] of text.matchAll(IMPORT))
			found.add(new URL(`${path}.d.ts`, href).href);
	}
	return found;
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

const kept = reachable();
for (const file of readdirSync(dist, { recursive: true })) {
	if (!file.endsWith(".d.ts")) continue;
	const url = new URL(file, dist);
	if (!kept.has(url.href)) {
		rmSync(url);
		continue;
	}
	const text = readFileSync(url, "utf8");
	if (plain(text) !== text) writeFileSync(url, plain(text));
}
