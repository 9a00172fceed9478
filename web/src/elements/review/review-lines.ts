import type { KeptIn, SceneReport } from "../../reviewing/protocol.js";
import type { RemoteReview } from "../../reviewing/remote-review.js";
import type { FrameLines } from "./model-lines.js";

/** Maximum number of cached frames. */
const MAX_KEPT = 16;
/** Predicted frames loaded ahead of the displayed one. */
const AHEAD = 3;

/** Loads the predicted lines of one scene's frames on demand. */
export class SceneLines {
	readonly #review: Pick<RemoteReview, "lines" | "shape">;
	/** Frames with predictions, ascending. */
	readonly #frames: readonly number[];
	readonly #kept = new Map<number, FrameLines>();
	readonly #asked = new Map<number, Promise<FrameLines>>();
	readonly #only: KeptIn | undefined;

	/** @param only what the lines are limited to */
	constructor(
		review: Pick<RemoteReview, "lines" | "shape">,
		{ frames }: Pick<SceneReport, "frames">,
		only?: KeptIn,
	) {
		this.#review = review;
		this.#only = only;
		this.#frames = frames.map(({ frame }) => frame);
	}

	/**
	 * Returns the frame whose predictions are displayed in `frame`: itself, or the last
	 * one before it whose predictions reach `frame`.
	 */
	source(frame: number): number | undefined {
		const source = this.#frames[this.#after(frame) - 1];
		return source !== undefined && this.reaches(source, frame) ? source : undefined;
	}

	/** Returns whether the predictions of frame `source` reach `frame`. */
	reaches(source: number, frame: number): boolean {
		return source <= frame && frame - source <= this.#review.shape.steps;
	}

	/** Returns the lines of a frame if loaded. */
	kept(frame: number): FrameLines | undefined {
		return this.#kept.get(frame);
	}

	async load(frame: number): Promise<FrameLines> {
		const kept = this.#kept.get(frame);
		if (kept) return kept;
		const asked = this.#asked.get(frame) ?? this.#ask(frame);
		this.#asked.set(frame, asked);
		return asked;
	}

	/** Returns the lines of the next predicted frame after `frame` if loaded. */
	ahead(frame: number): FrameLines | undefined {
		const next = this.#frames[this.#after(frame)];
		return next === undefined ? undefined : this.#kept.get(next);
	}

	/** Loads the frames that playback shows next. */
	prefetch(frame: number): void {
		const next = this.#after(frame);
		for (const ahead of this.#frames.slice(next, next + AHEAD)) {
			this.load(ahead).catch(() => {}); // reported when the frame is displayed
		}
	}

	/** Returns the number of predicted frames up to and including `frame`. */
	#after(frame: number): number {
		let [low, high] = [0, this.#frames.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#frames[middle] ?? 0) <= frame) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	async #ask(frame: number): Promise<FrameLines> {
		try {
			const lines = { frame, ...(await this.#review.lines(frame, this.#only)) };
			this.#kept.set(frame, lines);
			const [oldest] = this.#kept.keys();
			if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
			return lines;
		} finally {
			this.#asked.delete(frame);
		}
	}
}
