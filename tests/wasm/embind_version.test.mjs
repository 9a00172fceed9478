// wasm/dispatcher.js replaces internals of Embind: linking with an untried version fails.
// Emscripten runs the file with its own version and LibraryManager as globals.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const library = readFileSync(
	new URL("../../wasm/dispatcher.js", import.meta.url),
	"utf8",
);

/** Runs the library as the linker of that version; returns the functions it adds. */
function linkWith(version) {
	const added = [];
	runInNewContext(library, {
		EMSCRIPTEN_VERSION: version,
		LibraryManager: { library: {} },
		mergeInto: (_, functions) => added.push(...Object.keys(functions)),
	});
	return added;
}

for (const version of ["3.1.6", "6.0.5"]) {
	test(`Emscripten ${version} is accepted`, () => {
		assert.ok(linkWith(version).includes("$craftInvokerFunction"));
	});
}

for (const version of ["3.1.5", "3.1.7", "3.1.69", "6.0.4", ""]) {
	test(`Emscripten "${version}" is refused`, () => {
		assert.throws(() => linkWith(version), {
			message: `wasm/dispatcher.js: untried Emscripten (found ${version}, expected 3.1.6 or 6.0.5)`,
		});
	});
}
