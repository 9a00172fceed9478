import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

const pages = sources("*.md");

/** Lines of Markdown that may be longer than the limit, and why. */
const UNBROKEN = [
	[/^\s*(?:[-*] )?\S+$/, "a link or a word without a space"],
	[/^!\[[^\]]*\]\(\S+\)$/, "a picture with its description is one line in Markdown"],
];

/** Pages that a script writes. */
const isGenerated = ({ text }) => text.slice(0, 300).includes("Written by `scripts/");

/** Yields number and text of each line outside code blocks, whose lines are as they run. */
function* prose(text) {
	let inCode = false;
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trimStart().startsWith("```")) inCode = !inCode;
		else if (!inCode) yield [index + 1, line];
	}
}

test("a line of the docs has at most 130 characters", () => {
	const long = pages
		.filter((page) => !isGenerated(page))
		.flatMap(({ file, text }) =>
			[...prose(text)]
				.filter(([, line]) => [...line].length > 130)
				.filter(([, line]) => !UNBROKEN.some(([pattern]) => pattern.test(line)))
				.map(([number]) => `${file}:${number}`),
		);
	assert.deepEqual(long, []);
});

/** Words of advertisements: docs state figures and facts. */
const HYPE =
	/\b(amazing|awesome|beautiful|best-in-class|blazing|cutting-edge|delightful|easily|effortless(ly)?|elegant|incredibl[ey]|leverages?|lightning|magic(al)?|next-generation|powerful|revolutionary|robust|seamless(ly)?|simply|state-of-the-art|supercharged?|unparalleled|world-class)\b/i;

/** Metaphors and forms that plain English does without. */
const UNPLAIN = /\b(rooms?|doors?|desks?|whoever|whichever|thereof|wherein)\b/i;

/** Words that a page may not use, beside those of all pages. */
const UNUSED = { "docs/performance.md": /\b(floors?|aims?|aimed|goals?)\b/i };

/** Lines that name a word in order to replace it. */
const isGlossary = (file, line) => file === "CONTRIBUTING.md" && line.startsWith("| ");

test("the docs use plain words", () => {
	const found = pages.flatMap(({ file, text }) =>
		[...prose(text)]
			.filter(([, line]) => !isGlossary(file, line))
			.flatMap(([number, line]) =>
				[HYPE, UNPLAIN, UNUSED[file]]
					.map((words) => words?.exec(line)?.[0])
					.filter(Boolean)
					.map((word) => `${file}:${number}: ${word}`),
			),
	);
	assert.deepEqual(found, []);
});

test("the links of the docs lead to files and headings that exist", () => {
	const slug = (heading) =>
		heading
			.trim()
			.toLowerCase()
			.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
			.replace(/[^\p{L}\p{N}\s_-]/gu, "")
			.replaceAll(/\s/g, "-");
	const headings = new Map(
		pages.map(({ file, text }) => [
			file,
			new Set(
				[...prose(text)].flatMap(([, line]) =>
					[...line.matchAll(/^#+ (.*)$/g)].map(([, heading]) => slug(heading)),
				),
			),
		]),
	);
	const broken = pages.flatMap(({ file, text }) =>
		[...prose(text)].flatMap(([number, line]) =>
			[...line.matchAll(/\]\(([^)\s]+)\)/g)]
				.map(([, link]) => link)
				.filter((link) => !/^[a-z]+:|^\//.test(link))
				.filter((link) => {
					const [path, id] = link.split("#");
					const { pathname } = new URL(
						path.split("?")[0] || file.split("/").pop(),
						`file:///${file}`,
					);
					const target = decodeURIComponent(pathname.slice(1));
					if (!existsSync(new URL(target, root))) return true;
					return id !== undefined && headings.get(target)?.has(id) === false;
				})
				.map((link) => `${file}:${number}: ${link}`),
		),
	);
	assert.deepEqual(broken, []);
});
