import type { FrameView } from "../frame-view.js";
import type { ViewerDataset } from "./dataset.js";
import { type FrameRange, rangesOf } from "./pure/clock.js";
import { isAbort } from "./pure/problem.js";

export interface LoaderOptions {
	readonly dataset: ViewerDataset;
	readonly scene: number;
	readonly count: number;
	/** Frames of trail and of future, and the label threshold, that every frame is read with. */
	readonly past: number;
	readonly future: number;
	readonly threshold: number;
	/** A frame came in, or (with an error) the frame in focus could not be read. */
	readonly onChange: (frame: number, error?: unknown) => void;
}

/** 4: enough to keep the worker and a connection busy, few enough to give way to a seek. */
const IN_FLIGHT = 4;
/** Frames kept: a scene of L5Kit's length (248) with room to spare. */
const CAPACITY = 320;
/** Behind the focus: a step back should not wait. */
const BEHIND = 4;

/**
 * The frames of one scene around the one in focus. What is in focus goes first, then what
 * follows it; moving the focus aborts what is no longer wanted.
 */
export class FrameLoader {
	readonly #options: LoaderOptions;
	readonly #frames = new Map<number, FrameView>();
	readonly #inFlight = new Map<number, AbortController>();
	readonly #failed = new Set<number>();
	#focus = 0;
	#wanted: readonly number[] = [];
	#disposed = false;

	constructor(options: LoaderOptions) {
		this.#options = options;
	}

	get ranges(): FrameRange[] {
		return rangesOf(this.#frames.keys());
	}

	has(frame: number): boolean {
		return this.#frames.has(frame);
	}

	get(frame: number): FrameView | undefined {
		return this.#frames.get(frame);
	}

	/** Every frame held, by its index in the scene. */
	get all(): ReadonlyMap<number, FrameView> {
		return this.#frames;
	}

	/** The frame held that is nearest to `frame`. */
	nearest(frame: number): FrameView | undefined {
		let best: number | undefined;
		for (const held of this.#frames.keys()) {
			if (best === undefined || Math.abs(held - frame) < Math.abs(best - frame)) {
				best = held;
			}
		}
		return best === undefined ? undefined : this.#frames.get(best);
	}

	/** Wants `frame` now and `ahead` more after it. A frame that failed is tried again. */
	focus(frame: number, ahead: number): void {
		this.#focus = frame;
		this.#failed.delete(frame);
		const end = Math.min(
			this.#options.count,
			frame + 1 + Math.min(ahead, CAPACITY - 8),
		);
		const wanted: number[] = [];
		for (let f = frame; f < end; f += 1) wanted.push(f);
		for (let f = frame - 1; f >= Math.max(0, frame - BEHIND); f -= 1) wanted.push(f);
		this.#wanted = wanted;
		const keep = new Set(wanted);
		for (const [f, abort] of this.#inFlight) {
			if (keep.has(f)) continue;
			this.#inFlight.delete(f);
			abort.abort();
		}
		this.#pump();
	}

	/** Aborts everything and gives the frames' memory back, but for `keep`, which is on show. */
	dispose(keep?: FrameView): void {
		this.#disposed = true;
		for (const abort of this.#inFlight.values()) abort.abort();
		this.#inFlight.clear();
		for (const view of this.#frames.values()) if (view !== keep) view.release();
		this.#frames.clear();
	}

	#pump(): void {
		for (const frame of this.#wanted) {
			const urgent = frame === this.#focus;
			if (this.#inFlight.size >= IN_FLIGHT && !urgent) return;
			if (this.#frames.has(frame) || this.#inFlight.has(frame)) continue;
			if (this.#failed.has(frame)) continue;
			void this.#load(frame);
		}
	}

	async #load(frame: number): Promise<void> {
		const { dataset, scene, past, future, threshold, onChange } = this.#options;
		const abort = new AbortController();
		this.#inFlight.set(frame, abort);
		let failure: { error: unknown } | undefined;
		try {
			const options = { past, future, threshold, signal: abort.signal };
			this.#keep(frame, await dataset.frame(scene, frame, options), abort.signal);
		} catch (error) {
			if (!abort.signal.aborted && !isAbort(error)) failure = { error };
		}
		if (this.#inFlight.get(frame) === abort) this.#inFlight.delete(frame);
		if (this.#disposed || abort.signal.aborted) return;
		if (failure) {
			this.#failed.add(frame);
			if (frame === this.#focus) onChange(frame, failure.error);
		} else {
			onChange(frame);
		}
		this.#pump();
	}

	#keep(frame: number, view: FrameView, signal: AbortSignal): void {
		if (this.#disposed || signal.aborted) {
			view.release();
			return;
		}
		this.#frames.set(frame, view);
		while (this.#frames.size > CAPACITY) this.#evict();
	}

	#evict(): void {
		let farthest = this.#focus;
		for (const frame of this.#frames.keys()) {
			if (Math.abs(frame - this.#focus) > Math.abs(farthest - this.#focus))
				farthest = frame;
		}
		// Not released: it may still be on show. The collector takes it when it is not.
		this.#frames.delete(farthest);
	}
}
