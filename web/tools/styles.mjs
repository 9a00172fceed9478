// Removes comments and white space from the style sheets in dist's scripts, which
// bundlers leave as they are. Lines after a style sheet keep their numbers for source maps.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/elements/", import.meta.url);
const SHEET = /\bcss `([^`$\\]*)`/g;

function minified(text) {
	const plain = text
		.replace(/\/\*[\s\S]*?\*\//g, "")
		.replace(/\s+/g, " ")
		.replace(/ ?([{};]) ?/g, "$1")
		.replace(/([:,]) /g, "$1")
		.replaceAll(";}", "}")
		.trim();
	return `css \`${plain}\`${"\n".repeat(text.split("\n").length - 1)}`;
}

for (const file of readdirSync(dist, { recursive: true })) {
	if (!file.endsWith(".js")) continue;
	const url = new URL(file, dist);
	const script = readFileSync(url, "utf8");
	const short = script.replace(SHEET, (_, text) => minified(text));
	if (short !== script) writeFileSync(url, short);
}
