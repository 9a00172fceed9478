// What a page loads of the module, gzipped as servers do; BEV_CORE names its folder.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const MOST_KB = 280;
const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

test("the module stays within its budget", (t) => {
	const bytes = readFileSync(`${folder}/bev_core.wasm`);
	const kb = gzipSync(bytes, { level: 9 }).length / 1000;
	const glue = gzipSync(readFileSync(`${folder}/bev_core.mjs`), { level: 9 });
	t.diagnostic(`bev_core.wasm ${kb.toFixed(1)} kB of ${MOST_KB}, gzip`);
	t.diagnostic(`bev_core.mjs ${(glue.length / 1000).toFixed(1)} kB, gzip`);
	assert.ok(kb <= MOST_KB, `bev_core.wasm: ${kb.toFixed(1)} kB, at most ${MOST_KB}`);
});
