import { describe, expect, it } from "vitest";
import {
	type ModelState,
	NO_REVIEW,
} from "../../../src/elements/review/review-state.js";
import { splitModels } from "../../../src/elements/viewer/split-pictures.js";

function model(id: number, visible = true): ModelState {
	return {
		...{ id, name: `model ${id}`, address: undefined, slot: id - 1, visible },
		phase: "ready",
		...{ reading: undefined, shape: undefined, report: undefined },
		...{ lines: undefined, linesDue: false, problem: undefined },
	};
}

describe("splitModels", () => {
	const [one, two, three] = [model(1), model(2), model(3)];
	const idsIn = (models: readonly ModelState[], width: number, height: number) => {
		const review = { ...NO_REVIEW, split: true, models };
		return splitModels(review, { width, height }).map(({ id }) => id);
	};

	it("has a picture for each visible model", () => {
		expect(idsIn([one, two], 440, 160)).toEqual([1, 2]);
		expect(idsIn([one, model(2, false), three], 440, 160)).toEqual([1, 3]);
		expect(idsIn([one, two, three, model(4)], 440, 320)).toEqual([1, 2, 3, 4]);
	});

	it("has one picture if they do not fit, or if there is one model", () => {
		expect(idsIn([one, two], 439, 160)).toEqual([]);
		expect(idsIn([one, two], 440, 159)).toEqual([]);
		expect(idsIn([one, two, three], 659, 500)).toEqual([]);
		expect(idsIn([one], 2000, 2000)).toEqual([]);
		const review = { ...NO_REVIEW, models: [one, two] };
		expect(splitModels(review, { width: 2000, height: 2000 })).toEqual([]);
	});
});
