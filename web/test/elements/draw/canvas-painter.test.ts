import { describe, expect, it } from "vitest";
import { visibilityOf } from "../../../src/elements/agents/summary.js";
import { paint } from "../../../src/elements/draw/canvas-painter.js";
import type { Palette } from "../../../src/elements/draw/palette.js";
import { type Picture, projectionOf } from "../../../src/elements/draw/picture.js";
import { SMALLEST, screenBox } from "../../../src/elements/draw/shapes.js";
import { DEFAULT_LAYERS, toggled } from "../../../src/elements/layers/layer-set.js";
import {
	DEFAULT_CAMERA,
	screenFromWorld,
	viewOf,
} from "../../../src/elements/scene-view/camera.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";
import { fakeFrame } from "../../support/fake-dataset.js";
import { withoutEgo } from "../../support/virtual-ego.js";

type Call = readonly [name: string, ...args: unknown[]];

/** Records every call with the current colours. */
function recorder() {
	const calls: Call[] = [];
	const state: Record<string, unknown> = {};
	const ctx = new Proxy(state, {
		get: (target, name) => {
			if (name in target) return target[name as string];
			if (name === "measureText") return () => ({ width: 50 });
			return (...args: unknown[]) => {
				const painted =
					name === "fill" || name === "fillRect" ? target.fillStyle : undefined;
				calls.push([String(name), ...args, ...(painted ? [painted] : [])]);
			};
		},
		set: (target, name, value) => {
			target[name as string] = value;
			return true;
		},
	});
	return { calls, ctx: ctx as unknown as CanvasRenderingContext2D };
}

const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
const frame = fakeFrame(0, 10, 12);
const [x = 0, y = 0] = frame.ego.centroid;
const pose = { x, y, yaw: frame.ego.yaw };
const size = { width: 600, height: 400 };

function picture(changes: Partial<Picture> = {}): Picture {
	const layers = changes.layers ?? DEFAULT_LAYERS;
	return {
		view: viewOf(DEFAULT_CAMERA, "heading", pose, size),
		density: 2,
		palette,
		layers,
		map: undefined,
		laneColours: undefined,
		aerial: undefined,
		predictions: [],
		frame,
		visibility: visibilityOf(frame, { ...EMPTY_STATE, layers }),
		selection: undefined,
		hover: undefined,
		measured: [],
		labelOf: (of) => `label of ${of}`,
		...changes,
	};
}

function fills(of: Picture): unknown[] {
	const { calls, ctx } = recorder();
	paint(ctx, of);
	const painted = calls.filter(([name]) => name === "fill").map((call) => call.at(-1));
	// The area under the boxes is cleared; windscreens have the ground's colour.
	return painted.filter((colour) => colour !== "road" && colour !== "ground");
}

describe("paint", () => {
	it("draws classes in order, the ego last", () => {
		expect(fills(picture())).toEqual([
			"other",
			"pedestrian",
			"cyclist",
			"vehicle",
			"ego",
		]);
	});

	it("draws velocities from the front, as long as one second of travel", () => {
		const { calls, ctx } = recorder();
		const of = picture({ layers: new Set(["ego"]) });
		paint(ctx, of);
		const scale = of.view.pixelsPerMetre;
		const at = calls.findIndex(([name]) => name === "lineTo");
		const [[, x0, y0], [, x1, y1]] = [calls[at - 1] ?? [""], calls[at] ?? [""]];
		const length = Math.hypot(Number(x1) - Number(x0), Number(y1) - Number(y0));
		expect(length).toBeCloseTo(frame.ego.speed * scale, 6);
	});

	it("draws brake lights of the ego and of the selected agent that brake", () => {
		const lights = (braking: Picture["braking"]) => {
			const of = picture({ braking, selection: frame.agents.track_id[0] });
			return fills(of).filter((colour) => colour === "red").length;
		};
		expect(lights(undefined)).toBe(0);
		expect(lights({ ego: true, selection: false })).toBe(1);
		expect(lights({ ego: true, selection: true })).toBe(2);
	});

	it("draws a grid only if told that there is no map", () => {
		const strokes = (grid: boolean) => {
			const { calls, ctx } = recorder();
			paint(ctx, picture({ frame: undefined, visibility: new Uint8Array(), grid }));
			return calls.filter(([name]) => name === "stroke").length;
		};
		expect(strokes(false)).toBe(0);
		expect(strokes(true)).toBe(1);
	});

	it("draws no ego vehicle where there is none", () => {
		const { ctx, calls } = recorder();
		paint(ctx, picture({ frame: withoutEgo(frame), selection: "ego" }));
		expect(calls.filter((call) => call.at(-1) === "ego")).toEqual([]);
		expect(calls.flat().filter(Number.isNaN)).toEqual([]);
	});

	it("skips hidden layers", () => {
		const layers = toggled(toggled(DEFAULT_LAYERS, "vehicle"), "ego");
		expect(fills(picture({ layers }))).toEqual(["other", "pedestrian", "cyclist"]);
	});

	it("names tracks with a role, whose labels say it when they are selected", () => {
		const track = frame.agents.track_id[1] ?? 0n;
		const texts = (changes: Partial<Picture>): unknown[] => {
			const { calls, ctx } = recorder();
			paint(ctx, picture({ roles: new Map([[track, "focal"]]), ...changes }));
			return calls.filter(([name]) => name === "fillText").map((call) => call[1]);
		};
		expect(texts({})).toEqual(["focal"]);
		const view = { ...picture().view, width: 1, height: 1 };
		expect(texts({ view })).toEqual([]);
		expect(texts({ selection: track })).toEqual([`label of ${track}`]);
		expect(texts({ visibility: new Uint8Array(12) })).toEqual([]);
	});

	it("draws only the ground without a frame", () => {
		const { calls, ctx } = recorder();
		paint(ctx, picture({ frame: undefined, visibility: new Uint8Array() }));
		expect(calls).toEqual([
			["setTransform", 2, 0, 0, 2, 0, 0],
			["fillRect", 0, 0, 600, 400, "ground"],
		]);
	});

	it("places the ego's corners, which are rounded, by the camera", () => {
		const { calls, ctx } = recorder();
		const of = picture();
		paint(ctx, of);
		const drawn = calls.filter(([name]) => name === "moveTo" || name === "lineTo");
		for (let k = 0; k < 4; k += 1) {
			const [cx = 0, cy = 0] = frame.ego.corners.subarray(2 * k, 2 * k + 2);
			const at = screenFromWorld(of.view, cx, cy);
			const near = drawn.some(
				([, px, py]) => Math.hypot(Number(px) - at.x, Number(py) - at.y) < 1.5,
			);
			expect(near, `corner ${k}`).toBe(true);
		}
	});

	it("labels the selected and hovered objects inside the picture", () => {
		const { calls, ctx } = recorder();
		paint(ctx, picture({ selection: "ego", hover: 1n }));
		const texts = calls.filter(([name]) => name === "fillText");
		expect(texts.map(([, text]) => text)).toEqual(["label of 1", "label of ego"]);
		for (const [, , tx, ty] of texts) {
			expect(Number(tx)).toBeGreaterThan(0);
			expect(Number(tx)).toBeLessThan(600);
			expect(Number(ty)).toBeLessThan(400);
		}
	});

	it("does not label hidden objects", () => {
		const { calls, ctx } = recorder();
		paint(ctx, picture({ selection: 5n, hover: 99n }));
		expect(calls.some(([name]) => name === "fillText")).toBe(false);
	});

	it("draws the measured length between two points", () => {
		const { calls, ctx } = recorder();
		paint(
			ctx,
			picture({
				measured: [
					{ x, y },
					{ x: x + 3, y: y + 4 },
				],
			}),
		);
		const texts = calls.filter(([name]) => name === "fillText");
		expect(texts.map(([, text]) => text)).toEqual(["5.00 m"]);
		const one = recorder();
		paint(one.ctx, picture({ measured: [{ x, y }] }));
		expect(one.calls.some(([name]) => name === "fillText")).toBe(false);
	});

	it("draws boxes at least at their minimum size", () => {
		const far = viewOf({ ...DEFAULT_CAMERA, span: 20_000 }, "position", pose, size);
		const { ctx } = recorder();
		const brush = { ctx, picture: picture(), projection: projectionOf(far) };
		for (let i = 0; i < frame.agents.length; i += 1) {
			const box = screenBox(brush, frame.agents.corners, i);
			expect(Math.max(box.length, box.width)).toBeCloseTo(SMALLEST, 6);
		}
	});
});
