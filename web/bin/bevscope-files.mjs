#!/usr/bin/env node
// Usage: bevscope-files DIR
//        bevscope-files --integrity URL
//
// Copies the WebAssembly modules and the workers of this package to DIR, for pages whose
// bundler does not copy them. On the page, call configure({ base: URL of DIR }).
//
// --integrity prints an import map with the hash of each script and module, for a page that
// loads them from a copy of the package's `dist` at URL.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const [first, url, ...more] = process.argv.slice(2);
const all = readdirSync(dist, { recursive: true, encoding: "utf8" });

function copy(folder) {
	const files = all.filter((file) =>
		/^([\w-]*worker\.js|wasm[\\/]\w+\.wasm|LICENSE|NOTICE)$/.test(file),
	);
	mkdirSync(join(folder, "wasm"), { recursive: true });
	for (const file of files) copyFileSync(join(dist, file), join(folder, file));
	console.log(`${folder}: ${files.length} files`);
}

function printIntegrity() {
	const files = all.filter((file) => /\.(js|wasm)$/.test(file)).sort();
	const hashed = files.map((file) => {
		const sum = createHash("sha384").update(readFileSync(join(dist, file)));
		const address = `${url.replace(/\/$/, "")}/${file.replaceAll("\\", "/")}`;
		return [address, `sha384-${sum.digest("base64")}`];
	});
	console.log(JSON.stringify({ integrity: Object.fromEntries(hashed) }, null, 1));
}

if (first === "--integrity" && url !== undefined && more.length === 0) printIntegrity();
else if (first !== undefined && !first.startsWith("-") && url === undefined)
	copy(first);
else {
	console.error("usage: bevscope-files DIR\n       bevscope-files --integrity URL");
	process.exit(first === "--help" ? 0 : 2);
}
