import { describe, expect, it } from "vitest";
import { qualityMarks } from "../../src/elements/quality.js";
import { EMPTY_STATE, type ViewerState } from "../../src/elements/state.js";
import type { FrameView } from "../../src/frame-view.js";
import { fakeFrame, fakeMap } from "../support/fake-dataset.js";

function stateAt(seconds: readonly number[]): ViewerState {
	const sceneInfo = {
		index: 0,
		host: "",
		startTime: 0n,
		seconds: Float64Array.from(seconds),
	};
	return { ...EMPTY_STATE, sceneInfo };
}

const tenths = [0, 0.1, 0.2, 0.3, 0.4];
const views = new Map(tenths.map((_, k) => [k, fakeFrame(0, k, 6)]));

function withView(frame: number, change: (view: FrameView) => FrameView) {
	const view = views.get(frame);
	if (!view) throw new Error("no such frame");
	return new Map([...views, [frame, change(view)]]);
}

describe("qualityMarks", () => {
	it("finds nothing in data that is well", () => {
		expect(qualityMarks(stateAt(tenths), views)).toEqual([]);
	});

	it("finds a gap in time and a clock that stands", () => {
		const marks = qualityMarks(stateAt([0, 0.1, 0.5, 0.6, 0.6]), views);
		expect(marks).toEqual([
			{ frame: 2, what: "0.40 s since the frame before" },
			{ frame: 4, what: "Time does not advance" },
		]);
	});

	it("finds a track that jumps, once", () => {
		const frames = withView(2, (view) => {
			const centroid = view.agents.centroid.slice();
			centroid[0] = (centroid[0] ?? 0) + 100;
			return { ...view, agents: { ...view.agents, centroid } };
		});
		const marks = qualityMarks(stateAt(tenths), frames);
		expect(marks.map(({ frame }) => frame)).toEqual([2]);
		expect(marks[0]?.what).toMatch(/^Track 1 jumps \d+\.\d m$/);
	});

	it("finds boxes without size and frames without agents", () => {
		const flat = withView(1, (view) => {
			const extent = view.agents.extent.slice();
			extent[3] = 0;
			return { ...view, agents: { ...view.agents, extent } };
		});
		expect(qualityMarks(stateAt(tenths), flat)).toEqual([
			{ frame: 1, what: "Track 2 has no size" },
		]);
		const empty = withView(3, () => fakeFrame(0, 3, 0));
		expect(qualityMarks(stateAt(tenths), empty)).toEqual([
			{ frame: 3, what: "No agents" },
		]);
	});

	it("finds a face that controls no lane, where there is a map", () => {
		const state = { ...stateAt(tenths), map: fakeMap() };
		expect(qualityMarks(state, views)).toEqual([]);
		const frames = withView(4, (view) => {
			const face_id = ["stray", ...view.lights.face_id.slice(1)];
			return { ...view, lights: { ...view.lights, face_id } };
		});
		expect(qualityMarks(state, frames)).toEqual([
			{ frame: 4, what: "Face stray controls no lane of the map" },
		]);
		expect(qualityMarks(stateAt(tenths), frames)).toEqual([]);
	});
});
