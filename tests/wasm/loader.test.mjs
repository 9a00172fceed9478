// Pages use one loader for three modules; BEV_CORE names their directory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

// The loader's call of an export by name; the linker determines their order.
const EXPORT = /var (\w+)=Module\["\1"\]=function\(\)\{return\([^;]*\)[^;]*\};/g;

function loader(name) {
	const source = readFileSync(`${folder}/${name}.mjs`, "utf8");
	const exported = source.match(EXPORT) ?? [];
	assert.ok(exported.length >= 4, `${exported.length} exports in ${name}.mjs`);
	const rest = source.replaceAll(EXPORT, "").replaceAll(`${name}.wasm`, "it.wasm");
	return { rest, exported: exported.sort() };
}

for (const name of ["bev_full", "bev_stream"]) {
	test(`${name} has the loader of bev_core`, () => {
		assert.deepEqual(loader(name), loader("bev_core"));
	});
}
