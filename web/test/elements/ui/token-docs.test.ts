import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PALETTE_NAMES } from "../../../src/elements/draw/palette.js";
import { TOKENS } from "../../../src/elements/ui/tokens.js";

const DOCS = readFileSync(
	new URL("../../../../docs/viewer-reference.md", import.meta.url),
	"utf8",
);

describe("tokens", () => {
	it.each(Object.entries(TOKENS))(
		"--bev-%s is documented with its values",
		(name, of) => {
			const [dark, light] = of;
			const row = DOCS.split("\n").find((line) =>
				line.startsWith(`| \`--bev-${name}\` |`),
			);
			expect(row).toMatch(/\| [a-z][^|]+ \|/);
			expect(row).toContain(`| \`${dark}\` | \`${light}\` |`);
		},
	);

	it("include everything used by the picture", () => {
		const known = [...Object.keys(TOKENS), "sans"];
		expect(PALETTE_NAMES.filter((name) => !known.includes(name))).toEqual([]);
	});
});
