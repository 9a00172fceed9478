import { describe, expect, it } from "vitest";
import {
	DEFAULT_LAYERS,
	isLayer,
	labelName,
	toggled,
} from "../../../src/elements/layers/layer-set.js";

describe("layers", () => {
	it("toggles a layer in a copy of the set", () => {
		const without = toggled(DEFAULT_LAYERS, "ego");
		expect(without.has("ego")).toBe(false);
		expect(DEFAULT_LAYERS.has("ego")).toBe(true);
		expect(toggled(without, "ego")).toEqual(DEFAULT_LAYERS);
	});

	it("knows its names", () => {
		expect(isLayer("lanes")).toBe(true);
		expect(isLayer("toString")).toBe(false);
	});

	it("formats label names", () => {
		expect(labelName("PERCEPTION_LABEL_EMERGENCY_VEHICLE")).toBe("Emergency vehicle");
		expect(labelName("AVRESEARCH_LABEL_DONTCARE")).toBe("Dontcare");
	});

	it("keeps non-string labels", () => {
		expect([7, null, { a: 1 }].map(labelName)).toEqual([
			"7",
			"Null",
			"[object object]",
		]);
	});
});
