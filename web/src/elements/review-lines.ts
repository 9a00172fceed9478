import type { HeldReview } from "../reviewing/held-review.js";
import type { SceneReport } from "../reviewing/protocol.js";
import type { FrameLines } from "./review-state.js";

/** Frames whose lines are kept, the last ones asked for. */
const MOST_KEPT = 16;
/** Predicted frames that are asked for ahead of the one on show. */
const AHEAD = 3;

/** What is predicted in the frames of one scene, asked for as it is needed. */
export class SceneLines {
	readonly #review: Pick<HeldReview, "lines" | "shape">;
	/** In order. */
	readonly #frames: readonly number[];
	readonly #kept = new Map<number, FrameLines>();
	readonly #asked = new Map<number, Promise<FrameLines>>();

	constructor(
		review: Pick<HeldReview, "lines" | "shape">,
		{ frames }: Pick<SceneReport, "frames">,
	) {
		this.#review = review;
		this.#frames = frames.map(({ frame }) => frame);
	}

	/**
	 * The frame whose predictions are seen in `frame`: itself, or the last one before it, as
	 * long as its predictions reach that far.
	 */
	source(frame: number): number | undefined {
		const source = this.#frames[this.#after(frame) - 1];
		return source !== undefined && this.reaches(source, frame) ? source : undefined;
	}

	/** Whether what is predicted in frame `source` is of a time that `frame` is within. */
	reaches(source: number, frame: number): boolean {
		return source <= frame && frame - source <= this.#review.shape.steps;
	}

	/** The lines of a frame where they are there. */
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

	/** Asks for what playing on will show next. */
	prefetch(frame: number): void {
		const next = this.#after(frame);
		for (const ahead of this.#frames.slice(next, next + AHEAD)) {
			this.load(ahead).catch(() => {}); // told when it is on show
		}
	}

	/** How many predicted frames there are up to `frame`. */
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
			const lines = { frame, ...(await this.#review.lines(frame)) };
			this.#kept.set(frame, lines);
			const [oldest] = this.#kept.keys();
			if (this.#kept.size > MOST_KEPT && oldest !== undefined)
				this.#kept.delete(oldest);
			return lines;
		} finally {
			this.#asked.delete(frame);
		}
	}
}
