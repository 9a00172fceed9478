import { describe, expect, it } from "vitest";
import type { FrameView } from "../../../../src/dataset/frame-view.js";
import type { MapView } from "../../../../src/dataset/map-view.js";
import { visibilityOf } from "../../../../src/elements/agents/summary.js";
import type { Palette } from "../../../../src/elements/draw/palette.js";
import {
	type Brush,
	type Picture,
	projectionOf,
	type TextBrush,
} from "../../../../src/elements/draw/picture.js";
import {
	heightOf,
	lightSolids,
	solidOf,
} from "../../../../src/elements/draw/tilt/scene-solids.js";
import { SOLIDS } from "../../../../src/elements/draw/tilt/tilt.js";
import { DEFAULT_LAYERS, toggled } from "../../../../src/elements/layers/layer-set.js";
import {
	DEFAULT_CAMERA,
	screenFromWorld,
	viewOf,
} from "../../../../src/elements/scene-view/camera.js";
import { EMPTY_STATE } from "../../../../src/elements/session/state.js";
import { fakeFrame } from "../../../support/fake-dataset.js";

const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
const frame = fakeFrame(0, 10, 12);
const [x = 0, y = 0] = frame.ego.centroid;
const pose = { x, y, yaw: frame.ego.yaw };
const TILT = Math.PI / 4;

function picture(changes: Partial<Picture> = {}, tilt = TILT): Picture {
	const layers = changes.layers ?? DEFAULT_LAYERS;
	const camera = { ...DEFAULT_CAMERA, span: 60, tilt };
	return {
		view: viewOf(camera, "heading", pose, { width: 600, height: 400 }),
		...{ density: 1, palette, layers, map: undefined, laneColours: undefined },
		...{ aerial: undefined, predictions: [], frame },
		visibility: visibilityOf(frame, { ...EMPTY_STATE, layers }),
		...{ selection: undefined, hover: undefined, measured: [] },
		labelOf: (of) => `label of ${of}`,
		...changes,
	};
}

/** Returns the colours of fills and strokes, the dashes of strokes, and the text. */
function painted(of: Picture, what: "paint" | "paintOver" = "paint"): string[] {
	const calls: string[] = [];
	const state: Record<string, unknown> = {
		fill: () => calls.push(`fill ${state.fillStyle}`),
		stroke: () => calls.push(`stroke ${state.strokeStyle}${state.dash ?? ""}`),
		setLineDash: (dash: number[]) => {
			state.dash = dash.length > 0 ? ` ${dash.join(" ")}` : undefined;
		},
		fillText: (text: string) => calls.push(`text ${text}`),
		measureText: () => ({ width: 8 }),
	};
	const ctx = new Proxy(state, { get: (target, name: string) => target[name] ?? noop });
	const brush = { ctx, picture: of, projection: projectionOf(of.view) };
	SOLIDS[what](brush as unknown as Brush & TextBrush);
	return calls;
}

function noop(): void {}

function unseen(): never {
	throw new Error("the light is not in the picture");
}

/** A map with one light. */
function mapWith(id: string, position: [number, number]): MapView {
	return {
		lights: { length: 1, id: [id], position: Float64Array.from(position) },
		faces: { length: 1, id: ["face"], colour: Uint8Array.of(1) },
	} as unknown as MapView;
}

/** The frame with a light whose only face has this state. */
function lit(id: string, state: number): FrameView {
	return {
		...frame,
		lights: {
			...{ length: 1, face_id: ["face"], traffic_light_id: [id] },
			...{ state: Uint8Array.of(state), status: Float32Array.of(1, 0, 0) },
		},
	};
}

describe("heights", () => {
	it("are the recorded ones", () => {
		expect(heightOf(frame, 0)).toBeCloseTo(1.6, 6);
		expect(heightOf(frame, 2)).toBe(3);
	});

	it("have a default by class where the data has none", () => {
		const extent = frame.agents.extent.map((value, i) => (i % 3 === 2 ? 0 : value));
		const agents = { ...frame.agents, extent };
		const heights = [0, 3, 4, 5].map((i) => heightOf({ ...frame, agents }, i));
		expect(heights).toEqual([1.6, 1.7, 1.75, 1.5]);
		extent[2] = Number.NaN;
		expect(heightOf({ ...frame, agents }, 0)).toBe(1.6);
	});

	it("reach up by the sine of the tilt", () => {
		const of = picture();
		const solid = solidOf(of, 3n);
		const metres = 3;
		expect(solid?.high).toBeCloseTo(
			metres * Math.sin(TILT) * of.view.pixelsPerMetre,
			4,
		);
	});
});

describe("a tilted picture", () => {
	it("has the footprints where the ground is", () => {
		const of = picture();
		const solid = solidOf(of, "ego");
		const { ego } = frame;
		for (const k of [0, 1, 2, 3] as const) {
			const [wx = 0, wy = 0] = ego.corners.subarray(2 * k, 2 * k + 2);
			const at = screenFromWorld(of.view, wx, wy);
			expect(solid?.box.x[k]).toBeCloseTo(at.x, 6);
			expect(solid?.box.y[k]).toBeCloseTo(at.y, 6);
		}
	});

	it("paints a box and its sides, the front marked on its top", () => {
		const calls = painted(picture({ layers: new Set(["ego"]) }));
		// The ego drives away from the viewer: only its rear is visible.
		expect(calls).toEqual([
			"stroke ego", // its velocity
			"fill ego",
			"fill #000",
			"stroke ground",
			"fill ground",
		]);
	});

	it("marks a front that faces the viewer", () => {
		const turned = { ...frame.ego, corners: frame.ego.corners.slice() };
		turned.corners.set([
			...turned.corners.subarray(4),
			...turned.corners.subarray(0, 4),
		]);
		const of = picture({ layers: new Set(["ego"]), frame: { ...frame, ego: turned } });
		expect(painted(of).slice(-2)).toEqual(["fill ground", "fill ground"]);
	});

	it("leaves filtered-out agents and those not found flat", () => {
		const layers = toggled(new Set(["dropped"] as const), "vehicle");
		const filter = { ...EMPTY_STATE, layers, query: "nothing" };
		const calls = painted(picture({ layers, visibility: visibilityOf(frame, filter) }));
		expect(calls[0]).toBe("stroke ink3 2 2");
		expect(new Set(calls.slice(1))).toEqual(new Set(["fill vehicle"]));
		const of = picture({ visibility: visibilityOf(frame, filter), layers });
		expect(solidOf(of, 1n)?.high).toBe(0);
	});

	it("paints brake lights", () => {
		const red = (braking: Picture["braking"]) =>
			painted(picture({ braking, selection: 1n })).filter(
				(call) => call === "fill red",
			);
		expect(red({ ego: false, selection: false })).toHaveLength(0);
		expect(red({ ego: true, selection: true })).toHaveLength(2);
	});

	it("outlines a visible agent around its box, and no hidden one", () => {
		const of = picture();
		const brush = { picture: of } as Brush;
		const solid = solidOf(of, 3n);
		const outline = SOLIDS.outlineOf(brush, 3n);
		expect(outline?.box.cy).toBeCloseTo(
			(solid?.box.cy ?? 0) - (solid?.high ?? 0) / 2,
			9,
		);
		const hidden = picture({ visibility: new Uint8Array(12) });
		expect(SOLIDS.outlineOf({ picture: hidden } as Brush, 3n)).toBeUndefined();
		const bare = picture({ layers: new Set() });
		expect(SOLIDS.outlineOf({ picture: bare } as Brush, "ego")).toBeUndefined();
	});
});

describe("traffic lights", () => {
	const map = mapWith("light", [x + 5, y]);

	it("stand where the map has them, in the colour that the frame says", () => {
		const of = picture({ map, frame: lit("light", 0), layers: new Set(["lights"]) });
		expect(painted(of)).toEqual(["stroke ink3", "fill green"]);
		const [solid] = lightSolids(of.view, lit("light", 0), map);
		const at = screenFromWorld(of.view, x + 5, y);
		expect(solid?.box.cx).toBeCloseTo(at.x, 6);
		expect(solid?.box.cy).toBeCloseTo(at.y, 6);
		const up = of.view.pixelsPerMetre * Math.sin(TILT);
		expect([solid?.low, solid?.high]).toEqual([3.6 * up, 5 * up]);
	});

	it("have their letter, also if no face is active", () => {
		const letter = (state: number) => {
			const of = { map, frame: lit("light", state), layers: DEFAULT_LAYERS };
			return painted(picture(of), "paintOver").filter((call) =>
				call.startsWith("text"),
			);
		};
		expect([0, 1, 2].flatMap(letter)).toEqual(["text G", "text –", "text ?"]);
	});

	it("are left out if the map or the frame lacks them, or the layer is off", () => {
		const lights = new Set(["lights"] as const);
		const other = { map, frame: lit("another", 0), layers: lights };
		expect(painted(picture(other))).toEqual([]);
		expect(painted(picture({ frame: lit("light", 0), layers: lights }))).toEqual([]);
		const off = { map, frame: lit("light", 0), layers: new Set<never>() };
		expect(painted(picture(off))).toEqual([]);
		expect(painted(picture(off), "paintOver")).toEqual([]);
	});

	it("are picked at their box", () => {
		const of = picture({ map, frame: lit("light", 0) });
		const [solid] = lightSolids(of.view, lit("light", 0), map);
		const at = { x: solid?.box.cx ?? 0, y: (solid?.box.cy ?? 0) - (solid?.high ?? 0) };
		const none = new Uint8Array(12);
		const what = { frame: lit("light", 0), visibility: none, ego: false };
		expect(SOLIDS.pickedLight(what, of.view, at, map)).toBe("light");
		const below = { ...at, y: at.y + 30 };
		expect(SOLIDS.pickedLight(what, of.view, below, map)).toBeUndefined();
	});

	it("are not picked behind an agent", () => {
		const extent = frame.agents.extent.slice();
		extent[8] = 30; // of agent 2, which hides the light
		const tall = { ...lit("light", 0), agents: { ...frame.agents, extent } };
		const [cx = 0, cy = 0] = frame.agents.centroid.subarray(4, 6);
		const [dx, dy] = [6 * Math.cos(pose.yaw), 6 * Math.sin(pose.yaw)];
		const behind = mapWith("light", [cx + dx, cy + dy]);
		const { view } = picture();
		const [{ box, low, high } = unseen()] = lightSolids(view, tall, behind);
		const at = { x: box.cx, y: box.cy - (low + high) / 2 };
		const pickedWith = (visible: number) => {
			const visibility = new Uint8Array(12);
			visibility[2] = visible;
			const what = { frame: tall, visibility, ego: false };
			return SOLIDS.pickedLight(what, view, at, behind);
		};
		expect(pickedWith(1)).toBeUndefined();
		expect(pickedWith(0)).toBe("light");
	});
});

describe("picking in a tilted picture", () => {
	it("finds an agent at its top, and none where it is hidden", () => {
		const of = picture();
		const solid = solidOf(of, 3n);
		const at = { x: solid?.box.cx ?? 0, y: (solid?.box.cy ?? 0) - (solid?.high ?? 0) };
		const { visibility, view } = of;
		const pickable = { frame, visibility, ego: true };
		expect(SOLIDS.picked(pickable, view, at, 0)).toBe(3n);
		const hidden = { ...pickable, visibility: new Uint8Array(12) };
		expect(SOLIDS.picked(hidden, view, at, 0)).toBeUndefined();
	});
});
