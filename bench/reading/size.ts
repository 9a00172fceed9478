import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";

const FOLDER = fileURLToPath(new URL("../../build/wasm/bench", import.meta.url));

/** Returns the size of a module and its loader, minified as in the package, in kB. */
function kilobytes(name: string): number {
	const loader = readFileSync(`${FOLDER}/${name}.mjs`, "utf8");
	const minified = transformSync(loader, { minify: true, format: "esm" }).code;
	const parts = [readFileSync(`${FOLDER}/${name}.wasm`), Buffer.from(minified)];
	return (
		parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0) / 1000
	);
}

/** Returns the size of a module that reads arrays, minus that of an empty module. */
export function readingKilobytes(): number {
	return kilobytes("reading_size") - kilobytes("empty_size");
}
