// Pages have one loader for both modules; BEV_CORE names the folder of all.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

const loader = (name) =>
	readFileSync(`${folder}/${name}.mjs`, "utf8").replaceAll(`${name}.wasm`, "it.wasm");

test("the module for every format has the loader of the first", () => {
	assert.equal(loader("bev_full"), loader("bev_core"));
});
