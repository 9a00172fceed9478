// Removes comments and white space from the style sheets and templates in dist's scripts,
// which bundlers leave as they are. Lines after them keep their numbers for source maps.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "acorn";

const dist = new URL("../dist/elements/", import.meta.url);
const SHEET = /\bcss `((?:[^`$\\]|\$\{[^{}`]*\})*)`/g;

function minified(text) {
	const parts = text.split(/(\$\{[^}]*\})/).map((part, i) => {
		if (i % 2 === 1) return part; // an expression
		return part
			.replace(/\/\*[\s\S]*?\*\//g, "")
			.replace(/\s+/g, " ")
			.replace(/ ?([{};]) ?/g, "$1")
			.replace(/([:,]) /g, "$1")
			.replaceAll(";}", "}");
	});
	const plain = parts.join("").trim();
	return `css \`${plain}\`${"\n".repeat(text.split("\n").length - 1)}`;
}

/** Yields the static parts of the HTML and SVG templates in a syntax tree. */
function* templateParts(node) {
	if (node?.type === "TaggedTemplateExpression" && /^(html|svg)$/.test(node.tag.name))
		yield* node.quasi.quasis;
	for (const value of Object.values(node ?? {})) {
		for (const child of Array.isArray(value) ? value : [value])
			if (typeof child?.type === "string") yield* templateParts(child);
	}
}

/** Returns a script whose templates are not indented. */
function unindented(script) {
	const options = { ecmaVersion: "latest", sourceType: "module" };
	const parts = [...templateParts(parse(script, options))];
	let text = script;
	for (const { start, end } of parts.sort((a, b) => b.start - a.start)) {
		const plain = text.slice(start, end).replace(/\n[\t ]+/g, "\n");
		text = text.slice(0, start) + plain + text.slice(end);
	}
	return text;
}

for (const file of readdirSync(dist, { recursive: true })) {
	if (!file.endsWith(".js")) continue;
	const url = new URL(file, dist);
	const script = readFileSync(url, "utf8");
	const short = unindented(script.replace(SHEET, (_, text) => minified(text)));
	if (short !== script) writeFileSync(url, short);
}
