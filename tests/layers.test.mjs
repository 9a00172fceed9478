import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

// The module table of ARCHITECTURE.md: what each module of core/ may include.
const uses = {
	base: [],
	geom: ["base"],
	zarr: ["base"],
	zip: ["base", "zarr"],
	store: ["base", "zarr"],
	scene: ["base", "geom", "zarr", "store"],
	map: ["base", "geom"],
	sample: ["base", "geom", "zarr", "store", "scene", "map"],
	raster: ["base", "geom", "scene", "map", "sample"],
	eval: ["base", "geom", "scene", "sample"],
	engine: ["base", "geom", "zarr", "store", "scene", "map", "sample", "raster"],
};
const core = new URL("../core/", import.meta.url);

/** `[file, included path]` of every quoted include below a folder. */
function includesBelow(folder) {
	return readdirSync(folder, { recursive: true })
		.filter((file) => /\.[ch]pp$/.test(file))
		.flatMap((file) => {
			const text = readFileSync(new URL(file, folder), "utf8");
			return [...text.matchAll(/^#include [<"]([^>"]+)[>"]/gm)].map((m) => [
				file,
				m[1],
			]);
		});
}

test("no module of core/ includes one above or beside it", () => {
	for (const [file, included] of includesBelow(core)) {
		const own = file.split("/")[0];
		const used = included.match(/^core\/(\w+)/)?.[1];
		if (used === undefined || used === own) continue;
		assert(uses[own]?.includes(used), `core/${file} includes ${included}`);
	}
});

test("core/ includes nothing of the doors, and nothing that opens, prints or waits", () => {
	const banned =
		/^(wasm|native|tests|emscripten)\/|^(iostream|sstream|fstream|iomanip|filesystem|thread|chrono|ctime)$/;
	for (const [file, included] of includesBelow(core)) {
		assert(!banned.test(included), `core/${file} includes ${included}`);
	}
});

test("library/ and native/ include what the layout allows", () => {
	const banned = {
		library: /^(wasm|tests)\//,
		native: /^(library|wasm|tests|bevscope)\//,
	};
	for (const [folder, pattern] of Object.entries(banned)) {
		for (const [file, included] of includesBelow(new URL(`../${folder}/`, core))) {
			assert(!pattern.test(included), `${folder}/${file} includes ${included}`);
			if (folder === "library" && included.startsWith("native/")) {
				assert.equal(file, "native.cpp", `library/${file} includes ${included}`);
			}
		}
	}
});

test("core/ includes two public headers: errors and byte ranges", () => {
	for (const [file, included] of includesBelow(core)) {
		if (!/^(include|bevscope|library)\//.test(included)) continue;
		const plain = included === "include/bevscope/byte_range.hpp";
		assert(plain || file === "base/error.hpp", `core/${file}`);
		assert(plain || included === "include/bevscope/error.hpp", `core/${file}`);
	}
});

test("the folders of core/ are the modules of the table", () => {
	const folders = readdirSync(core, { withFileTypes: true }).filter((e) =>
		e.isDirectory(),
	);
	assert.deepEqual(folders.map((e) => e.name).sort(), Object.keys(uses).sort());
});

test("the CMake targets have the arrows of the table", () => {
	for (const [module, allowed] of Object.entries(uses)) {
		const list = new URL(`${module}/CMakeLists.txt`, core);
		assert(existsSync(list), `core/${module}/CMakeLists.txt`);
		const call = readFileSync(list, "utf8").match(
			new RegExp(`bev_module\\(${module}\\b[^)]*\\bUSES ([a-z_\\s]+)`),
		);
		const used = call === null ? [] : call[1].trim().split(/\s+/);
		assert.deepEqual(used.sort(), [...allowed].sort(), `USES of ${module}`);
	}
});
