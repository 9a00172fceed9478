import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { test } from "node:test";

// Sources of one target are compiled in batches (cmake/unity.cmake), so functions in
// their anonymous namespaces share one scope. Two of one name and the same parameters do
// not compile; with other parameters, a call may silently take the other source's.
// A source in no batch would not be compiled at all.
// Needs a configured preset: build/dev, or the folder that BEV_BUILD names.
const root = join(import.meta.dirname, "..");
const build = process.env.BEV_BUILD ?? join(root, "build/dev");

/** Overloads by the types of two libraries, which no call can confuse. */
const ALLOWED = /: \w+ in native\/images\/jpeg.cpp native\/images\/png.cpp$/;

/** The sources of each batch, by its name; those of the Python binding are one. */
function batches() {
	const folder = "python/src";
	const binding = readdirSync(join(root, folder)).filter((name) =>
		name.endsWith(".cpp"),
	);
	const found = [[folder, binding.map((name) => join(folder, name))]];
	for (const name of readdirSync(build, { recursive: true })) {
		if (!/_\d+\.cpp$/.test(name)) continue;
		const text = readFileSync(join(build, name), "utf8");
		const sources = [...text.matchAll(/^#include "(.*)"$/gm)].map((match) => match[1]);
		found.push([name, sources]);
	}
	return found;
}

/** Names of the functions in a source's anonymous namespaces that begin a line. */
function anonymousFunctions(text) {
	const names = new Set();
	for (const [, body] of text.matchAll(
		/^namespace \{$(.*?)^\} {2}\/\/ namespace$/gms,
	)) {
		for (const [, name] of body.matchAll(
			/^(?!using|struct|class|enum|return)[a-z[][^\n;={}]*?[\s&*](\w+)\(/gim,
		)) {
			names.add(name);
		}
	}
	return names;
}

test("functions in anonymous namespaces have names of their own in a batch", () => {
	const repeated = [];
	let count = 0;
	for (const [batch, sources] of batches()) {
		const where = new Map();
		for (const source of sources) {
			const text = readFileSync(join(root, source), "utf8");
			// A test with a namespace of its own shares nothing.
			if (text.includes(`namespace ${basename(source, ".cpp")} {`)) continue;
			for (const name of anonymousFunctions(text)) {
				where.set(name, [...(where.get(name) ?? []), source]);
				count++;
			}
		}
		for (const [name, files] of where) {
			const line = `${batch}: ${name} in ${files.join(" ")}`;
			if (files.length > 1 && !ALLOWED.test(line)) repeated.push(line);
		}
	}
	assert.ok(count > 1000, `the sources are found: ${count} functions`);
	assert.deepEqual(repeated, []);
});

test("every unit test is compiled, once", () => {
	const commands = JSON.parse(
		readFileSync(join(build, "compile_commands.json"), "utf8"),
	).map(({ file }) => relative(root, file));
	const compiled = [...batches().flatMap(([, sources]) => sources), ...commands];
	const tests = readdirSync(join(root, "tests"), { recursive: true })
		.filter((name) => name.endsWith("_test.cpp"))
		.map((name) => join("tests", name));
	assert.ok(tests.length > 300, `the tests are found: ${tests.length}`);
	const count = (name) => compiled.filter((other) => other === name).length;
	assert.deepEqual(
		tests.filter((name) => count(name) !== 1).map((name) => `${name}: ${count(name)}`),
		[],
	);
});
