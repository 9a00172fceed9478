// A huge aerial image is copied into the module's memory strip by strip, only once.
// BEV_CORE names the directory of the module.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const SIDE = 10_000;
const STRIP_ROWS = 100;
const folder = resolve(process.env.BEV_CORE ?? "build/wasm/wasm");

const META = JSON.stringify({
	world_to_ecef: [
		[1, 0, 0, 0],
		[0, 1, 0, 0],
		[0, 0, 1, 0],
		[0, 0, 0, 1],
	],
	ecef_to_aerial: [
		[1, 0, 0, 0],
		[0, 1, 0, 0],
		[0, 0, 1, 0],
		[0, 0, 0, 1],
	],
});

/** The module and its memory, which grows. */
async function instantiate() {
	globalThis.self ??= globalThis;
	globalThis.location ??= new URL("file:///page.html");
	const { default: createCore } = await import(pathToFileURL(`${folder}/bev_core.mjs`));
	const bytes = readFileSync(`${folder}/bev_core.wasm`);
	let memory;
	const core = await createCore({
		instantiateWasm(imports, receive) {
			WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
				const exported = Object.values(instance.exports);
				memory = exported.find((it) => it instanceof WebAssembly.Memory);
				receive(instance, module);
			});
			return {};
		},
	});
	return { core, size: () => memory.buffer.byteLength };
}

test("an image of 10,000 x 10,000 pixels is in memory once, as three bytes each", async (t) => {
	const { core, size } = await instantiate();
	const before = size();
	const run = (name, given) => {
		core.call.given = given;
		core.run(core.find(name));
		return core.call.result;
	};
	const meta = new TextEncoder().encode(META);
	const aerial = run("aerial", { width: SIDE, height: SIDE, meta });
	const rgba = new Uint8Array(SIDE * STRIP_ROWS * 4).fill(77);
	for (let first = 0; first < SIDE; first += STRIP_ROWS)
		run("put_aerial_rows", { aerial, first, rgba });
	const grown = size() - before;
	const least = SIDE * SIDE * 3;
	t.diagnostic(`memory grew by ${(grown / 1e6).toFixed(0)} MB for ${least / 1e6} MB`);
	core.release(aerial);
	assert.ok(grown >= least, `grew by ${grown} bytes`);
	assert.ok(grown < 1.4 * least, `grew by ${grown} bytes, an image has ${least}`);
});
