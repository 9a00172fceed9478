import type { Selection } from "../scene-view/picking.js";

/** Identity of a thumbnail. */
export interface PicturedAt {
	readonly scene: number;
	readonly frame: number;
	/** The track that the picture follows; undefined for the ego vehicle. */
	readonly track: bigint | undefined;
	/** What is outlined. */
	readonly mark?: Selection | undefined;
	/** Whose predictions are drawn: a track, -1 for the ego vehicle, all tracks, or none. */
	readonly lines?: bigint | "all" | undefined;
	/** Futures of submissions that are drawn, as `viewOf` reads them. */
	readonly futures?: string | undefined;
	/** Another frame to draw, with the predictions of `frame`. */
	readonly moment?: number | undefined;
}

/** Draws thumbnails, one at a time. */
export interface Painter {
	/** Returns the image; undefined if there is none. */
	draw(at: PicturedAt, signal: AbortSignal): Promise<ImageBitmap | undefined>;
	/** Frees the memory. */
	close(): void;
}
