import { labelOf } from "../describe.js";
import { fitCanvas } from "../draw/fit-canvas.js";
import { MapBitmap } from "../draw/map-bitmap.js";
import { paintOver } from "../draw/paint.js";
import { paint } from "../draw/paint-canvas.js";
import type { Footprint } from "../draw/paint-footprint.js";
import { paletteOf } from "../draw/palette.js";
import type { Picture } from "../draw/picture.js";
import { type Point, snapped, type View } from "../pure/camera.js";
import { NO_MARKS } from "../pure/map-object.js";
import type { ViewerState } from "../state.js";
import { visibilityOf } from "../summary.js";
import { PainterChoice } from "./painter-choice.js";
import { ViewEasing } from "./view-easing.js";

/** 2.5: beyond it nobody sees the difference and every frame pays for it. */
const MAX_DENSITY = 2.5;
const NOTHING = new Uint8Array();
const NONE: readonly Point[] = [];

/** What to draw: pixels of the canvas per CSS pixel beside where the camera is going. */
export interface Scenery {
	readonly state: ViewerState;
	readonly target: View;
	readonly density: number;
}

/** Pixels per CSS pixel that the screen has use for. */
export function screenDensity(): number {
	return Math.min(MAX_DENSITY, devicePixelRatio || 1);
}

/** Draws a state onto a canvas, on the way from the view before to the next. */
export class ScenePainter {
	readonly easing = new ViewEasing();
	readonly choice: PainterChoice;
	readonly #bitmap = new MapBitmap();
	#drawnBy: "canvas2d" | "webgl2" = "canvas2d";
	#view: View = { x: 0, y: 0, pixelsPerMetre: 1, rotation: 0, width: 1, height: 1 };

	/** @param onChange called when what is drawn already would be drawn otherwise now */
	constructor(onChange: () => void) {
		this.choice = new PainterChoice(onChange);
	}

	/** Which painter drew the last picture. */
	get drawnBy(): "canvas2d" | "webgl2" {
		return this.#drawnBy;
	}

	/** What the canvas shows. */
	get view(): View {
		return this.#view;
	}

	/**
	 * Draws, in the colours in force at `host`; whether the picture has arrived at the target.
	 * Whichever painter draws, it ends on this one canvas: to be saved and filmed.
	 */
	draw(
		canvas: HTMLCanvasElement,
		host: Element,
		{ state, target, density }: Scenery,
	): boolean {
		const ctx = canvas.getContext("2d", { alpha: false });
		if (!ctx) return true;
		if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches)
			this.easing.snap();
		const { view, arrived } = this.easing.at(target, performance.now());
		this.#view = snapped(view, density);
		fitCanvas(canvas, this.#view, density);
		const turning = isTurning(state);
		const picture = { ...pictureOf(state, host, this.#view, density), turning };
		const drawn = this.choice.glFor(picture)?.paint(picture);
		this.#drawnBy = drawn ? "webgl2" : "canvas2d";
		if (drawn) copy(ctx, drawn, picture);
		else paint(ctx, picture, this.#bitmap);
		return arrived;
	}

	/** Gives memory back; drawing again is fine. */
	release(): void {
		this.#bitmap.release();
		this.choice.release();
		this.#drawnBy = "canvas2d";
	}
}

/** Up to its own speed data leaves the time to draw each picture sharply, and the eye to see it. */
function isTurning({ playing, stalled, speed, follow }: ViewerState): boolean {
	return playing && !stalled && speed > 1 && follow === "heading";
}

function copy(
	ctx: CanvasRenderingContext2D,
	drawn: HTMLCanvasElement,
	picture: Picture,
): void {
	ctx.setTransform(1, 0, 0, 1, 0, 0);
	ctx.globalAlpha = 1;
	ctx.drawImage(drawn, 0, 0);
	ctx.setTransform(picture.density, 0, 0, picture.density, 0, 0);
	paintOver(ctx, picture);
}

/** Of the raster on show, where it is of the frame that the picture shows. */
function footprintOf({ raster, shown }: ViewerState): Footprint | undefined {
	const { picture, footprint } = raster;
	if (!footprint || !picture || picture.frame !== shown?.frame) return undefined;
	if (picture.scene !== shown.scene) return undefined;
	const { width, height } = picture.pixels;
	return { width, height, fromWorld: picture.fromWorld };
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
		footprint: footprintOf(state),
		selection,
		hover,
		marks: state.mapChoice?.marks ?? NO_MARKS,
		measured: state.measured ?? NONE,
		labelOf: (of) => labelOf(state, of),
	};
}
