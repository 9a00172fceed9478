// Pages use one loader for all modules; BEV_CORE names their directory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

/** What a module imports or exports, by name. */
const names = (list) => list.map(({ name }) => name).sort();

const compiled = (name) => WebAssembly.compile(readFileSync(`${folder}/${name}.wasm`));

for (const name of ["stream", "tools", "convert", "save"]) {
	test(`bev_${name} imports what the loader of bev_core gives, and exports the same`, async () => {
		const [core, other] = [await compiled("bev_core"), await compiled(`bev_${name}`)];
		const given = new Set(names(WebAssembly.Module.imports(core)));
		const unknown = names(WebAssembly.Module.imports(other)).filter(
			(one) => !given.has(one),
		);
		assert.deepEqual(unknown, []);
		assert.deepEqual(
			names(WebAssembly.Module.exports(other)),
			names(WebAssembly.Module.exports(core)),
		);
	});
}
