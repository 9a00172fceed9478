import { type Palette, paletteOf } from "../draw/palette.js";
import type { View } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";
import { paintCaption } from "./caption.js";
import type { PictureSize } from "./size.js";

/** A picture of a controller's state that can be drawn in any size. */
export interface ExportedPicture extends Element {
	readonly canvas: HTMLCanvasElement | null;
	/** The view that the canvas shows. */
	readonly view: View;
	/** The displayed size; while held, the size it would have otherwise. */
	readonly size: PictureSize;
	/** Whether the size is held for a video export. */
	readonly held: boolean;
	/**
	 * Draws immediately in `size` and keeps it, independent of the layout; moves to the
	 * camera without easing. Undefined fits the layout again.
	 */
	hold(size: PictureSize | undefined): void;
}

/** Copies a held picture, and writes time, scale and legend onto the copy. */
export class Captions {
	readonly #picture: ExportedPicture;
	readonly #palette: Palette;
	readonly #canvas = document.createElement("canvas");

	constructor(picture: ExportedPicture) {
		this.#picture = picture;
		this.#palette = paletteOf(picture);
	}

	/** Returns the copy; valid until the next call. */
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
	readonly size: PictureSize;
	/** Whether to write time, scale and legend onto the picture. */
	readonly caption: boolean;
}

/** Returns the picture of `state` as a PNG; null if the browser cannot encode it. */
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
		// `toBlob` captures the pixels now, so the size can be released.
		return new Promise((resolve) => drawn.toBlob(resolve, "image/png"));
	} finally {
		picture.hold(undefined);
	}
}
