import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

// The public headers in include/bevscope: complete comments, and nothing private.
const folder = new URL("../include/bevscope/", import.meta.url);
const headers = readdirSync(folder).map((name) => [
	name,
	readFileSync(new URL(name, folder), "utf8"),
]);

/** Declarations that need no comment: they say nothing of their own. */
const PLAIN =
	/^(?:friend\b|using namespace|(?:class|struct) \w+$|(?:virtual )?~|\w+\(\) = default$)|\boverride$/;
const SCOPE = /^(?:template <.*?> )?(namespace|class|struct|enum)\b/;

/** The index after the brace that closes the one before `from`. */
function afterBrace(text, from) {
	let depth = 1;
	let at = from;
	for (; depth > 0; at++) depth += { "{": 1, "}": -1 }[text[at]] ?? 0;
	return at;
}

/**
 * The declarations without a comment (`///` before, `///<` after): at namespace level,
 * public members, enumerators. Does not look into functions.
 */
function undocumented(text) {
	const found = [];
	const code = text.replace(/^#.*$/gm, "").replace(/(?<!\/)\/\/(?!\/).*$/gm, "");
	const scopes = [{ kind: "namespace", isPublic: true }];
	let begin = 0;
	for (let at = 0; at < code.length; at++) {
		const scope = scopes.at(-1);
		if (code.startsWith("///", at)) at = code.indexOf("\n", at);
		const isEnumerator = scope.kind === "enum" && /[,}]/.test(code[at]);
		if (!/[;{}:]/.test(code[at]) && !isEnumerator) continue;
		const raw = code.slice(begin, at);
		const head = raw
			.replace(/\/\/\/.*$/gm, "")
			.trim()
			.replace(/\s+/g, " ");
		if (code[at] === ":") {
			const access = /^(public|private|protected)$/.exec(head);
			if (!access) continue;
			scope.isPublic = access[1] !== "private";
			begin = at + 1;
			continue;
		}
		const kind = SCOPE.exec(head)?.[1];
		const isScope = code[at] === "{" && kind !== undefined;
		if (code[at] === "{" && !isScope) {
			at = afterBrace(code, at + 1) - 1;
			if (!/[)\w]$/.test(head) || !head.includes("(")) continue; // an initializer
		}
		const line = code.indexOf("\n", at);
		const isDocumented = raw.includes("///") || code.slice(at, line).includes("///<");
		if (head && kind !== "namespace" && scope.isPublic && !isDocumented) {
			if (isScope || !PLAIN.test(head)) found.push(head);
		}
		if (isScope) scopes.push({ kind, isPublic: scope.isPublic && kind !== "class" });
		if (code[at] === "}" && !head.includes("(")) scopes.pop();
		begin = at + 1;
		if (code.slice(at, line).includes("///<")) begin = line;
	}
	return found;
}

test("every public declaration has a comment", () => {
	for (const [name, text] of headers) assert.deepEqual(undocumented(text), [], name);
});

test("the check finds what lacks a comment", () => {
	const text = `#pragma once
namespace bev {
struct A {
  int documented;  ///< yes
  int bare;
};
/// A class.
class B {
 public:
  void bare_function();
  /// Documented.
  int documented() const { return 1; }

 private:
  int hidden_;
};
enum class C {
  one,
};
}  // namespace bev
`;
	assert.deepEqual(undocumented(text), [
		"struct A",
		"int bare",
		"void bare_function()",
		"enum class C",
		"one",
	]);
});

test("public headers include only the standard library and each other", () => {
	const own = new Set(headers.map(([name]) => name));
	for (const [name, text] of headers) {
		for (const [, file] of text.matchAll(/^#include "([^"]+)"/gm)) {
			assert.ok(own.has(file), `${name} includes ${file}`);
		}
		for (const [, file] of text.matchAll(/^#include <([^>]+)>/gm)) {
			assert.match(file, /^[a-z_]+$/, `${name} includes ${file}`);
		}
	}
});

test("bevscope.hpp includes every public header", () => {
	const all = headers.find(([name]) => name === "bevscope.hpp")[1];
	for (const [name] of headers) {
		if (name !== "bevscope.hpp") assert.ok(all.includes(`#include "${name}"`), name);
	}
});

test("the guide lists every error code", () => {
	const header = headers.find(([name]) => name === "error.hpp")[1];
	const list = header.match(/enum class Errc \{(.*?)\}/s)[1];
	const codes = [...list.matchAll(/^ {2}(\w+),/gm)].map(([, code]) => code);
	const guide = readFileSync(new URL("../docs/cpp.md", import.meta.url), "utf8");
	const listed = [...guide.matchAll(/^\| `(\w+)` \| /gm)].map(([, code]) => code);
	assert.deepEqual(
		codes.filter((code) => !listed.includes(code)),
		[],
	);
});

test("the version is the same in the header, CMake and the npm package", () => {
	const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
	const header = headers.find(([name]) => name === "version.hpp")[1];
	const version = header.match(/BEVSCOPE_VERSION "([\d.]+)"/)[1];
	assert.equal(read("../CMakeLists.txt").match(/VERSION ([\d.]+) LANG/)[1], version);
	assert.equal(JSON.parse(read("../web/package.json")).version, version);
	const [major, minor, patch] = version.split(".").map(Number);
	const number = Number(header.match(/VERSION_NUMBER (\d+)/)[1]);
	assert.equal(number, major * 10_000 + minor * 100 + patch);
});
