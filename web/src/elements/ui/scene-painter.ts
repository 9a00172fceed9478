import { labelOf } from "../describe.js";
import { MapBitmap } from "../draw/map-bitmap.js";
import { paint } from "../draw/paint.js";
import { paletteOf } from "../draw/palette.js";
import type { Picture } from "../draw/picture.js";
import { type Point, snapped, type View } from "../pure/camera.js";
import type { ViewerState } from "../state.js";
import { visibilityOf } from "../summary.js";
import { fitCanvas } from "./scene-canvas.js";
import { ViewEasing } from "./view-easing.js";

/** 2.5: beyond it nobody sees the difference and every frame pays for it. */
const MAX_DENSITY = 2.5;
const NOTHING = new Uint8Array();
const NONE: readonly Point[] = [];

/** Draws a state onto a canvas, on the way from the view before to the next. */
export class ScenePainter {
	readonly easing = new ViewEasing();
	readonly #bitmap = new MapBitmap();
	#view: View = { x: 0, y: 0, pixelsPerMetre: 1, rotation: 0, width: 1, height: 1 };

	/** What the canvas shows. */
	get view(): View {
		return this.#view;
	}

	/** Draws, in the colours in force at `host`; whether the picture has arrived at `target`. */
	draw(
		canvas: HTMLCanvasElement,
		host: Element,
		state: ViewerState,
		target: View,
	): boolean {
		const ctx = canvas.getContext("2d", { alpha: false });
		if (!ctx) return true;
		if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.easing.snap();
		const { view, arrived } = this.easing.at(target, performance.now());
		const density = Math.min(MAX_DENSITY, devicePixelRatio || 1);
		this.#view = snapped(view, density);
		fitCanvas(canvas, this.#view, density);
		paint(ctx, pictureOf(state, host, this.#view, density), this.#bitmap);
		return arrived;
	}

	/** Gives memory back; drawing again is fine. */
	release(): void {
		this.#bitmap.release();
	}
}

/** The picture of `state` as seen by `view`, in the colours in force at `host`. */
export function pictureOf(
	state: ViewerState,
	host: Element,
	view: View,
	density: number,
): Picture {
	const { shown, map, laneColours, layers, selection, hover, aerial } = state;
	// Whole metres: with a hill the image moves by less than its own pixel.
	const height = Math.round(shown?.ego.translation[2] ?? 0);
	return {
		view,
		density,
		palette: paletteOf(host),
		layers,
		map,
		laneColours,
		aerial:
			aerial && layers.has("aerial")
				? { image: aerial.image, fromWorld: aerial.fromWorld(height) }
				: undefined,
		frame: shown,
		visibility: shown ? visibilityOf(shown, state) : NOTHING,
		predictions: state.review.lines,
		selection,
		hover,
		measured: state.measured ?? NONE,
		labelOf: (of) => labelOf(state, of),
	};
}
