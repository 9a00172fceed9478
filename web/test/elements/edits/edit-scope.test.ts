import { describe, expect, it } from "vitest";
import {
	actionSpan,
	moveSpan,
	presenceSpan,
} from "../../../src/elements/edits/edit-scope.js";

describe("edits/edit-scope", () => {
	it("moves what stands in the whole scene, what drives gradually", () => {
		expect(moveSpan("auto", { frame: 40, speed: 0.1 })).toEqual({});
		expect(moveSpan("auto", { frame: 40, speed: 8 })).toEqual({ from: 40, ease: 20 });
		expect(moveSpan("auto", { frame: 40, speed: Number.NaN })).toEqual({
			...{ from: 40, ease: 20 },
		});
		expect(moveSpan("auto", { frame: 3, speed: 8 })).toEqual({ from: 3, ease: 3 });
	});

	it("does as chosen", () => {
		const place = { frame: 40, speed: 8 };
		expect(moveSpan("scene", place)).toEqual({});
		expect(moveSpan("once", place)).toEqual({ from: 40 });
		expect(moveSpan("ease", { frame: 0, speed: 0 })).toEqual({});
		expect(actionSpan("auto", 40)).toEqual({ from: 40 });
		expect(actionSpan("scene", 40)).toEqual({});
		expect(presenceSpan("auto", 40)).toEqual({});
		expect(presenceSpan("once", 40)).toEqual({ from: 40 });
	});
});
