import { describe, expect, it } from "vitest";
import { NO_RASTER } from "../../../src/elements/raster/raster-state.js";
import { derived, NO_REVIEW } from "../../../src/elements/review/review-state.js";
import { DEFAULT_CAMERA } from "../../../src/elements/scene-view/camera.js";
import {
	cleared,
	EMPTY_STATE,
	type ViewerState,
} from "../../../src/elements/session/state.js";

const SETTINGS = {
	theme: "dark",
	coords: "ego",
	speed: 2,
	loop: true,
	layers: new Set(["ego"]),
	past: 5,
	future: 7,
	threshold: 0.25,
	distance: 30,
	minHistory: 1,
	minFuture: 2,
} as const satisfies Partial<ViewerState>;

describe("session/state", () => {
	it("keeps settings for the next data set, and nothing else", () => {
		const state: ViewerState = {
			...EMPTY_STATE,
			...SETTINGS,
			phase: "ready",
			scene: 3,
			sceneCount: 4,
			frame: 5,
			section: { begin: 1, end: 2 },
			playing: true,
			stalled: true,
			mapState: "present",
			mapAddress: "map.pb",
			aerialState: "absent",
			camera: { ...DEFAULT_CAMERA, x: 1 },
			measured: [],
			selection: 7n,
			hover: "ego",
			trackLengthsDue: true,
			query: "car",
			bytes: 1,
			notices: ["one"],
		};
		expect(cleared(state)).toEqual({ ...EMPTY_STATE, ...SETTINGS });
	});

	it("keeps the follow mode only if it needs no place or agent", () => {
		const next = (follow: ViewerState["follow"]) =>
			cleared({ ...EMPTY_STATE, follow }).follow;
		expect(next("heading")).toBe("heading");
		expect(next("free")).toBe("position");
		expect(next("selected")).toBe("position");
	});

	it("keeps predictions without the previous data set's scores", () => {
		const model = {
			...{ id: 1, name: "a.csv", address: undefined, slot: 0, visible: true },
			phase: "ready",
			...{ reading: undefined, shape: undefined, report: undefined },
			...{ lines: undefined, linesDue: true, problem: undefined },
		} as const;
		const review = derived({
			...NO_REVIEW,
			models: [model],
			by: "ade",
			list: "all",
			ranking: {
				...{ running: true, done: 1, all: 2, leftOut: [], problem: undefined },
				...{ reports: new Map(), comparison: undefined },
			},
		});
		const raster = { ...NO_RASTER, footprint: true };
		const state = cleared({ ...EMPTY_STATE, review, raster });
		expect(state.review).toEqual({
			...review,
			models: [{ ...model, linesDue: false }],
			list: "agents",
			linesDue: false,
			ranking: undefined,
		});
		expect(state.raster).toBe(raster);
	});
});
