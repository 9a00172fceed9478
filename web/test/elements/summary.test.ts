import { describe, expect, it } from "vitest";
import { DEFAULT_LAYERS, toggled } from "../../src/elements/pure/layers.js";
import { EMPTY_STATE } from "../../src/elements/state.js";
import {
	countsOf,
	DROPPED,
	HIDDEN,
	SHOWN,
	summaryOf,
	visibilityOf,
} from "../../src/elements/summary.js";
import { fakeFrame } from "../support/fake-dataset.js";

const frame = fakeFrame(0, 10, 12);
const everywhere = Number.POSITIVE_INFINITY;

describe("summary", () => {
	it("hides what a threshold drops or a layer hides", () => {
		const layers = toggled(DEFAULT_LAYERS, "cyclist");
		const visibility = visibilityOf(frame, { layers, distance: everywhere });
		expect(visibility[0]).toBe(SHOWN);
		expect(visibility[3]).toBe(HIDDEN); // a cyclist
		expect(visibility[4]).toBe(HIDDEN); // below the label threshold
	});

	it("shows dropped agents when their layer is on", () => {
		const layers = toggled(DEFAULT_LAYERS, "dropped");
		expect(visibilityOf(frame, { layers, distance: everywhere })[4]).toBe(DROPPED);
		expect(
			visibilityOf(frame, { layers, distance: 0 }).every((v) => v === DROPPED),
		).toBe(true);
	});

	it("shows what is selected, faintly where it would be left out", () => {
		const layers = toggled(DEFAULT_LAYERS, "cyclist");
		const seen = (index: number) => {
			const selection = frame.agents.track_id[index];
			return visibilityOf(frame, { layers, distance: everywhere, selection })[index];
		};
		expect([seen(0), seen(3), seen(4)]).toEqual([SHOWN, DROPPED, DROPPED]);
	});

	it("counts by class what is kept", () => {
		expect(countsOf(frame, everywhere)).toEqual({
			vehicle: 6,
			cyclist: 1,
			pedestrian: 1,
			other: 2,
			kept: 10,
			total: 12,
		});
		expect(countsOf(frame, 0).kept).toBe(0);
	});

	it("puts the counts into words", () => {
		const words = summaryOf({ ...EMPTY_STATE, shown: frame });
		expect(words).toBe("6 vehicles, 1 cyclist, 1 pedestrian, 2 other");
		expect(summaryOf(EMPTY_STATE)).toBe("nothing shown");
	});
});
