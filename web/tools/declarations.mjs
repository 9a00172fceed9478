// Makes dist's declarations readable for TypeScript 5.4 to 5.6, whose typed arrays are not
// generic: `Uint8Array<ArrayBuffer>` becomes an equal type that all versions know.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
const GENERIC = /\b((?:Big)?(?:Uint|Int|Float)\d+Array)<ArrayBuffer>/g;

for (const file of readdirSync(dist, { recursive: true })) {
	if (!file.endsWith(".d.ts")) continue;
	const url = new URL(file, dist);
	const text = readFileSync(url, "utf8");
	const plain = text
		.replace(GENERIC, "($1 & { readonly buffer: ArrayBuffer })")
		.replace(/\b(\w+Array)<ArrayBufferLike>/g, "$1");
	if (plain !== text) writeFileSync(url, plain);
}
