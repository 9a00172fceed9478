import type { PicturedAt } from "./pictured-at.js";
import { drawInto, type Thumbnails } from "./thumbnails.js";

/** Frames before and after that of the picture, and time per frame in milliseconds. */
const BEFORE = 5;
const AFTER = 20;
const FRAME_MS = 100;

/** Plays the frames around a picture in its canvas, again and again. */
export class HoverPlay {
	#control: AbortController | undefined;

	/** What is played. */
	get of(): HTMLCanvasElement | undefined {
		return this.#canvas;
	}

	#canvas: HTMLCanvasElement | undefined;

	/** Plays until `stop`; `ended` is called then, to draw the picture again. */
	start(
		canvas: HTMLCanvasElement,
		at: PicturedAt,
		images: Thumbnails,
		ended: () => void,
	): void {
		this.stop();
		const control = new AbortController();
		const { signal } = control;
		signal.addEventListener("abort", ended);
		this.#control = control;
		this.#canvas = canvas;
		void this.#play(canvas, at, images, signal).catch(() => {}); // stopped
	}

	/** Stops playing. */
	stop(): void {
		this.#control?.abort();
		this.#control = undefined;
		this.#canvas = undefined;
	}

	async #play(
		canvas: HTMLCanvasElement,
		at: PicturedAt,
		images: Thumbnails,
		signal: AbortSignal,
	): Promise<void> {
		const first = Math.max(0, at.frame - BEFORE);
		for (let moment = first; !signal.aborted; moment += 1) {
			const due = performance.now() + FRAME_MS;
			const image = await images.image({ ...at, moment }, signal);
			if (signal.aborted || !canvas.isConnected) return;
			// After the scene's last frame there is none.
			if (image) drawInto(canvas, image);
			if (!image && moment <= at.frame) return;
			if (!image || moment >= at.frame + AFTER) moment = first - 1;
			const rest = due - performance.now();
			await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
		}
	}
}
