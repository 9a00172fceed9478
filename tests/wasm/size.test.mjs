// Loaders, and the sizes of the modules with them, gzipped as by servers; BEV_CORE names
// their directory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { transformSync } from "../../web/node_modules/esbuild/lib/main.js";

/** Limits in kB; the modules of readers and savers are loaded when one is used. */
const MAX_KB = { bev_core: 248, bev_stream: 528, bev_save: 318 };

const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

test("the loader names no file: bundlers follow new URL", () => {
	const source = readFileSync(`${folder}/bev_core.mjs`, "utf8");
	assert.doesNotMatch(source, /new URL|import\.meta|fetch\(|XMLHttpRequest/);
});

const kilobytes = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;

for (const [name, limit] of Object.entries(MAX_KB)) {
	test(`${name} and its loader stay within their budget`, (t) => {
		const wasm = kilobytes(readFileSync(`${folder}/${name}.wasm`));
		// Minified, as in the package's worker.
		const source = readFileSync(`${folder}/bev_core.mjs`, "utf8");
		const loader = kilobytes(
			transformSync(source, { minify: true, format: "esm" }).code,
		);
		const both = `${wasm.toFixed(1)} kB and ${loader.toFixed(1)} kB, gzip`;
		t.diagnostic(`${name}.wasm and its loader: ${both}, of ${limit}`);
		assert.ok(wasm + loader <= limit, `${both}: at most ${limit} kB`);
	});
}
