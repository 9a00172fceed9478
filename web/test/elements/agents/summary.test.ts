import { describe, expect, it } from "vitest";
import { NO_MINIMA } from "../../../src/elements/agents/agents-state.js";
import {
	countsOf,
	DIMMED,
	DROPPED,
	HIDDEN,
	SHOWN,
	summaryOf,
	visibilityOf,
} from "../../../src/elements/agents/summary.js";
import { DEFAULT_LAYERS, toggled } from "../../../src/elements/layers/layer-set.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";
import { fakeDataset, fakeFrame } from "../../support/fake-dataset.js";

const frame = fakeFrame(0, 10, 12);
const everywhere = Number.POSITIVE_INFINITY;
const anyone = { query: "", dataset: fakeDataset().dataset };
const all = { ...NO_MINIMA, ...anyone, distance: everywhere };

describe("summary", () => {
	it("hides agents by filter or layer", () => {
		const layers = toggled(DEFAULT_LAYERS, "cyclist");
		const visibility = visibilityOf(frame, { ...all, layers });
		expect(visibility[0]).toBe(SHOWN);
		expect(visibility[3]).toBe(HIDDEN); // a cyclist
		expect(visibility[4]).toBe(HIDDEN); // below the label threshold
	});

	it("shows filtered-out agents if their layer is on", () => {
		const layers = toggled(DEFAULT_LAYERS, "dropped");
		expect(visibilityOf(frame, { ...all, layers })[4]).toBe(DROPPED);
		expect(
			visibilityOf(frame, { ...all, layers, distance: 0 }).every((v) => v === DROPPED),
		).toBe(true);
	});

	it("shows the selection, dimmed if filtered out", () => {
		const layers = toggled(DEFAULT_LAYERS, "cyclist");
		const seen = (index: number) => {
			const selection = frame.agents.track_id[index];
			return visibilityOf(frame, { ...all, layers, selection })[index];
		};
		expect([seen(0), seen(3), seen(4)]).toEqual([SHOWN, DROPPED, DROPPED]);
	});

	it("dims agents that do not match Find", () => {
		const found = visibilityOf(frame, {
			...all,
			layers: DEFAULT_LAYERS,
			query: "truck",
		});
		expect(found[0]).toBe(DIMMED);
		expect([...frame.agents.track_id].filter((_, i) => found[i] === SHOWN)).toEqual([
			3n,
			9n,
		]);
	});

	it("counts unfiltered agents by class", () => {
		expect(countsOf(frame, { ...NO_MINIMA, distance: everywhere })).toEqual({
			vehicle: 6,
			cyclist: 1,
			pedestrian: 1,
			other: 2,
			kept: 10,
			total: 12,
		});
		expect(countsOf(frame, { ...NO_MINIMA, distance: 0 }).kept).toBe(0);
	});

	it("describes the counts", () => {
		const words = summaryOf({ ...EMPTY_STATE, shown: frame });
		expect(words).toBe("6 vehicles, 1 cyclist, 1 pedestrian, 2 other");
		expect(summaryOf(EMPTY_STATE)).toBe("no frame");
	});
});
