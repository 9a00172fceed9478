import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Palette } from "../../../src/elements/draw/palette.js";
import { type Picture, projectionOf } from "../../../src/elements/draw/picture.js";
import { PredictionLayer } from "../../../src/elements/draw/prediction-layer.js";
import { DEFAULT_LAYERS } from "../../../src/elements/layers/layer-set.js";
import type { ModelLines } from "../../../src/elements/review/model-lines.js";
import type { Drawing } from "../../../src/reviewing/drawing.js";
import { fakeFrame } from "../../support/fake-dataset.js";

interface FakePixels {
	readonly by: "page" | "worker";
	closed: boolean;
	close(): void;
}

function pixels(by: FakePixels["by"]): FakePixels {
	const made: FakePixels = { by, closed: false, close: () => (made.closed = true) };
	return made;
}

/** A model's only line, predicted in `frame`. */
function lines(frame: number, slot = 0): ModelLines {
	const none = { points: new Float64Array(), offsets: Uint32Array.of(0) };
	const modes = {
		points: Float64Array.of(0, 0, 5, 5),
		offsets: Uint32Array.of(0, 2),
	};
	const tracks = BigInt64Array.of(7n);
	const truth = {
		...{ truth: none, truthSteps: new Uint32Array() },
		truthTracks: new BigInt64Array(),
	};
	const confidences = Float64Array.of(1);
	return { model: slot, slot, lines: { frame, modes, tracks, confidences, ...truth } };
}

const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
const view = { x: 0, y: 0, pixelsPerMetre: 4, rotation: 0, width: 300, height: 200 };

function picture(changes: Partial<Picture> = {}): Picture {
	return {
		...{ view, density: 1, palette, layers: DEFAULT_LAYERS, map: undefined },
		...{ laneColours: undefined, aerial: undefined, frame: fakeFrame(0, 4, 0) },
		...{ visibility: new Uint8Array(), predictions: [], selection: undefined },
		...{ hover: undefined, measured: [], labelOf: () => "" },
		...changes,
	};
}

/** A layer, the calls of its canvas, and what it has another thread draw. */
function layered() {
	const asked: {
		readonly drawing: Drawing;
		readonly answer: () => Promise<FakePixels>;
		readonly refuse: () => Promise<void>;
	}[] = [];
	const changed = vi.fn();
	const layer = new PredictionLayer(
		(drawing) =>
			new Promise((resolve, reject) => {
				const answer = async () => {
					const made = pixels("worker");
					resolve(made as unknown as ImageBitmap);
					await new Promise((done) => setTimeout(done));
					return made;
				};
				const refuse = async () => {
					reject(new Error("no worker"));
					await new Promise((done) => setTimeout(done));
				};
				asked.push({ drawing, answer, refuse });
			}),
		changed,
	);
	const paint = (of: Picture, coming: readonly ModelLines[] = [], exact = false) => {
		const drawn: { pixels: FakePixels; alpha: number; at: number[] }[] = [];
		let at: number[] = [];
		const ctx = {
			globalAlpha: 1,
			setTransform: (...matrix: number[]) => {
				at = matrix;
			},
			drawImage: (image: FakePixels) =>
				drawn.push({ pixels: image, alpha: ctx.globalAlpha, at }),
		};
		const brush = { ctx, picture: of, projection: projectionOf(of.view) };
		layer.painterOf({ ctx: ctx as never, coming, exact }).paint(brush as never);
		expect(drawn).toHaveLength(1);
		const [only] = drawn;
		if (!only) throw new Error("nothing drawn");
		return only;
	};
	return { asked, changed, layer, paint };
}

let made = 0;

beforeEach(() => {
	made = 0;
	class Canvas {
		readonly getContext = () => new Proxy({}, { get: () => () => {}, set: () => true });
		transferToImageBitmap(): FakePixels {
			made += 1;
			return pixels("page");
		}
	}
	vi.stubGlobal("OffscreenCanvas", Canvas);
});
afterEach(() => {
	vi.unstubAllGlobals();
});

const now = [lines(4)];
const next = [lines(14)];

describe("PredictionLayer", () => {
	it("draws lines once for all frames, and moves them by whole pixels", () => {
		const { paint, asked, layer } = layered();
		const first = paint(picture({ predictions: now }));
		expect(first).toMatchObject({ alpha: 1, at: [1, -0, 0, 1, -192, -192] });
		const held = picture({
			predictions: now,
			frame: fakeFrame(0, 5, 0),
			view: { ...view, x: 2 },
		});
		const second = paint(held);
		expect(second).toMatchObject({ alpha: 0.45, at: [1, -0, 0, 1, -200, -192] });
		expect(second.pixels).toBe(first.pixels);
		expect([made, asked.length, layer.blurred]).toEqual([1, 0, false]);
	});

	it("has the next lines drawn ahead, and shows them without drawing", async () => {
		const { paint, asked } = layered();
		paint(picture({ predictions: now }), next);
		paint(picture({ predictions: now }), next);
		expect(asked).toHaveLength(1);
		const ahead = await asked[0]?.answer();
		const of = picture({ predictions: next, frame: fakeFrame(0, 14, 0) });
		const shown = paint(of);
		expect(shown).toMatchObject({ alpha: 1 });
		expect(shown.pixels).toBe(ahead);
		expect([made, asked.length]).toEqual([1, 1]);
	});

	it("draws lines itself that are not there in time", () => {
		const { paint, layer } = layered();
		paint(picture({ predictions: now }), next);
		const shown = paint(picture({ predictions: next }));
		expect([shown.pixels.by, made, layer.blurred]).toEqual(["page", 2, false]);
	});

	it("is drawn again at another tilt, and for another angle of a tilted picture", () => {
		const { paint } = layered();
		const turned = { ...view, rotation: 0.1 };
		const by = (tilt: number, of = view) =>
			paint(picture({ predictions: now, view: { ...of, tilt } })).pixels.by;
		expect([by(0), by(0, turned), by(0.5), by(0.6, turned)]).toHaveLength(4);
		// Flat ones are rotated, tilted ones are not.
		expect(made).toBe(3);
		const flat = { ...view, tilt: 0.6, rotation: 0.1, x: 2 };
		expect(paint(picture({ predictions: now, view: flat })).pixels.by).toBe("page");
		expect(made).toBe(3);
	});

	it("scales lines after zooming until they are drawn again", async () => {
		const { paint, asked, changed, layer } = layered();
		paint(picture({ predictions: now }));
		const near = { ...view, pixelsPerMetre: 5 };
		const scaled = paint(picture({ predictions: now, view: near }));
		expect(scaled.at[0]).toBe(1.25);
		expect([made, layer.blurred, changed.mock.calls.length]).toEqual([1, true, 0]);
		const sharp = await asked[0]?.answer();
		expect(changed).toHaveBeenCalledOnce();
		const shown = paint(picture({ predictions: now, view: near }));
		expect(shown.pixels).toBe(sharp);
		expect([shown.at[0], layer.blurred]).toEqual([1, false]);
	});

	it("draws itself at once what must be final, or is beyond the bitmap", () => {
		const { paint, layer } = layered();
		paint(picture({ predictions: now }));
		paint(picture({ predictions: now, selection: 7n }), [], true);
		expect([made, layer.blurred]).toEqual([2, false]);
		const far = { ...view, pixelsPerMetre: 1 };
		paint(picture({ predictions: now, view: far }));
		expect([made, layer.blurred]).toEqual([3, false]);
	});

	it("draws itself after another thread could not", async () => {
		const { paint, asked, changed, layer } = layered();
		paint(picture({ predictions: now }));
		paint(picture({ predictions: now, selection: 7n }));
		expect(layer.blurred).toBe(true);
		await asked[0]?.refuse();
		expect(changed).toHaveBeenCalledOnce();
		paint(picture({ predictions: now, selection: 7n }), next);
		expect([made, layer.blurred, asked.length]).toEqual([2, false, 1]);
	});

	it("draws lines faintly of one model that is held, if another is not", () => {
		const { paint } = layered();
		const both = [lines(4), lines(3, 1)];
		expect(paint(picture({ predictions: both })).alpha).toBe(1);
		const later = picture({ predictions: both, frame: fakeFrame(0, 5, 0) });
		expect(paint(later).alpha).toBe(0.45);
		expect(made).toBe(1);
	});

	it("has a new bitmap drawn when its margin is nearly used up", async () => {
		const { paint, asked, layer } = layered();
		paint(picture({ predictions: now }));
		const moved = { ...view, x: 30 };
		const same = paint(picture({ predictions: now, view: moved }));
		expect([same.pixels.by, made, layer.blurred]).toEqual(["page", 1, false]);
		const wider = await asked[0]?.answer();
		const farther = picture({ predictions: now, view: { ...view, x: 60 } });
		expect(paint(farther).pixels).toBe(wider);
		expect(made).toBe(1);
	});

	it("frees bitmaps of past lines, and answers after its release", async () => {
		const { paint, asked, layer } = layered();
		const first = paint(picture({ predictions: now }), next);
		const ahead = await asked[0]?.answer();
		paint(picture({ predictions: next }), [lines(24)]);
		expect([first.pixels.closed, ahead?.closed]).toEqual([true, false]);
		layer.release();
		const late = await asked[1]?.answer();
		expect([ahead?.closed, late?.closed]).toEqual([true, true]);
	});
});
