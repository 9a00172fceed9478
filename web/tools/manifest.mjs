// Describes the element bev-viewer for editors and documentation tools: a custom elements
// manifest, and VS Code's data for HTML and CSS. Attributes are those of their declaration,
// other names and text those of docs/viewer-reference.md. `--write` writes the table of attributes in
// docs/viewer-reference.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const at = (path) => new URL(`../../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), "utf8");

const DOCS = "docs/viewer-reference.md";

/** Where the attributes are declared. */
const ATTRIBUTES = "web/src/elements/viewer/viewer-attributes.ts";

/** Properties whose names differ from their attributes'. */
const PROPERTIES = { state: "link" };

/** Returns the rows of the table whose header begins with `first`, as cells. */
function table(text, first) {
	const from = text.indexOf(`\n| ${first} |`);
	if (from < 0) throw new Error(`docs/viewer-reference.md: no table "${first}"`);
	const [rows = ""] = text.slice(from + 1).split(/\n(?!\|)/);
	return rows
		.split("\n")
		.slice(2)
		.map((row) =>
			row
				.slice(1, -1)
				.split(/(?<!\\)\|/)
				.map((cell) => cell.trim()),
		);
}

/** Returns the names in a cell, which are code: "`seek(frame)`, `fit()`". */
function namesIn(cell) {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

/** Returns text without Markdown: links, emphasis and code. */
function plain(text) {
	return text
		.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replace(/\*([^*]+)\*/g, "$1")
		.replaceAll("`", "")
		.trim();
}

/** Rows as `{ name, description }`; the last cell describes all names of the first. */
function entries(rows) {
	return rows.flatMap((cells) => {
		const description = plain(cells.at(-1));
		return namesIn(cells[0]).map((name) => ({ name, description, cells }));
	});
}

/** The attributes: name, meaning in Markdown, type, and the values that it lists. */
function attributesOf(source) {
	const [, body = ""] =
		/\nexport interface ViewerAttributes \{\n(.*?)\n\}/s.exec(source) ?? [];
	const keys = new Map(
		[...source.matchAll(/^\t(\w+): setting\("(\w+)"/gm)].map(([, ...pair]) => pair),
	);
	const each = /^\t\/\*\*(.*?)\*\/\n\t"?([\w-]+)"?\?: ([^;]+);/gms;
	return [...body.matchAll(each)].map(([, comment, name, type]) => {
		const words = comment
			.replace(/\s*\n\t \*\s?/g, " ")
			.trim()
			.replace(/\.$/, "")
			.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
		const meaning = keys.has(name)
			? `${words}; \`${keys.get(name)}\` in a link`
			: words;
		const text = type.replace(/ \| (null|undefined)/g, "");
		const values = [...text.matchAll(/"(\w+)"/g)].map(([, value]) => value);
		const isFlag = text.startsWith("boolean");
		return {
			...{ name, meaning, property: PROPERTIES[name] ?? camel(name) },
			...{ text: isFlag ? "boolean" : text, values: isFlag ? [] : values },
		};
	});
}

/** Returns the text of docs/viewer-reference.md with the table of these attributes. */
export function withAttributes(text, attributes) {
	const rows = attributes.map(
		({ name, meaning }) => `| \`${name}\` | ${meaning.replaceAll("|", "\\|")} |`,
	);
	return text.replace(
		/(\n\| attribute \| meaning \|\n\| --- \| --- \|\n)(?:\|[^\n]*\n)*/,
		(_, head) => `${head}${rows.join("\n")}\n`,
	);
}

const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the parts: the names in the paragraph that begins with "Parts for". */
function partsOf(text) {
	const [, paragraph = ""] =
		/\nParts for `::part\(\)`: ([\s\S]*?)\.\s/.exec(text) ?? [];
	return [...paragraph.matchAll(/`([\w-]+)`(?: \(([^)]*)\))?/g)].map(
		([, name, description]) => ({ name, ...(description && { description }) }),
	);
}

/** Everything that a page can use of the viewer. */
export function viewerApi() {
	const text = read(DOCS);
	const attributes = attributesOf(read(ATTRIBUTES)).map((one) => ({
		...one,
		description: plain(one.meaning),
	}));
	const tokens = entries(table(text, "token")).map(({ name, description, cells }) => {
		const [, meaning, dark = "", light = ""] = cells;
		return {
			name,
			description: `${plain(meaning)} (dark ${plain(dark)}, light ${plain(light)})`,
			value: plain(dark) || description,
		};
	});
	return {
		attributes,
		members: entries(table(text, "property or method")),
		events: entries(table(text, "event")),
		slots: entries(table(text, "slot")),
		parts: partsOf(text),
		tokens,
	};
}

/** The viewer as a custom elements manifest. */
function customElements({ attributes, members, events, slots, parts, tokens }) {
	const declaration = {
		kind: "class",
		customElement: true,
		name: "Viewer",
		tagName: "bev-viewer",
		description: "A viewer of bird's-eye-view driving data sets.",
		attributes: attributes.map(({ name, description, text, property }) => ({
			name,
			description,
			type: { text },
			fieldName: property,
		})),
		members: [
			...attributes.map(({ name, description, text, property }) => ({
				kind: "field",
				name: property,
				description,
				type: { text },
				attribute: name,
			})),
			...members.map(({ name, description }) => {
				const [, method, given] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
				if (method === undefined) return { kind: "field", name, description };
				const names = given.startsWith("{") ? ["options"] : given.split(", ");
				const parameters = names.filter(Boolean).map((one) => ({ name: one }));
				return { kind: "method", name: method, description, parameters };
			}),
		],
		events: events.map(({ name, description }) => ({
			name,
			description,
			type: { text: `CustomEvent<ViewerEventDetails["${name}"]>` },
		})),
		slots: slots.map(({ name, description }) => ({ name, description })),
		cssParts: parts,
		cssProperties: tokens.map(({ name, description, value }) => ({
			name,
			description,
			default: value,
		})),
	};
	const path = "index.js";
	const exported = { name: "Viewer", module: path };
	return {
		schemaVersion: "1.0.0",
		modules: [
			{
				kind: "javascript-module",
				path,
				declarations: [declaration],
				exports: [
					{ kind: "js", name: "Viewer", declaration: exported },
					{
						kind: "custom-element-definition",
						name: "bev-viewer",
						declaration: exported,
					},
				],
			},
		],
	};
}

/** VS Code's HTML data. */
function htmlData({ attributes }) {
	return {
		version: 1.1,
		tags: [
			{
				name: "bev-viewer",
				description: "A viewer of bird's-eye-view driving data sets.",
				attributes: attributes.map(({ name, description, text, values }) => ({
					name,
					description,
					...(values.length > 0 && {
						values: values.map((value) => ({ name: value })),
					}),
					...(text === "boolean" && { valueSet: "v" }),
				})),
			},
		],
	};
}

/** VS Code's CSS data. */
function cssData({ tokens, parts }) {
	const named = parts.map(({ name }) => name).join(", ");
	return {
		version: 1.1,
		properties: tokens.map(({ name, description }) => ({ name, description })),
		pseudoElements: [
			{ name: "::part()", description: `Parts of bev-viewer: ${named}.` },
		],
	};
}

/** The files by name. */
export function manifests(api = viewerApi()) {
	return {
		"custom-elements.json": customElements(api),
		"html-data.json": htmlData(api),
		"css-data.json": cssData(api),
	};
}

/** Writes the files into `folder`. */
export function writeManifests(folder) {
	for (const [name, content] of Object.entries(manifests()))
		writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, "\t")}\n`);
}

if (process.argv.includes("--write"))
	writeFileSync(at(DOCS), withAttributes(read(DOCS), viewerApi().attributes));
