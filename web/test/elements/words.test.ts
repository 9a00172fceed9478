import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type VisibleWords, visibleWords } from "../support/visible-words.js";

const ELEMENTS = fileURLToPath(new URL("../../src/elements", import.meta.url));

/** Every text that the viewer may display. */
const WORDS: readonly VisibleWords[] = readdirSync(ELEMENTS, { recursive: true })
	.map(String)
	.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
	.flatMap((file) => visibleWords(file, readFileSync(`${ELEMENTS}/${file}`, "utf8")));

/** Words of the core, of which a person should hear nothing. */
const CORE_WORDS: readonly RegExp[] = [
	/\(expected one\)/,
	/\bknown class/i,
	/^(Known|Most|Least|Kept)$/,
	/\b(fill value|nullopt|errc|invalid_\w+|known_probability|kMax\w+)\b(?=.* )/i,
];

/** Numbers above 1, and those of files that are no numbers of things. */
const LIMIT = /^(MAX|MIN)_|^(PAST|FUTURE)$|^\d+$/;

/** Texts that are only displayed for several. */
const SEVERAL: readonly string[] = [
	"{} scenes could not be searched, the first is scene {}: {}",
	"Compare predictions of {} models",
	"Use the {} files",
	"{} of {} cameras",
	"{} of {} fields of points",
];

/** Their numbers are never negative: bytes, durations, lengths. */
const POSITIVE = [
	"session/controls.ts",
	"timeline/clock.ts",
	"draw/paint-overlays.ts",
	"export/gif.ts",
	"raster/raster.ts",
	"ui/words.ts",
];

/** Nouns that are counted. */
const COUNTED =
	/\{\} (?:more )?(agents|cameras|characters|faces|fields|files|frames|hits|lanes|lights|models|notes|pairs|pictures|points|predictions|requests|rows|scenarios|scenes|tracks)\b/;

function found(of: (words: VisibleWords) => boolean): string[] {
	return WORDS.filter(of).map(({ file, text }) => `${file}: ${text}`);
}

describe("words of the viewer", () => {
	it("are found in templates, attributes and messages", () => {
		const code =
			String.raw`const a = html\`<p title="A tip">One $\{n} of $\{"two"}</p>\`;
			css\`.b { c: d }\`; notify(\`Read $\{n} files\`); import('x');`.replaceAll(
				"\\",
				"",
			);
		const texts = visibleWords("a.ts", code).map(({ text, of }) => [text, ...of]);
		expect(texts).toContainEqual(["A tip"]);
		expect(texts).toContainEqual(["One {} of {}", "n", '"two"']);
		expect(texts).toContainEqual(["Read {} files", "n"]);
		expect(texts.flat().join()).not.toContain("c: d");
		expect(WORDS.length).toBeGreaterThan(1000);
	});

	it.each(CORE_WORDS)("have none of the core's: %s", (word) => {
		expect(found(({ text }) => word.test(text))).toEqual([]);
	});

	it("have one minus sign: no hyphen before a number", () => {
		// In filters, which are code, it is one.
		const hyphen = /(?:^|[\s(:])(?<![<>=] )-(?:\d|\{\})/;
		expect(found(({ text }) => text.includes(" ") && hyphen.test(text))).toEqual([]);
	});

	it("have numbers whose minus sign is not a hyphen", () => {
		const isNumber = ({ text, of }: VisibleWords): boolean =>
			/\{\} ?\p{L}/u.test(text) && of.some((one) => /\.toFixed\(/.test(one));
		// Paths of drawings.
		const isPath = ({ text }: VisibleWords): boolean => /^[MLhlvz{}\d .-]+$/.test(text);
		const isSigned = ({ file }: VisibleWords): boolean => !POSITIVE.includes(file);
		expect(found((one) => isNumber(one) && !isPath(one) && isSigned(one))).toEqual([]);
	});

	it("have no plural after a number that may be 1", () => {
		const isOpen = ({ text, of }: VisibleWords): boolean => {
			const before = COUNTED.exec(text);
			if (!before || SEVERAL.includes(text)) return false;
			const at = text.slice(0, before.index).split("{}").length - 1;
			return !LIMIT.test(of[at] ?? "");
		};
		expect(found(isOpen)).toEqual([]);
	});
});
