import { describe, expect, it } from "vitest";
import { judgePartial } from "../../src/source/content-range.js";

const range = { begin: 100, end: 200 };

describe("source/content-range", () => {
	it("accepts the requested range", () => {
		expect(judgePartial(range, 100, "bytes 100-199/1000").kind).toBe("good");
		expect(judgePartial(range, 100, "bytes 100-199/*").kind).toBe("good");
	});

	it("accepts a range clipped at the object's end", () => {
		expect(judgePartial(range, 50, "bytes 100-149/150").kind).toBe("good");
	});

	it("rejects a range that is shifted, too short, too long or inconsistent", () => {
		const wrong: [number, string][] = [
			[100, "bytes 0-99/1000"],
			[50, "bytes 100-149/1000"],
			[50, "bytes 100-149/*"],
			[200, "bytes 100-299/1000"],
			[99, "bytes 100-199/1000"],
			[100, "items 100-199/1000"],
			[100, "bytes */1000"],
		];
		for (const [length, header] of wrong) {
			expect(judgePartial(range, length, header).kind, header).toBe("wrong");
		}
	});

	it("describes the received range", () => {
		expect(judgePartial(range, 100, "bytes 0-99/1000")).toEqual({
			kind: "wrong",
			found: 'Content-Range "bytes 0-99/1000" with 100 bytes',
		});
	});

	it("compares lengths if the header is hidden", () => {
		expect(judgePartial(range, 100, null).kind).toBe("good");
		expect(judgePartial(range, 99, null).kind).toBe("unclear");
		expect(judgePartial(range, 101, null).kind).toBe("wrong");
	});
});
