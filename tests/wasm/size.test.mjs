// The size of the module and its loader, gzipped as by servers; BEV_CORE names the
// directory of both.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { transformSync } from "../../web/node_modules/esbuild/lib/main.js";

const MAX_KB = 250;
const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

const kilobytes = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;

test("the module and its loader stay within their budget", (t) => {
	const wasm = kilobytes(readFileSync(`${folder}/bev_core.wasm`));
	// Minified, as in the package's worker.
	const source = readFileSync(`${folder}/bev_core.mjs`, "utf8");
	const loader = kilobytes(transformSync(source, { minify: true, format: "esm" }).code);
	const both = `${wasm.toFixed(1)} kB and ${loader.toFixed(1)} kB, gzip`;
	t.diagnostic(`bev_core.wasm and its loader: ${both}, of ${MAX_KB}`);
	assert.ok(wasm + loader <= MAX_KB, `${both}: at most ${MAX_KB} kB`);
});
