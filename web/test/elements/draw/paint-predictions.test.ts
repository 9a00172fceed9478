import { describe, expect, it } from "vitest";
import { paintPredictions } from "../../../src/elements/draw/paint-predictions.js";
import type { Palette } from "../../../src/elements/draw/palette.js";
import type { Brush, Picture } from "../../../src/elements/draw/picture.js";
import { DEFAULT_LAYERS } from "../../../src/elements/layers/layer-set.js";
import type {
	FrameLines,
	ModelLines,
} from "../../../src/elements/review/model-lines.js";
import { fakeFrame } from "../../support/fake-dataset.js";

/** Two modes of track 7, which drove straight on, and one of the ego. */
const LINES: FrameLines = {
	frame: 4,
	modes: {
		points: Float64Array.of(0, 0, 1, 0, 0, 0, 0, 1, 5, 5, 6, 5),
		offsets: Uint32Array.of(0, 2, 4, 6),
	},
	confidences: Float64Array.of(0.75, 0.25, 1),
	tracks: BigInt64Array.of(7n, 7n, -1n),
	truth: { points: Float64Array.of(0, 0, 2, 0), offsets: Uint32Array.of(0, 2) },
	truthSteps: Uint32Array.of(0, 1),
	truthTracks: BigInt64Array.of(7n),
};

/** The lines of a model, by the index of its colour. */
function model(slot: number, lines = LINES): ModelLines {
	return { model: slot + 1, slot, lines };
}

interface Stroke {
	readonly dashes: readonly number[];
	readonly colour: string;
	readonly alpha: number;
	readonly width: number;
	readonly path: readonly (readonly [number, number])[];
}

function strokes(changes: Partial<Picture> = {}): Stroke[] {
	const made: Stroke[] = [];
	let path: [number, number][] = [];
	let dashes: number[] = [];
	const ctx = {
		strokeStyle: "",
		fillStyle: "",
		lineWidth: 0,
		globalAlpha: 1,
		beginPath: () => {
			path = [];
		},
		moveTo: (x: number, y: number) => path.push([x, y]),
		lineTo: (x: number, y: number) => path.push([x, y]),
		arc: () => {},
		fill: () => {},
		setLineDash: (now: number[]) => {
			dashes = now;
		},
		stroke: () => {
			const { strokeStyle: colour, globalAlpha: alpha, lineWidth: width } = ctx;
			made.push({ colour, alpha, width, path, dashes });
		},
	};
	const picture = {
		layers: DEFAULT_LAYERS,
		palette: { ink: "ink", "model-1": "one", "model-3": "three" } as Palette,
		predictions: [model(0)],
		frame: fakeFrame(0, 4, 0),
		selection: undefined,
		...changes,
	};
	const projection = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
	paintPredictions({ ctx, picture, projection } as unknown as Brush);
	expect(ctx.globalAlpha).toBe(1);
	expect(dashes).toEqual([]);
	return made;
}

describe("paintPredictions", () => {
	it("draws modes by probability over the recorded path", () => {
		const [truth, first, second, ego] = strokes();
		expect(truth).toMatchObject({
			colour: "ink",
			path: [
				[0, 0],
				[2, 0],
			],
		});
		expect(first).toMatchObject({
			colour: "one",
			path: [
				[0, 0],
				[1, 0],
			],
		});
		expect(first?.alpha).toBeGreaterThan(second?.alpha ?? 1);
		expect(first?.width).toBeGreaterThan(second?.width ?? 9);
		expect(second?.alpha).toBeGreaterThan(0.3);
		expect(ego?.alpha).toBe(1);
	});

	it("dims other tracks than the selected one", () => {
		const [, agent, , ego] = strokes({ selection: "ego" });
		expect(ego?.alpha).toBe(1);
		expect(agent?.alpha).toBeLessThan(0.3);
		expect(strokes({ selection: 7n })[3]?.alpha).toBeCloseTo(0.35);
	});

	it("draws what the picture is not about at 15 %", () => {
		const plain = strokes({ selection: 7n });
		const [others, own, first, second, ego] = strokes({ selection: 7n, focus: 7n });
		expect(others?.path).toEqual([]);
		expect(own).toMatchObject({ alpha: 1, width: 2, path: plain[0]?.path });
		expect(first?.alpha).toBeCloseTo(0.9);
		expect(second?.alpha).toBeGreaterThan(0.6);
		expect(ego?.alpha).toBeCloseTo(0.15);
		const [truth, , agent, , it] = strokes({ selection: "ego", focus: "ego" });
		expect(truth?.alpha).toBeLessThan(0.15);
		expect(agent?.alpha).toBeLessThan(0.15);
		expect(it?.alpha).toBe(1);
	});

	it("draws predictions of an earlier frame fainter", () => {
		const now = strokes();
		const held = strokes({ frame: fakeFrame(0, 5, 0) });
		expect(held).toHaveLength(now.length);
		for (const [i, stroke] of held.entries()) {
			expect(stroke.path).toEqual(now[i]?.path);
			expect(stroke.alpha).toBeLessThan(0.5 * (now[i]?.alpha ?? 0));
		}
	});

	it("draws each model in its colour and dashes, and recorded paths once", () => {
		const both = strokes({ predictions: [model(0), model(2)] });
		expect(both.map(({ colour }) => colour)).toEqual([
			...["ink", "ink"],
			...["one", "one", "one"],
			...["three", "three", "three"],
		]);
		expect(both[0]?.path).toHaveLength(2);
		expect(both[1]?.path).toEqual([]);
		expect(both[2]?.dashes).toEqual([]);
		expect(both[5]?.dashes.length).toBeGreaterThan(0);
	});

	it("draws only the held model fainter", () => {
		const other = model(2, { ...LINES, frame: 3 });
		const lines = strokes({ predictions: [model(0), other] });
		expect(lines[4]?.alpha).toBe(1);
		expect(lines[7]?.alpha).toBeCloseTo(0.45);
		expect(lines[1]?.path).toHaveLength(2); // paths of another frame are others
	});

	it("draws nothing without predictions, or with their layer off", () => {
		expect(strokes({ predictions: [] })).toEqual([]);
		expect(strokes({ layers: new Set() })).toEqual([]);
	});
});
