#!/usr/bin/env node
// Usage: bevscope-files DIR
//
// Copies the WebAssembly modules and the workers of this package to DIR, for pages whose
// bundler does not copy them. On the page, call configure({ base: URL of DIR }).
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-") || more.length > 0) {
	console.error("usage: bevscope-files DIR");
	process.exit(folder === "--help" ? 0 : 2);
}

const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
	/^([\w-]*worker\.js|wasm[\\/]\w+\.wasm|LICENSE|NOTICE)$/.test(file),
);
mkdirSync(join(folder, "wasm"), { recursive: true });
for (const file of files) copyFileSync(join(dist, file), join(folder, file));
console.log(`${folder}: ${files.length} files`);
