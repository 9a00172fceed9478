import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { MOVED_HEADINGS, MOVED_PAGES } from "../docs/.vitepress/moved.mjs";
import { charts } from "../scripts/charts.mjs";

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
	[/^\| `[a-z]+` \| base, /, "a module's row in the table of ARCHITECTURE.md"],
];

/** Yields number and text of each line outside code blocks, whose lines are as they run. */
function* prose(text) {
	let inCode = false;
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trimStart().startsWith("```")) inCode = !inCode;
		else if (!inCode) yield [index + 1, line];
	}
}

test("a line of the docs has at most 130 characters", () => {
	const long = pages.flatMap(({ file, text }) =>
		[...prose(text)]
			.filter(([, line]) => [...line].length > 130)
			.filter(([, line]) => !UNBROKEN.some(([pattern]) => pattern.test(line)))
			.map(([number]) => `${file}:${number}`),
	);
	assert.deepEqual(long, []);
});

/** Words of advertisements: docs state figures and facts. */
const HYPE =
	/\b(amazing|awesome|beautiful|best-in-class|blazing|cutting-edge|delightful|easily|effortless(ly)?|elegant|incredibl[ey]|leverages?|lightning[- ]fast|magic(al)?|next-generation|powerful|revolutionary|robust|seamless(ly)?|simply|state-of-the-art|supercharged?|unparalleled|world-class)\b/i;

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

/** Targets that scripts/docs writes, and the page of which the package has a copy. */
const WRITTEN = ["commands.md"];
const PACKED = { "web/README.md": "README.md", "web/viewer/README.md": "README.md" };

/** Returns the id of a heading, as on the site. */
const slug = (heading) =>
	heading
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");

/** The ids of the headings of a page. */
const idsOf = (text) =>
	[...prose(text)].flatMap(([, line]) =>
		[...line.matchAll(/^#+ (.*)$/g)].map(([, heading]) => slug(heading)),
	);

const ids = new Map(pages.map(({ file, text }) => [file, idsOf(text)]));

/** Returns whether a file exists and, if it is a page, has the heading `id`. */
function exists(file, id) {
	if (!existsSync(new URL(file, root))) return false;
	return id === undefined || ids.get(file)?.includes(id) !== false;
}

test("the site's pages link to files that the site has", () => {
	const on = (link) => /^(?:[a-z]+:|[^.]|\.\/|\.\.\/(?:examples|deploy)\/)/.test(link);
	const broken = pages
		.filter(({ file }) => file.startsWith("docs/"))
		.flatMap(({ file, text }) =>
			Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link)
				.filter((link) => !on(link))
				.map((link) => `${file}: ${link}`),
		);
	assert.deepEqual(broken, []);
});

test("the links of the docs lead to files and headings that exist", () => {
	const broken = [];
	for (const { file, text } of pages) {
		const base = `file:///${PACKED[file] ?? file}`;
		for (const [number, line] of prose(text)) {
			for (const [, link] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
				if (/^[a-z]+:|^\//.test(link) || WRITTEN.includes(link)) continue;
				const { pathname, hash } = new URL(link, base);
				const id = hash ? hash.slice(1) : undefined;
				const target = link.startsWith("#")
					? file
					: decodeURIComponent(pathname.slice(1));
				if (!exists(target, id)) broken.push(`${file}:${number}: ${link}`);
			}
		}
	}
	assert.deepEqual(broken, []);
});

test("former addresses of the docs lead to pages and headings that exist", () => {
	const targets = Object.values(MOVED_HEADINGS).flatMap(Object.values);
	const broken = [...Object.values(MOVED_PAGES), ...targets].filter((target) => {
		const [page, id] = target.split("#");
		return !exists(`docs/${page}.md`, id);
	});
	assert.deepEqual(broken, []);
	for (const [page, moved] of Object.entries(MOVED_HEADINGS)) {
		const kept = Object.keys(moved).filter((id) =>
			ids.get(`docs/${page}.md`).includes(id),
		);
		assert.deepEqual(kept, [], page);
	}
});

test("the charts of the docs are those of the tables", () => {
	for (const [path, svg] of charts())
		assert.equal(readFileSync(new URL(path, root), "utf8"), svg, path);
});
