import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { TOKENS } from "../../src/elements/ui/tokens.js";
import { Viewer } from "../../src/elements/viewer/viewer.js";
import { manifests, viewerApi, withAttributes } from "../../tools/manifest.mjs";

const web = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Every source of the elements, as one text. */
const sources = readdirSync(web("src/elements"), { recursive: true, encoding: "utf8" })
	.filter((file) => file.endsWith(".ts"))
	.map((file) => readFileSync(web(`src/elements/${file}`), "utf8"))
	.join("\n");

const names = (all: readonly { readonly name: string }[]): string[] =>
	all.map(({ name }) => name).sort();

/** Returns the different first groups of all matches. */
function found(text: string, pattern: RegExp): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))].sort();
}

const eventsOf = (text: string): string[] =>
	found(text, /^\t(?:\w+: )?"([a-z]+-[a-z]+)"/gm);

describe("manifest: docs/viewer-reference.md lists what the viewer has", () => {
	const api = viewerApi();

	it("attributes in a table made from their declaration", () => {
		const docs = readFileSync(web("../docs/viewer-reference.md"), "utf8");
		expect(
			withAttributes(docs, api.attributes),
			"node web/tools/manifest.mjs --write",
		).toBe(docs);
		expect(docs).toContain("| `map-src` | URL of a semantic map, instead of");
	});

	it("attributes, with the types of frameworks", () => {
		expect(names(api.attributes)).toEqual([...Viewer.observedAttributes].sort());
		const { attributes } = api;
		const theme = attributes.find(({ name }) => name === "theme");
		expect(theme?.values).toEqual(["dark", "light"]);
		for (const { property } of attributes)
			expect(Viewer.properties).toHaveProperty(property);
	});

	it("properties and methods", () => {
		for (const { name } of api.members) {
			const [plain = ""] = name.split("(");
			const own = plain in Viewer.prototype || plain in Viewer.properties;
			expect(own, name).toBe(true);
		}
	});

	it("events, also of the component for React", () => {
		const events = eventsOf(
			readFileSync(web("src/elements/viewer/viewer-events.ts"), "utf8"),
		);
		expect(names(api.events)).toEqual(events);
		const react = readFileSync(web("viewer/react.js"), "utf8");
		expect(eventsOf(react)).toEqual(events);
		for (const event of events) {
			const prop = `-${event}`.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
			expect(react).toContain(`on${prop}: "${event}"`);
		}
	});

	it("slots, parts and tokens", () => {
		expect(names(api.slots)).toEqual(found(sources, /<slot name="(\w+)"/g));
		expect(names(api.parts)).toEqual(found(sources, /\bpart="(\w+)"/g));
		const tokens = [...Object.keys(TOKENS), "sans", "mono"].map(
			(name) => `--bev-${name}`,
		);
		expect(names(api.tokens)).toEqual(tokens.sort());
	});
});

describe("manifest: the files for editors", () => {
	it("contain every name with a description", () => {
		const api = viewerApi();
		const files = manifests();
		expect(Object.keys(files)).toEqual([
			"custom-elements.json",
			"html-data.json",
			"css-data.json",
		]);
		const [elements, html, css] = Object.values(files).map((file) =>
			JSON.stringify(file),
		);
		const { attributes, events, slots, parts, tokens } = api;
		for (const { name } of [...attributes, ...events, ...slots, ...parts, ...tokens])
			expect(elements).toContain(`"name":"${name}"`);
		for (const { name } of attributes) expect(html).toContain(`"name":"${name}"`);
		for (const { name } of tokens) expect(css).toContain(`"name":"${name}"`);
		expect(elements).not.toContain('"description":""');
		expect(elements).not.toContain("`");
	});
});
