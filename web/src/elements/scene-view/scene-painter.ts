import type { Motion } from "../../dataset/timeline.js";
import { labelOf, rolesIn } from "../agents/describe.js";
import { visibilityOf } from "../agents/summary.js";
import { MapBitmap, paint } from "../draw/canvas-painter.js";
import { fitCanvas } from "../draw/paint.js";
import { PainterChoice } from "../draw/painter-choice.js";
import { paletteOf } from "../draw/palette.js";
import type { Footprint, Picture } from "../draw/picture.js";
import type { BitmapLayer, PredictionPainters } from "../draw/prediction-painters.js";
import { withLaneArrows } from "../map/lane-lines.js";
import { NO_MARKS } from "../map/map-state.js";
import { withPlaces } from "../notes/note-places.js";
import type { ViewerState } from "../session/state.js";
import { blended, type Point, snapped, turnsWith, type View } from "./camera.js";
import type { Selection } from "./picking.js";

const DURATION_MS = 120;
/** Metres. Larger distances are not eased, since the movement would only blur. */
const TOO_FAR = 400;

/** Eases the picture from one view to the next, or switches immediately. */
export class ViewEasing {
	#from: View | undefined;
	#last: View | undefined;
	#start = 0;
	#duration = DURATION_MS;

	/** Starts easing from the last displayed view. */
	begin(now: number, duration = DURATION_MS): void {
		this.#from = this.#last;
		this.#start = now;
		this.#duration = duration;
	}

	/** Shows the next target immediately. */
	snap(): void {
		this.#from = undefined;
	}

	/** Returns the view to draw on the way to `target`, and whether it has arrived. */
	at(target: View, now: number): { view: View; arrived: boolean } {
		const from = this.#from;
		const t = Math.min(1, (now - this.#start) / this.#duration);
		const near = from && Math.hypot(from.x - target.x, from.y - target.y) < TOO_FAR;
		const view = from && near && t < 1 ? blended(from, target, t) : target;
		if (view === target) this.#from = undefined;
		this.#last = view;
		return { view, arrived: view === target };
	}
}

/** Maximum pixel density; higher ones are not visible and slow down drawing. */
const MAX_DENSITY = 2.5;
const NOTHING = new Uint8Array();
const NONE: readonly Point[] = [];

/** The state to draw, the camera's target, and canvas pixels per CSS pixel. */
export interface RenderInput {
	readonly state: ViewerState;
	readonly target: View;
	readonly density: number;
	/** Whether the picture must be final. Default: false. */
	readonly exact?: boolean;
}

/** Returns the screen's pixel density, limited to `MAX_DENSITY`. */
export function screenDensity(): number {
	return Math.min(MAX_DENSITY, devicePixelRatio || 1);
}

/** Returns whether the user prefers reduced motion. */
export function prefersStill(): boolean {
	return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** Draws states onto a canvas, with easing between views. */
export class ScenePainter {
	readonly easing = new ViewEasing();
	readonly choice: PainterChoice;
	readonly #bitmap = new MapBitmap();
	readonly #onChange: () => void;
	#painters: PredictionPainters | undefined;
	#layer: BitmapLayer | undefined;
	#drawnBy: "canvas2d" | "webgl2" = "canvas2d";
	#view: View = { x: 0, y: 0, pixelsPerMetre: 1, rotation: 0, width: 1, height: 1 };

	/** @param onChange called when the picture should be redrawn */
	constructor(onChange: () => void) {
		this.choice = new PainterChoice(onChange);
		this.#onChange = onChange;
	}

	/** The painter of the last picture. */
	get drawnBy(): "canvas2d" | "webgl2" {
		return this.#drawnBy;
	}

	/** Whether the picture shows lines at another scale, which are being redrawn. */
	get blurred(): boolean {
		return this.#layer?.blurred ?? false;
	}

	/** The view that the canvas shows. */
	get view(): View {
		return this.#view;
	}

	/**
	 * Draws with the colours in effect at `host`; returns whether the view has reached
	 * the target. Every painter draws onto this canvas, from which images and videos are
	 * exported.
	 */
	draw(
		canvas: HTMLCanvasElement,
		host: Element,
		{ state, target, density, exact = false }: RenderInput,
	): boolean {
		const ctx = canvas.getContext("2d", { alpha: false });
		if (!ctx) return true;
		if (prefersStill()) this.easing.snap();
		const { view, arrived } = this.easing.at(target, performance.now());
		this.#view = snapped(view, density);
		fitCanvas(canvas, this.#view, density);
		// A tilted picture is not the same rotated.
		const turning = isTurning(state) && !view.tilt;
		const { review } = state;
		const all = pictureOf(state, host, this.#view, density);
		const layer = this.#layerOf(review.painters);
		const predictionPainter = layer?.painterOf({
			ctx,
			coming: review.coming,
			exact,
		});
		const picture = { ...all, turning, predictionPainter };
		const isDrawn = this.choice.glFor(picture)?.paint(ctx, picture);
		this.#drawnBy = isDrawn ? "webgl2" : "canvas2d";
		if (!isDrawn) paint(ctx, picture, this.#bitmap);
		return arrived;
	}

	#layerOf(painters: PredictionPainters | undefined): BitmapLayer | undefined {
		if (this.#painters !== painters) {
			this.#layer?.release();
			this.#layer = painters?.layer(this.#onChange);
			this.#painters = painters;
		}
		return this.#layer;
	}

	/** Frees memory; drawing again is possible. */
	release(): void {
		this.#bitmap.release();
		this.#layer?.release();
		this.choice.release();
		this.#drawnBy = "canvas2d";
	}
}

/**
 * Returns whether the picture rotates quickly; at normal speed there is time to draw
 * each picture sharply.
 */
function isTurning(state: ViewerState): boolean {
	const { playing, stalled, speed, smooth, follow } = state;
	const isFast = speed > 1 || (smooth && !prefersStill());
	return playing && !stalled && isFast && turnsWith(follow);
}

/** Returns the displayed raster's footprint if it belongs to the displayed frame. */
function footprintOf({ raster, shown }: ViewerState): Footprint | undefined {
	const { picture, footprint } = raster;
	if (!footprint || !picture || picture.frame !== shown?.frame) return undefined;
	if (picture.scene !== shown.scene) return undefined;
	const { width, height } = picture.pixels;
	return { width, height, fromWorld: picture.fromWorld };
}

/** Acceleration in m/s² below which brake lights are drawn. */
const BRAKING = -1.5;

/** Returns who brakes in the displayed frame, by the accelerations of the timeline. */
function brakingOf({ shown, timeline, selection }: ViewerState): Picture["braking"] {
	if (!shown || !timeline) return undefined;
	const at = ({ acceleration }: Motion) => (acceleration[shown.frame] ?? 0) < BRAKING;
	const track = timeline.of === selection ? timeline.track : undefined;
	return { ego: at(timeline.ego), selection: track !== undefined && at(track) };
}

/** Returns the picture of `state` in `view`, with the colours in effect at `host`. */
export function pictureOf(
	state: ViewerState,
	host: Element,
	view: View,
	density: number,
): Picture {
	const { shown, map, laneColours, layers, selection, hover, aerial } = state;
	// Rounded to metres: on slopes the image moves by less than one of its pixels.
	const height = Math.round(shown?.ego.translation[2] ?? 0);
	const picture = {
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
		predictions: state.review.drawn,
		predictionPainter: state.review.painters?.direct,
		solids: view.tilt ? state.solids : undefined,
		footprint: footprintOf(state),
		braking: brakingOf(state),
		grid: state.mapState === "absent" || state.mapState === "failed",
		selection,
		hover,
		marks: state.mapChoice?.marks ?? NO_MARKS,
		hovered: state.mapHover,
		measured: state.measured ?? NONE,
		overlays: withLaneArrows(state, withPlaces(state)),
		plotted: state.plotted,
		roles: rolesIn(state),
		labelOf: (of: Selection) => labelOf(state, of),
	};
	return state.focus?.applied(picture) ?? picture;
}
