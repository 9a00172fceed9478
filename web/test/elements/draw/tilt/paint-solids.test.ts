import { describe, expect, it } from "vitest";
import { visibilityOf } from "../../../../src/elements/agents/summary.js";
import {
	type Brush,
	type Picture,
	projectionOf,
	type TextBrush,
} from "../../../../src/elements/draw/picture.js";
import {
	lightSolids,
	solidOf,
} from "../../../../src/elements/draw/tilt/scene-solids.js";
import { SOLIDS } from "../../../../src/elements/draw/tilt/tilt.js";
import { DEFAULT_LAYERS, toggled } from "../../../../src/elements/layers/layer-set.js";
import { screenFromWorld } from "../../../../src/elements/scene-view/camera.js";
import { EMPTY_STATE } from "../../../../src/elements/session/state.js";
import { frame, lit, mapWith, picture, pose, TILT } from "./tilted-picture.js";

const { x, y } = pose;

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

describe("a tilted picture", () => {
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
});
