// Every binding of the modules can convert its types: wasm/embind_rest.cpp omits some.
// BEV_CORE names the directory of the modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = resolve(process.env.BEV_CORE ?? "build/wasm/wasm");

async function instantiate(name) {
	globalThis.self ??= globalThis;
	const wasmBinary = readFileSync(`${folder}/${name}.wasm`);
	const { default: create } = await import(pathToFileURL(`${folder}/${name}.mjs`));
	return create({
		instantiateWasm: (imports, done) => {
			WebAssembly.instantiate(wasmBinary, imports).then(({ instance }) =>
				done(instance),
			);
			return {};
		},
	});
}

/** What the loader itself puts on a module, besides names that begin with "_". */
const LOADERS = new Set(["instantiateWasm", "run"]);

/** Functions and classes that Embind puts on a module. */
const doorsOf = (module) =>
	Object.entries(module).filter(
		([name, door]) =>
			typeof door === "function" && /^[A-Za-z]/.test(name) && !LOADERS.has(name),
	);

/** What a call with more arguments than any door takes is told. */
function complaint(call) {
	try {
		call(...new Array(99).fill(0));
	} catch (error) {
		return String(error);
	}
	return "nothing";
}

for (const name of ["bev_core", "bev_full", "bev_tools"]) {
	test(`the doors of ${name} know their types`, async () => {
		const module = await instantiate(name);
		let doors = 0;
		for (const [label, door] of doorsOf(module)) {
			const methods = Object.entries(door.prototype ?? {}).filter(
				([, method]) => typeof method === "function",
			);
			const told = [[label, complaint((...given) => door(...given))]];
			for (const [method, call] of methods) told.push([method, complaint(call)]);
			for (const [what, message] of told) {
				assert.doesNotMatch(message, /unbound types/, `${label}: ${what}`);
				doors += /99/.test(message) ? 1 : 0;
			}
		}
		assert.ok(doors >= 5, `${doors} doors counted their arguments`);
	});
}
