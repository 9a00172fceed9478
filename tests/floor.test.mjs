// No source uses a web API or CSS feature that a supported browser lacks, unless it is
// guarded. Versions are those of web-features, the data behind MDN's tables.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const web = createRequire(new URL("../web/package.json", import.meta.url));
const { transformSync } = web("esbuild");
const { parse } = web("acorn");
const { features } = JSON.parse(
	readFileSync(web.resolve("web-features/data.json"), "utf8"),
);

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The one place that states the floor. */
const FLOOR = /OLDEST_BROWSERS = "(.*)"/.exec(read("web/src/loading/probe.ts"))[1];

/** Newer features that the code uses only where they exist, and how. */
const GUARDED = {
	"global trustedTypes": "used if it exists",
	"global scheduler": "a message channel is used without it",
	"global ClipboardItem": "the button is disabled without it",
	"global VideoEncoder": "video formats are disabled without WebCodecs",
	"global VideoFrame": "used with VideoEncoder",
	"member copyTo": "of VideoEncoder's chunks",
	"member encodeQueueSize": "of VideoEncoder",
	"member fullRange": "of VideoEncoder's colours",
	"member isConfigSupported": "of VideoEncoder",
	"member caches": "the persistent cache is off without it",
	"member touches": "touch events, which desktop browsers lack",
	"member imageSmoothingQuality": "ignored where unknown",
	"property accent-color": "only a colour",
	"property contain-intrinsic-height": "with content-visibility",
	"property contain-intrinsic-size": "without it, the page sets the size",
	"property content-visibility": "only faster",
	"property forced-color-adjust": "where forced colours exist",
	"property hyphens": "resets the page's style",
	"property mask": "only a soft edge",
};

const floor = FLOOR.split(", ").map((one) => one.toLowerCase().split(" "));

/** Whether all browsers of the floor support the feature with this record. */
function isOld(support) {
	const number = (version) => Number.parseFloat(String(version).replace("≤", ""));
	return floor.every(([name, version]) => number(support[name]) <= number(version));
}

/** Returns whether a name of one kind is known to all browsers of the floor. */
function table(pattern) {
	const known = new Map();
	for (const { status } of Object.values(features)) {
		for (const [key, { support }] of Object.entries(status?.by_compat_key ?? {})) {
			const [, name] = pattern.exec(key) ?? [];
			// A name of several interfaces is known if one of them is.
			if (name) known.set(name, (known.get(name) ?? false) || isOld(support));
		}
	}
	return known;
}

const TABLES = {
	global: table(/^(?:api|javascript\.builtins)\.(\w+)$/),
	member: table(/^(?:api|javascript\.builtins)\.\w+\.(\w+?)(?:_static)?$/),
	property: table(/^css\.properties\.([\w-]+)$/),
	selector: table(/^css\.selectors\.([\w-]+)$/),
	rule: table(/^css\.at-rules\.([\w-]+)$/),
};

/** Yields kind and name of the web APIs that a script refers to. */
function* usedByScript(node) {
	if (!node || typeof node.type !== "string") return;
	if (node.type === "NewExpression" && node.callee.type === "Identifier")
		yield ["global", node.callee.name];
	if (node.type === "MemberExpression" && !node.computed) {
		if (node.object.type === "Identifier") yield ["global", node.object.name];
		yield ["member", node.property.name];
	}
	for (const value of Object.values(node)) {
		for (const child of Array.isArray(value) ? value : [value])
			if (child && typeof child === "object") yield* usedByScript(child);
	}
}

/** Yields kind and name of the features that a style sheet uses. */
function* usedByStyle(css) {
	const text = css.replace(/\/\*[\s\S]*?\*\//g, "");
	for (const [, name] of text.matchAll(/(?<=[{;]\s*)([a-z][\w-]*)\s*:[^;{}]*[;}]/g))
		yield ["property", name];
	for (const [, name] of text.matchAll(/:{1,2}([a-z][\w-]*)(?=[^;}]*\{)/g))
		yield ["selector", name];
	for (const [, name] of text.matchAll(/@([a-z-]+)/g)) yield ["rule", name];
}

function* used(path) {
	const text = read(path);
	if (path.endsWith(".css")) return yield* usedByStyle(text);
	for (const [, css] of text.matchAll(/css`([^`]*)`/g)) yield* usedByStyle(css);
	const { code } = transformSync(text, { loader: "ts", target: "esnext" });
	yield* usedByScript(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
}

const folder = (path) =>
	readdirSync(new URL(`../${path}`, import.meta.url), { recursive: true })
		.filter((file) => /(?<!\.d)\.(ts|css)$/.test(file))
		.map((file) => `${path}/${file}`);

const sources = [...folder("web/src"), ...folder("web/app")].filter(
	(path) => !path.includes("vite"),
);

/** Names that the sources declare themselves. */
const own = new Set(
	sources.flatMap((path) =>
		[...read(path).matchAll(/(?<![.\w])#?(\w+)(?=\??[:(<]|\s*[=,}])/g)].map(
			([, name]) => name,
		),
	),
);

test("the floor is stated the same everywhere", () => {
	for (const path of ["README.md", "ARCHITECTURE.md", "web/README.md"])
		assert(read(path).includes(FLOOR), `${path}: expected ${FLOOR}`);
	const [, targets] = /TARGET = \[(.*)\]/.exec(read("web/tools/inline.mjs"));

	assert.equal(
		targets.replaceAll(/["\s]/g, ""),
		FLOOR.toLowerCase().replaceAll(/ (\d)/g, "$1").replaceAll(", ", ","),
	);
});

test("the sources use no newer web API or CSS feature without a guard", () => {
	const newer = new Map();
	for (const path of sources) {
		for (const [kind, name] of used(path)) {
			if (TABLES[kind].get(name) !== false) continue;
			if (kind !== "member" || !own.has(name)) newer.set(`${kind} ${name}`, path);
		}
	}
	const found = [...newer].filter(([name]) => !(name in GUARDED));
	assert.equal(found.map(([name, path]) => `${path}: ${name}`).join("\n"), "");
	const unused = Object.keys(GUARDED).filter((name) => !newer.has(name));
	assert.deepEqual(unused, [], "no longer used");
});
