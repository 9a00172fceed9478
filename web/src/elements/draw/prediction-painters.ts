import type { ModelLines } from "../review/model-lines.js";
import type { PredictionPainter } from "./picture.js";

/** A layer that keeps bitmaps for one canvas. */
export interface BitmapLayer {
	/** Whether the last picture shows lines at another scale, which are being redrawn. */
	readonly blurred: boolean;
	/** Returns the painter of a picture. */
	painterOf(wanted: Wanted): PredictionPainter;
	/** Frees the memory; painting again is possible. */
	release(): void;
}

export interface Wanted {
	/** The canvas, onto which bitmaps are drawn unless the painter draws them. */
	readonly ctx: CanvasRenderingContext2D;
	/** The lines that playback shows next; empty if they are not loaded. */
	readonly coming: readonly ModelLines[];
	/** Whether this picture must be final. */
	readonly exact: boolean;
}

/** Paints predictions, without bitmaps or with those of a canvas. */
export interface PredictionPainters {
	readonly direct: PredictionPainter;
	/** @param onChange called when a blurred picture should be painted again */
	layer(onChange: () => void): BitmapLayer;
}
