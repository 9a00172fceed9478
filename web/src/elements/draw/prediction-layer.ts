import { type Drawing, DrawingPen, pixelsOf } from "../../reviewing/drawing.js";
import { isSameLines, type ModelLines } from "../review/model-lines.js";
import type { View } from "../scene-view/camera.js";
import {
	type CachedView,
	covers,
	drawCached,
	isSame,
	MARGIN,
	placed,
	widened,
} from "./cached-bitmap.js";
import { paintFocus } from "./paint-focus.js";
import {
	HELD,
	hasPredictions,
	isHeld,
	paintHeldFrom,
	paintPredictions,
} from "./paint-predictions.js";
import {
	type BitmapPen,
	type Brush,
	type Picture,
	type PredictionPainter,
	projectionOf,
} from "./picture.js";
import type { BitmapLayer, PredictionPainters, Wanted } from "./prediction-painters.js";

/** Draws in another thread. */
export type Draw = (drawing: Drawing) => Promise<ImageBitmap>;

/** Lines as pixels. */
interface CachedLines extends CachedView {
	readonly lines: readonly ModelLines[];
	/** Everything else that the pixels depend on but the position. */
	readonly inputs: readonly unknown[];
	readonly pixels: ImageBitmap;
}

/** Paints lines without bitmaps. */
const DIRECT: PredictionPainter = {
	paint: (brush) => paintPredictions(brush),
	paintOver: (brush) => {
		paintFocus(brush);
		paintHeldFrom(brush);
	},
};

/** Maximum number of bitmaps: of the present, the previous and the coming lines. */
const MAX_KEPT = 3;

/** Returns which models are held; empty if all are, or none. */
function mixture(picture: Picture, lines: readonly ModelLines[]): readonly boolean[] {
	const held = lines.map((one) => isHeld(one, picture));
	return held.every((one) => one === held[0]) ? [] : held;
}

/** Returns whether a bitmap of `kept` fits `view` after scaling and rotating it. */
function isSimilar(kept: View, view: View): boolean {
	const isTilted = (kept.tilt || view.tilt || 0) > 0;
	return !isTilted || (kept.tilt === view.tilt && kept.rotation === view.rotation);
}

function inputsOf(picture: Picture, mixed: readonly boolean[]): readonly unknown[] {
	const { view, density, palette, selection, focus, turning } = picture;
	const rotation = turning ? "any" : view.rotation;
	const scale = [view.pixelsPerMetre, rotation, view.tilt, density];
	return [palette, selection, focus, ...scale, ...mixed];
}

/** Records the lines of a picture. */
function recorded(picture: Picture, mixed: readonly boolean[]): Drawing {
	const { view, density } = picture;
	const pen = new DrawingPen();
	const brush = { ctx: pen, picture, projection: projectionOf(view) };
	// A bitmap whose lines are all held is drawn faintly as a whole.
	paintPredictions(brush, mixed.length > 0 ? HELD : 1);
	const [width, height] = [view.width * density, view.height * density];
	return pen.drawing({ width: Math.round(width), height: Math.round(height), density });
}

/** Returns the pen of a canvas with `density` device pixels per CSS pixel. */
function bitmapPen(ctx: CanvasRenderingContext2D, density: number): BitmapPen {
	return {
		drawBitmap(pixels, placement) {
			drawCached(ctx, pixels, placement, density);
			return true;
		},
	};
}

/**
 * Bitmaps of predicted lines, which are drawn while the picture moves: lines cost much
 * more than pixels, and stay the same for several frames. Another thread draws them
 * ahead. If view centres are whole pixels apart (`snapped`), the result is identical to
 * that of a new bitmap; a turning picture rotates the bitmap. After zooming, rotating
 * and selecting, the previous bitmap is drawn until the new one is there.
 */
export class PredictionLayer implements BitmapLayer {
	readonly #draw: Draw;
	readonly #onChange: () => void;
	/** The last used one is the last. */
	#kept: CachedLines[] = [];
	#blurred = false;
	#isDrawing = false;
	/** Whether another thread could not draw. */
	#refused = false;
	/** Increases with each release, after which answers are dropped. */
	#turn = 0;

	/** @param onChange called when a blurred picture should be painted again */
	constructor(draw: Draw, onChange: () => void) {
		this.#draw = draw;
		this.#onChange = onChange;
	}

	get blurred(): boolean {
		return this.#blurred;
	}

	painterOf(wanted: Wanted): PredictionPainter {
		return { ...DIRECT, paint: (brush) => this.#paint(brush, wanted) };
	}

	#paint(brush: Brush, wanted: Wanted): void {
		const { picture } = brush;
		this.#blurred = false;
		if (!hasPredictions(picture)) {
			this.release();
			return;
		}
		const { predictions: lines, view, density } = picture;
		const mixed = mixture(picture, lines);
		const inputs = inputsOf(picture, mixed);
		const near = this.#kept.filter(
			(one) =>
				isSimilar(one.view, view) && isSameLines(one.lines, lines) && covers(one, view),
		);
		let used = near.find((one) => isSame(one.inputs, inputs));
		if (!used && !wanted.exact && !this.#refused) {
			used = near.at(-1);
			this.#blurred = used !== undefined;
		}
		used ??= this.#make(picture, mixed);
		if (!used) {
			paintPredictions(brush);
			return;
		}
		this.#use(used, [lines, wanted.coming]);
		const isFaint = mixed.length === 0 && lines.some((one) => isHeld(one, picture));
		brush.ctx.globalAlpha = isFaint ? HELD : 1;
		const { bitmaps = bitmapPen(wanted.ctx, density) } = brush;
		const isDrawn = bitmaps.drawBitmap(used.pixels, placed(used, view));
		brush.ctx.globalAlpha = 1;
		if (!isDrawn) paintPredictions(brush);
		if (!wanted.exact) this.#prepare(picture, wanted.coming);
	}

	release(): void {
		for (const { pixels } of this.#kept) pixels.close();
		this.#kept = [];
		this.#blurred = false;
		this.#refused = false;
		this.#turn += 1;
	}

	/** Makes it the last used, and drops those that are not needed. */
	#use(used: CachedLines, needed: readonly (readonly ModelLines[])[]): void {
		const others = this.#kept.filter((one) => one !== used);
		const kept = others.filter((one) =>
			needed.some((lines) => isSameLines(one.lines, lines)),
		);
		this.#keep([...kept, used]);
	}

	#add(made: CachedLines): void {
		const last = this.#kept.slice(-1);
		this.#keep([...this.#kept.slice(0, -1), made, ...last]);
	}

	#keep(all: readonly CachedLines[]): void {
		const kept = all.slice(-MAX_KEPT);
		for (const one of this.#kept) if (!kept.includes(one)) one.pixels.close();
		this.#kept = kept;
	}

	/** Draws the lines now; undefined if there is no memory for the bitmap. */
	#make(picture: Picture, mixed: readonly boolean[]): CachedLines | undefined {
		const view = widened(picture);
		if (!view || typeof OffscreenCanvas === "undefined") return undefined;
		const { predictions: lines, density } = picture;
		const inputs = inputsOf(picture, mixed);
		try {
			const pixels = pixelsOf(recorded({ ...picture, view }, mixed));
			return { view, density, lines, inputs, pixels };
		} catch {
			return undefined; // the browser refused the memory
		}
	}

	/** Has one bitmap drawn that is missing, or whose margin is nearly used up. */
	#prepare(picture: Picture, coming: readonly ModelLines[]): void {
		if (this.#isDrawing || this.#refused) return;
		const { predictions: now } = picture;
		const due = [now, coming].find((lines) => {
			const inputs = inputsOf(picture, lines === now ? mixture(picture, lines) : []);
			return (
				lines.length > 0 &&
				!this.#kept.some(
					(one) =>
						isSameLines(one.lines, lines) &&
						isSame(one.inputs, inputs) &&
						covers(one, picture.view, MARGIN / 2),
				)
			);
		});
		const view = widened(picture);
		if (!due || !view) return;
		const mixed = due === now ? mixture(picture, due) : [];
		void this.#ask({ ...picture, view, predictions: due }, mixed);
	}

	async #ask(picture: Picture, mixed: readonly boolean[]): Promise<void> {
		const { view, density, predictions: lines } = picture;
		const inputs = inputsOf(picture, mixed);
		const turn = this.#turn;
		this.#isDrawing = true;
		try {
			const pixels = await this.#draw(recorded(picture, mixed));
			if (turn !== this.#turn) pixels.close();
			else this.#add({ view, density, lines, inputs, pixels });
		} catch {
			this.#refused = turn === this.#turn;
		} finally {
			this.#isDrawing = false;
		}
		if (this.#blurred) this.#onChange();
	}
}

/** Returns the painters; `draw` draws in another thread. */
export function predictionPainters(draw: Draw): PredictionPainters {
	return {
		direct: DIRECT,
		layer: (onChange) => new PredictionLayer(draw, onChange),
	};
}
