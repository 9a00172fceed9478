import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OLDEST_BROWSERS } from "../../src/loading/floor.js";

const text = (path: string): string =>
	readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

it("is the same in the documents and in the build", () => {
	expect(text("README.md")).toContain(OLDEST_BROWSERS);
	expect(text("ARCHITECTURE.md")).toContain(OLDEST_BROWSERS);
	const targets = OLDEST_BROWSERS.toLowerCase().replaceAll(" ", "").split(",");
	expect(text("web/tools/bundle.mjs")).toContain(
		JSON.stringify(targets).replaceAll(",", ", "),
	);
});
