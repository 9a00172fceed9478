import { type Palette, paletteOf } from "../draw/palette.js";
import type { View } from "../pure/camera.js";
import type { ViewerState } from "../state.js";
import { paintCaption } from "./caption.js";
import type { HeldSize } from "./size.js";

/** A picture that shows what a controller holds, in any size. */
export interface ExportedPicture extends Element {
	readonly canvas: HTMLCanvasElement | null;
	/** What the canvas shows. */
	readonly view: View;
	/** The size it has, or would have if it was not held. */
	readonly size: HeldSize;
	/** Whether it keeps its size, for a film that is being made. */
	readonly held: boolean;
	/**
	 * Draws in `size` at once, and keeps it from here on, whatever becomes of its room; goes to
	 * where the camera is without easing. Undefined: it fits its room again.
	 */
	hold(size: HeldSize | undefined): void;
}

/** Copies what a held picture shows, and writes time, scale and legend onto the copy. */
export class Captions {
	readonly #picture: ExportedPicture;
	readonly #palette: Palette;
	readonly #canvas = document.createElement("canvas");

	constructor(picture: ExportedPicture) {
		this.#picture = picture;
		this.#palette = paletteOf(picture);
	}

	/** The copy; valid until the next call. */
	of(canvas: HTMLCanvasElement, state: ViewerState): HTMLCanvasElement {
		const { width, height } = canvas;
		if (this.#canvas.width !== width) this.#canvas.width = width;
		if (this.#canvas.height !== height) this.#canvas.height = height;
		const ctx = this.#canvas.getContext("2d", { alpha: false });
		if (!ctx) return canvas;
		ctx.setTransform(1, 0, 0, 1, 0, 0);
		ctx.drawImage(canvas, 0, 0);
		const { view, size } = this.#picture;
		const density = width / view.width || size.density;
		paintCaption({ ctx, state, view, density, palette: this.#palette });
		return this.#canvas;
	}
}

export interface StillOptions {
	readonly size: HeldSize;
	/** Writes time, scale and legend onto the picture. */
	readonly caption: boolean;
}

/** Returns the picture of `state` as a PNG; null if the browser cannot make one. */
export function pngOf(
	picture: ExportedPicture,
	state: ViewerState,
	{ size, caption }: StillOptions,
): Promise<Blob | null> {
	const { canvas } = picture;
	if (!canvas) return Promise.resolve(null);
	picture.hold(size);
	try {
		const captions = caption ? new Captions(picture) : undefined;
		const drawn = captions?.of(canvas, state) ?? canvas;
		// The pixels are taken now, so the picture may have its own size again.
		return new Promise((resolve) => drawn.toBlob(resolve, "image/png"));
	} finally {
		picture.hold(undefined);
	}
}
