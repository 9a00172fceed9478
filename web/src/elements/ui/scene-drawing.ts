import type { ViewerController } from "../controller.js";
import type { HeldSize } from "../export/size.js";
import type { View } from "../pure/camera.js";
import type { ViewerState } from "../state.js";
import type { PainterName } from "./painter-choice.js";
import { ScenePainter, screenDensity } from "./scene-painter.js";

/** What is drawn, and where. */
export interface DrawingHost extends Element {
	readonly controller: ViewerController | undefined;
	readonly state: ViewerState;
	/** The canvas, once there is one. */
	readonly canvas: HTMLCanvasElement | null;
	/** Where the camera is going: what easing ends at. */
	readonly target: View;
	/** Called after each picture. */
	drawn(): void;
}

/** Draws a scene view's state when it is due: once an animation frame, or a task while held. */
export class SceneDrawing {
	readonly #host: DrawingHost;
	readonly #painter: ScenePainter;
	#frameRequest: number | undefined;
	#drawDue = false;
	#held: HeldSize | undefined;

	constructor(host: DrawingHost) {
		this.#host = host;
		this.#painter = new ScenePainter(this.request);
	}

	/** What the canvas shows. */
	get view(): View {
		return this.#painter.view;
	}

	/** Which painter draws where there is a choice. */
	get painter(): PainterName {
		return this.#painter.choice.wanted;
	}

	set painter(painter: PainterName) {
		this.#painter.choice.wanted = painter;
	}

	/** Which painter drew the last picture. */
	get drawnBy(): "canvas2d" | "webgl2" {
		return this.#painter.drawnBy;
	}

	/** The size that the picture keeps; undefined where it fits its room. */
	get held(): HeldSize | undefined {
		return this.#held;
	}

	/** Keeps `size` and eases no more; undefined: fits its room again. */
	hold(size: HeldSize | undefined): void {
		this.#held = size;
		this.now();
	}

	/** The next change of the camera is eased. */
	ease(): void {
		this.#painter.easing.begin(performance.now());
	}

	/** The next change of the camera is at once. */
	snap(): void {
		this.#painter.easing.snap();
	}

	/** At the end of this task, once for all that changes in it: the player's beat. */
	soon(): void {
		if (this.#drawDue) return;
		this.#drawDue = true;
		queueMicrotask(() => {
			this.#drawDue = false;
			this.now();
		});
	}

	/** In the next animation frame; a held picture soon, since a hidden tab has no such frames. */
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
		const arrived = this.#painter.draw(canvas, this.#host, { state, target, density });
		this.#host.drawn();
		const { shown, map, laneColours, aerial, review } = state;
		const painted = { shown, map, laneColours, aerial, predictions: review.lines };
		// A painter that is being loaded asks to draw once more.
		if (!arrived) this.request();
		else if (!this.#painter.choice.pending) controller?.painted(this.#host, painted);
	}

	/** The context was lost, and with it what was drawn ahead. */
	readonly restored = (): void => {
		this.#painter.release();
		this.request();
	};

	/** Draws no more until it is asked to, and gives memory back. */
	stop(): void {
		if (this.#frameRequest !== undefined) cancelAnimationFrame(this.#frameRequest);
		this.#frameRequest = undefined;
		this.#painter.release();
		this.#host.controller?.painted(this.#host, undefined);
	}
}
