import { afterEach, describe, expect, it, vi } from "vitest";
import { GlPainter } from "../../../../src/elements/draw/gl/gl-painter.js";
import type { Palette } from "../../../../src/elements/draw/palette.js";
import type {
	Brush,
	Picture,
	Placement,
} from "../../../../src/elements/draw/picture.js";
import { DEFAULT_LAYERS } from "../../../../src/elements/layers/layer-set.js";

type Call = readonly [name: string, ...args: unknown[]];

/** A context that records its calls; also a 2D context, which reads colours. */
function recorder(longest: number) {
	const calls: Call[] = [];
	const answers: Readonly<Record<string, (...args: never[]) => unknown>> = {
		isContextLost: () => false,
		getProgramParameter: () => true,
		getUniformLocation: (_: unknown, name: string) => name,
		getParameter: () => longest,
		getImageData: () => ({ data: [0, 0, 0, 255] }),
	};
	const gl = new Proxy(
		{},
		{
			get: (_, key) => {
				const name = String(key);
				if (name === name.toUpperCase()) return name;
				return (...args: never[]) => {
					calls.push([name, ...args]);
					return answers[name]?.(...args) ?? {};
				};
			},
			set: () => true,
		},
	);
	return { calls, gl };
}

const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;

/** A picture at two device pixels per CSS pixel, whose predictions `paint` paints. */
function pictureWith(paint: (brush: Brush) => void): Picture {
	const view = { x: 0, y: 0, pixelsPerMetre: 4, rotation: 0, width: 300, height: 200 };
	return {
		...{ view, density: 2, palette, layers: DEFAULT_LAYERS, map: undefined },
		...{ laneColours: undefined, aerial: undefined, frame: undefined },
		...{ visibility: new Uint8Array(), predictions: [], selection: undefined },
		...{ hover: undefined, measured: [], labelOf: () => "" },
		predictionPainter: { paint, paintOver: () => {} },
	};
}

const image = { width: 400, height: 300 } as ImageBitmap;
const turned: Placement = { cos: 0.8, sin: 0.6, x: -20, y: 30 };

/** Paints `image`; returns whether it was accepted, and the calls. */
function painted(longest: number) {
	const { calls, gl } = recorder(longest);
	const canvas = { addEventListener: () => {}, getContext: () => gl };
	vi.stubGlobal("document", { createElement: () => canvas });
	const accepted: unknown[] = [];
	const painter = GlPainter.make(() => {});
	const paint = ({ ctx, bitmaps }: Brush) => {
		ctx.globalAlpha = 0.45;
		accepted.push(bitmaps?.drawBitmap(image, turned));
	};
	painter?.paint(recorder(0).gl as CanvasRenderingContext2D, pictureWith(paint));
	return { accepted, calls };
}

function argsOf(calls: readonly Call[], name: string, first: string): unknown[] {
	return calls
		.filter((call) => call[0] === name && call[1] === first)
		.map((c) => c.at(-1));
}

describe("GlPainter", () => {
	it("turns and moves a bitmap like Canvas2D", () => {
		const { accepted, calls } = painted(4096);
		expect(accepted).toEqual([true]);
		// In CSS pixels: half the matrix that `setTransform` gets.
		expect(argsOf(calls, "uniformMatrix2fv", "linear")).toEqual([
			[0.4, -0.3, 0.3, 0.4],
		]);
		expect(calls).toContainEqual(["uniform2f", "offset", -10, 15]);
		expect(calls).toContainEqual(["uniform2f", "extent", 400, 300]);
		expect(argsOf(calls, "uniform1f", "alpha")).toEqual([0.45]);
	});

	it("refuses a bitmap that is larger than a texture", () => {
		const { accepted, calls } = painted(399);
		expect(accepted).toEqual([false]);
		expect(calls.map(([name]) => name)).not.toContain("createTexture");
	});
});

afterEach(() => {
	vi.unstubAllGlobals();
});
