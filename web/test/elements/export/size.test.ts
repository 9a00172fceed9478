import { expect, it } from "vitest";
import { isSameSize } from "../../../src/elements/export/size.js";

it("sizes of another width, height or density differ", () => {
	const size = { width: 640, height: 480, density: 2 };
	expect(isSameSize({ ...size }, size)).toBe(true);
	for (const other of [{ width: 1 }, { height: 1 }, { density: 1 }])
		expect(isSameSize({ ...size, ...other }, size)).toBe(false);
	expect(isSameSize(undefined, size)).toBe(false);
});
