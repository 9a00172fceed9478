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
	const { default: create } = await import(pathToFileURL(`${folder}/bev_core.mjs`));
	return create({
		instantiateWasm: (imports, done) => {
			WebAssembly.instantiate(wasmBinary, imports).then(({ instance }) =>
				done(instance),
			);
			return {};
		},
	});
}

/** Members that the loader adds to a module, except names that begin with "_". */
const LOADERS = new Set(["instantiateWasm", "run"]);

/** Returns the functions and classes that Embind adds to a module. */
const bindingsOf = (module) =>
	Object.entries(module).filter(
		([name, value]) =>
			typeof value === "function" && /^[A-Za-z]/.test(name) && !LOADERS.has(name),
	);

/** Returns the error message of a call with too many arguments. */
function complaint(call) {
	try {
		call(...new Array(99).fill(0));
	} catch (error) {
		return String(error);
	}
	return "nothing";
}

const MODULES = ["bev_core", "bev_stream", "bev_tools", "bev_convert", "bev_save"];

for (const name of MODULES) {
	test(`bindings of ${name} can convert their types`, async () => {
		const module = await instantiate(name);
		let counted = 0;
		for (const [label, binding] of bindingsOf(module)) {
			const methods = Object.entries(binding.prototype ?? {}).filter(
				([, method]) => typeof method === "function",
			);
			const messages = [[label, complaint((...given) => binding(...given))]];
			for (const [method, call] of methods) messages.push([method, complaint(call)]);
			for (const [what, message] of messages) {
				assert.doesNotMatch(message, /unbound types/, `${label}: ${what}`);
				counted += /99/.test(message) ? 1 : 0;
			}
		}
		assert.ok(counted >= 5, `${counted} bindings counted their arguments`);
	});
}
