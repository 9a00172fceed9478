import type { ModelLines } from "../review/model-lines.js";
import type { Brush, PredictionPainter } from "./picture.js";

/** A layer that paints onto one canvas. */
export interface CanvasLayer {
	/** Whether the last picture shows lines at another scale, which are being redrawn. */
	readonly blurred: boolean;
	/** Paints the lines of a picture, whose next ones are `coming`. */
	paint(ctx: CanvasRenderingContext2D, brush: Brush, wanted: Wanted): void;
	/** Frees the memory; painting again is possible. */
	release(): void;
}

export interface Wanted {
	/** The lines that playback shows next; empty if they are not loaded. */
	readonly coming: readonly ModelLines[];
	/** Whether this picture must be final. */
	readonly exact: boolean;
}

/** Paints predictions, without bitmaps or onto a canvas. */
export interface PredictionPainters {
	readonly direct: PredictionPainter;
	/** @param onChange called when a blurred picture should be painted again */
	layer(onChange: () => void): CanvasLayer;
}
