import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const root = new URL("../", import.meta.url);

/** What each module of core/ may include: the table of ARCHITECTURE.md. */
const uses = Object.fromEntries(
	readFileSync(new URL("ARCHITECTURE.md", root), "utf8")
		.split("\n| module | may include |")[1]
		.split("\n\n")[0]
		.split("\n")
		.slice(2)
		.map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")))
		.map(([, module, list]) => [module, list === "-" ? [] : list.split(", ")]),
);
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

test("core/ includes no host, and nothing that opens, prints or waits", () => {
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
				assert.match(file, /^(native|http_)/, `library/${file} includes ${included}`);
			}
		}
	}
});

test("core/ includes three public headers: errors, byte ranges and sources", () => {
	const allowed = {
		"error.hpp": /^base\/error\.hpp$/,
		"byte_range.hpp": /./,
		"source.hpp": /^(store\/source\.cpp|engine\/host_loop\.hpp)$/,
	};
	for (const [file, included] of includesBelow(core)) {
		if (!/^(include|bevscope|library)\//.test(included)) continue;
		const by = allowed[included.replace("include/bevscope/", "")];
		assert.match(file, by ?? /^$/, `core/${file} includes ${included}`);
	}
});

test("the folders of core/ are the modules of the table", () => {
	const folders = readdirSync(core, { withFileTypes: true }).filter((e) =>
		e.isDirectory(),
	);
	assert.deepEqual(folders.map((e) => e.name).sort(), Object.keys(uses).sort());
});

test("the CMake targets have the arrows of the table", () => {
	// A module may have several targets: scene and scene_write.
	const moduleOf = (target) => target.split("_")[0];
	for (const [module, allowed] of Object.entries(uses)) {
		const list = new URL(`${module}/CMakeLists.txt`, core);
		assert(existsSync(list), `core/${module}/CMakeLists.txt`);
		const calls = readFileSync(list, "utf8").matchAll(
			/bev_module\([^)]*?\bUSES ([a-z_\s]+)/g,
		);
		const used = new Set([...calls].flatMap((call) => call[1].trim().split(/\s+/)));
		const modules = new Set([...used].map(moduleOf));
		modules.delete(module);
		assert.deepEqual([...modules].sort(), [...allowed].sort(), `USES of ${module}`);
	}
});

/** Files below folders of the project whose name matches `pattern`. */
function filesBelow(folders, pattern) {
	return folders
		.filter((folder) => existsSync(new URL(folder, root)))
		.flatMap((folder) =>
			readdirSync(new URL(folder, root), { recursive: true })
				.filter((file) => pattern.test(file))
				.map((file) => posix.join(folder, file)),
		);
}

/** Returns a circle of the edges as a path that ends where it begins; or undefined. */
function circleOf(edges) {
	const done = new Set();
	const path = [];
	const visit = (file) => {
		if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
		if (done.has(file)) return undefined;
		path.push(file);
		for (const next of edges.get(file) ?? []) {
			const circle = visit(next);
			if (circle) return circle;
		}
		path.pop();
		done.add(file);
		return undefined;
	};
	for (const file of edges.keys()) {
		const circle = visit(file);
		if (circle) return circle;
	}
	return undefined;
}

// Imports of types count too, and imports on first use: files of a circle can only be
// understood, tested and loaded together.
test("no import circle in web/src", () => {
	const imported =
		/^\s*(?:import|export)\b[^;"']*?\bfrom\s+"(\.[^"]+)"|\bimport\s*\(?\s*"(\.[^"]+)"/gm;
	const edges = new Map();
	for (const file of filesBelow(["web/src"], /\.ts$/)) {
		const text = readFileSync(new URL(file, root), "utf8");
		const to = [...text.matchAll(imported)].map(([, from, called]) =>
			posix.join(posix.dirname(file), (from ?? called).replace(/\.js$/, ".ts")),
		);
		edges.set(file, to);
	}
	assert(edges.get("web/src/index.ts").includes("web/src/dataset/dataset.ts"));
	assert.equal(circleOf(edges), undefined);
});

/** The file that `file` includes as `included`, below the project; or as it is. */
function includedFile(file, included) {
	const beside = posix.join(posix.dirname(file), included);
	const found = [included, `include/${included}`, beside].find((path) =>
		existsSync(new URL(path, root)),
	);
	return found ?? included;
}

test("no include circle in C++", () => {
	const folders = ["core", "native", "wasm", "include", "library", "python"];
	const edges = new Map();
	for (const file of filesBelow(folders, /\.[ch]pp$/)) {
		const text = readFileSync(new URL(file, root), "utf8");
		const included = [...text.matchAll(/^#include [<"]([^">]+)[">]/gm)];
		edges.set(
			file,
			included.map((match) => includedFile(file, match[1])),
		);
	}
	assert(edges.size > 300);
	const to = (file) => edges.get(file);
	assert(to("core/base/error.hpp").includes("include/bevscope/error.hpp"));
	assert(to("library/dataset_impl.hpp").includes("core/engine/host_loop.hpp"));
	assert(to("include/bevscope/error.hpp").includes("include/bevscope/export.hpp"));
	assert.equal(circleOf(edges), undefined);
});

/** The files that a Python file imports from its package, also inside functions. */
function importedByPython(file, text) {
	const moduleAt = (path) =>
		[".py", ".pyi", "/__init__.py"]
			.map((end) => posix.normalize(path) + end)
			.find((one) => existsSync(new URL(one, root)));
	const imports = /^[ \t]*from (\.+)([\w.]*) import (?:\(([^)]*)\)|(.*))/gm;
	return [...text.matchAll(imports)].flatMap(([, dots, name, several, line]) => {
		const up = posix.join(file, dots.replaceAll(".", "../"));
		const from = posix.join(up, name.replaceAll(".", "/"));
		const names = (several ?? line).split(",").map((one) => one.trim().split(" ")[0]);
		return names
			.filter(Boolean)
			.map((one) => moduleAt(`${from}/${one}`) ?? moduleAt(from.replace(/\/$/, "")));
	});
}

test("no import circle in python/bevscope", () => {
	const edges = new Map();
	for (const file of filesBelow(["python/bevscope"], /\.py$/)) {
		const text = readFileSync(new URL(file, root), "utf8");
		assert.doesNotMatch(text, /^\s*(import|from) bevscope\b/m, file);
		edges.set(file, importedByPython(file, text));
	}
	const to = (file) => edges.get(`python/bevscope/${file}`);
	assert(to("forecasts.py").includes("python/bevscope/l5kit/evaluation/__init__.py"));
	assert([...edges.values()].flat().every(Boolean));
	assert.equal(circleOf(edges), undefined);
});

test("a circle is found", () => {
	const edges = new Map([
		["a", ["b"]],
		["b", ["d", "c"]],
		["c", ["b"]],
		["d", []],
	]);
	assert.deepEqual(circleOf(edges), ["b", "c", "b"]);
});
