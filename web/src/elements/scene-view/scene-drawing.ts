import { paintPageLayers } from "../draw/page-layer.js";
import type { PainterName } from "../draw/painter-choice.js";
import type { PictureSize } from "../export/size.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import type { View } from "./camera.js";
import type { PicturePart } from "./picture-part.js";
import { ScenePainter, screenDensity } from "./scene-painter.js";

/** The scene view that is drawn. */
export interface DrawingHost extends Element {
	readonly controller: ViewerController | undefined;
	readonly state: ViewerState;
	/** What is shown of models or submissions; undefined for all. */
	readonly subset: PicturePart | undefined;
	/** The canvas; null before the first render. */
	readonly canvas: HTMLCanvasElement | null;
	/** The state to draw, which may be between two frames. */
	readonly moving: ViewerState;
	/** The camera's target: the view at the end of easing. */
	readonly target: View;
	/** Called after each drawing. */
	drawn(): void;
}

/**
 * Schedules drawing of a scene view: once per animation frame, or once per task while
 * its size is held.
 */
export class SceneDrawing {
	readonly #host: DrawingHost;
	readonly #painter: ScenePainter;
	#frameRequest: number | undefined;
	#drawDue = false;
	#held: PictureSize | undefined;

	constructor(host: DrawingHost) {
		this.#host = host;
		this.#painter = new ScenePainter(this.request);
	}

	/** The view that the canvas shows. */
	get view(): View {
		return this.#painter.view;
	}

	/** The requested painter. */
	get painter(): PainterName {
		return this.#painter.choice.wanted;
	}

	set painter(painter: PainterName) {
		this.#painter.choice.wanted = painter;
	}

	/** The painter of the last picture. */
	get drawnBy(): "canvas2d" | "webgl2" {
		return this.#painter.drawnBy;
	}

	/** The held size; undefined if the picture fits the layout. */
	get held(): PictureSize | undefined {
		return this.#held;
	}

	/** Holds `size` and disables easing; undefined fits the layout again. */
	hold(size: PictureSize | undefined): void {
		this.#held = size;
		this.now();
	}

	/** Eases the next change of the camera. */
	ease(duration?: number): void {
		this.#painter.easing.begin(performance.now(), duration);
	}

	/** Applies the next change of the camera immediately. */
	snap(): void {
		this.#painter.easing.snap();
	}

	/**
	 * Draws at the end of this task, once for all changes in it; used during playback.
	 */
	soon(): void {
		if (this.#drawDue) return;
		this.#drawDue = true;
		queueMicrotask(() => {
			this.#drawDue = false;
			this.now();
		});
	}

	/**
	 * Draws in the next animation frame; while the size is held at the end of this task,
	 * since hidden tabs have no animation frames.
	 */
	readonly request = (): void => {
		if (this.#held) {
			this.soon();
			return;
		}
		this.#frameRequest ??= requestAnimationFrame(() => {
			this.#frameRequest = undefined;
			this.now();
		});
	};

	now(): void {
		const { canvas, controller, state } = this.#host;
		if (!canvas || !this.#host.isConnected) return;
		if (this.#held) this.snap();
		const { target } = this.#host;
		const density = this.#held?.density ?? screenDensity();
		const { moving } = this.#host;
		const exact = this.#held !== undefined;
		// Exported pictures show all models.
		const subset = exact ? undefined : this.#host.subset;
		const input = { state: subset?.only(moving) ?? moving, target, density, exact };
		const arrived = this.#painter.draw(canvas, this.#host, input);
		this.#paintPage(canvas);
		this.#host.drawn();
		const { shown, map, laneColours, aerial, timeline, review } = state;
		// Blurred lines are drawn again.
		const predictions = this.#painter.blurred ? undefined : review.drawn;
		const painted = { shown, map, laneColours, aerial, timeline, predictions };
		// A painter that is loading requests another drawing.
		const pending = this.#painter.choice.pending || (target.tilt && !state.solids);
		if (!arrived) this.request();
		else if (!pending) controller?.painted(this.#host, painted);
	}

	/** Draws the page's layers; removes those that fail. */
	#paintPage(canvas: HTMLCanvasElement): void {
		const { state, controller } = this.#host;
		const context = state.pageLayers.length > 0 ? canvas.getContext("2d") : null;
		if (!context) return;
		const drawn = { view: this.view, frame: state.shown };
		paintPageLayers(context, state.pageLayers, drawn, (layer, why) => {
			controller?.removeLayer(layer);
			controller?.notify(`Layer ${layer.name} removed: drawing failed: ${why}`);
		});
	}

	/** Redraws after the context was restored; cached drawings are lost. */
	readonly restored = (): void => {
		this.#painter.release();
		this.request();
	};

	/** Cancels scheduled drawing and frees memory. */
	stop(): void {
		if (this.#frameRequest !== undefined) cancelAnimationFrame(this.#frameRequest);
		this.#frameRequest = undefined;
		this.#painter.release();
		this.#host.controller?.painted(this.#host, undefined);
	}
}
