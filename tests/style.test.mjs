import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);

/** Committed files that match the patterns of `git ls-files`, with their text. */
function sources(...patterns) {
	return execFileSync("git", ["ls-files", "-z", ...patterns], {
		cwd: root,
		encoding: "utf8",
	})
		.split("\0")
		.filter(Boolean)
		.map((file) => ({ file, text: readFileSync(new URL(file, root), "utf8") }));
}

const cpp = ["*.cpp", "*.hpp", "*.c"];
const scripts = ["*.ts", "*.mjs", "*.js", "*.css", "scripts/*"];

test("a file has at most 500 lines", () => {
	const long = sources(...cpp, ...scripts, ":!*.json")
		.filter(({ text }) => !text.startsWith("// Made by scripts/"))
		.map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }))
		.filter(({ lines }) => lines > 500);
	assert.deepEqual(long, []);
});

test("C++ sources are ASCII", () => {
	const other = sources(...cpp).filter(
		({ text }) => Buffer.byteLength(text) !== text.length,
	);
	assert.deepEqual(
		other.map(({ file }) => file),
		[],
	);
});

test("a lock file names only optional packages that it contains", () => {
	// `npm ci` refuses others: lock.mjs leaves out those of other systems.
	for (const { file, text } of sources("*package-lock.json")) {
		const { packages } = JSON.parse(text);
		const known = new Set(
			Object.keys(packages).map((path) => path.split("node_modules/").at(-1)),
		);
		const unknown = Object.values(packages)
			.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
			.filter((name) => !known.has(name));
		assert.deepEqual(unknown, [], file);
	}
});

test("every package of a lock file has a hash", () => {
	for (const { file, text } of sources("*package-lock.json")) {
		const open = Object.entries(JSON.parse(text).packages)
			.filter(([path, { link, integrity }]) => path && !link && !integrity)
			.map(([path]) => path);
		assert.deepEqual(open, [], file);
	}
});

test("a test suite of core/ is named by the path of its file", () => {
	for (const { file, text } of sources("tests/core/*_test.cpp")) {
		const path = file.replace("tests/core/", "").replace("_test.cpp", "");
		const suites = [...text.matchAll(/TEST_SUITE\("([^"]+)"\)/g)];
		const named = suites.map((match) => match[1].replaceAll(" ", "_"));
		assert.deepEqual(named, [path], file);
	}
});

test("every unit test is compiled", () => {
	const lists = sources("tests/*CMakeLists.txt").map(({ text }) => text);
	const known = lists.flatMap((text) => text.match(/\w[\w/]*_test\.cpp/g) ?? []);
	for (const { file } of sources("tests/*_test.cpp")) {
		const listed = known.some((name) => file.endsWith(`/${name}`));
		assert(listed, `${file} is in no CMakeLists.txt`);
	}
});

test("nothing is left to do", () => {
	const left = sources(...cpp, ...scripts)
		.filter(({ file }) => file !== "tests/style.test.mjs")
		.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text));
	assert.deepEqual(
		left.map(({ file }) => file),
		[],
	);
});

/** Names that the glossary of CONTRIBUTING.md replaced. */
const REPLACED =
	/\b(\w*Desk|\w*Shelf|Grace|Settling|Experience|Oddity|oddities|met_lately|let_go|passes_by|told_to|hold_or_want|Unstored|RgbPicture|look_at|\w*Scenery|Sight|k(Most|Least)([A-Z]\w*)?)\b/g;

/** The same for TypeScript. */
const REPLACED_SCRIPT =
	/\b(Film(Options|Format)|filmOf|Kept(Source|Object|Files|Folder)|kept(Limit|Bytes)|ViewerActs|SightLoader|SceneSights?|(MOST|LEAST)(_[A-Z]+)*)\b/g;

test("names are those of the glossary", () => {
	const found = sources(...cpp, ...scripts)
		.filter(({ file }) => file !== "tests/style.test.mjs")
		.flatMap(({ file, text }) =>
			[REPLACED, REPLACED_SCRIPT]
				.flatMap((names) => [...text.matchAll(names)])
				.map(([name]) => `${file}: ${name}`),
		);
	assert.deepEqual(found, []);
});
