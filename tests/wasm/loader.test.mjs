// Pages use one loader for both modules; BEV_CORE names their directory.
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

test("the module for every format has the loader of the first", () => {
	assert.deepEqual(loader("bev_full"), loader("bev_core"));
});
