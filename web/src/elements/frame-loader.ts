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
	/** A frame came in, or could not be read: `failure` tells why. */
	readonly onChange: (frame: number) => void;
}

/** 4: enough to keep the worker and a connection busy, few enough to give way to a seek. */
const IN_FLIGHT = 4;
/** Frames kept: a scene of L5Kit's length (248) with room to spare. */
const CAPACITY = 320;
/** What is being read this near ahead of a new focus is of use there. */
const NEAR = 16;
/**
 * The frames of one scene around the one in focus. What is in focus goes first, then what
 * follows it; moving the focus aborts what is no longer wanted.
 */
export class FrameLoader {
	readonly #options: LoaderOptions;
	readonly #frames = new Map<number, FrameView>();
	readonly #inFlight = new Map<number, AbortController>();
	/** Why a frame could not be read. */
	readonly #failed = new Map<number, unknown>();
	/** The frame that a seek waits for. */
	#awaited: number | undefined;
	#focus = 0;
	#wanted: readonly number[] = [];
	#disposed = false;

	constructor(options: LoaderOptions) {
		this.#options = options;
	}

	get ranges(): FrameRange[] {
		return rangesOf(this.#frames.keys());
	}

	/** Frames that could not be read. */
	get failedRanges(): FrameRange[] {
		return rangesOf(this.#failed.keys());
	}

	/** Why `frame` could not be read; undefined if it was not tried or is held. */
	failure(frame: number): unknown {
		return this.#failed.get(frame);
	}

	/** Forgets all failures and reads those frames again. */
	retry(): void {
		this.#failed.clear();
		this.focus(this.#focus);
	}

	/** Aborts the requests under way and sends them again. */
	restart(): void {
		for (const abort of this.#inFlight.values()) abort.abort();
		this.#inFlight.clear();
		this.retry();
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

	/**
	 * Wants `frame` now, then what follows it, then what came before, as far as there is
	 * room. A frame that failed is not tried again before `retry`.
	 */
	focus(frame: number): void {
		this.#focus = frame;
		this.#wanted = this.#wantedAround(frame);
		// Where the user waits, what was being read for elsewhere gives way.
		if (this.#frames.has(frame) || this.#failed.has(frame)) {
			this.#awaited = undefined;
		} else if (!this.#inFlight.has(frame)) {
			this.#awaited = frame;
			this.#abortBeyond(frame);
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

	#wantedAround(frame: number): number[] {
		const end = Math.min(this.#options.count, frame + CAPACITY);
		const begin = Math.max(0, frame - (CAPACITY - (end - frame)));
		const ahead = Array.from({ length: end - frame }, (_, k) => frame + k);
		const behind = Array.from({ length: frame - begin }, (_, k) => frame - 1 - k);
		return [...ahead, ...behind];
	}

	#abortBeyond(focus: number): void {
		for (const [frame, abort] of this.#inFlight) {
			if (frame > focus && frame < focus + NEAR) continue;
			this.#inFlight.delete(frame);
			abort.abort();
		}
	}

	/**
	 * What follows is read in whole chunks, which would be in the way of the few bytes that the
	 * user waits for, and bring them a second time: so these come alone.
	 */
	#pump(): void {
		for (const frame of this.#wanted) {
			const urgent = frame === this.#focus;
			if (this.#awaited !== undefined && frame !== this.#awaited) return;
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
			const sequential = frame !== this.#awaited;
			const options = { past, future, threshold, sequential, signal: abort.signal };
			this.#keep(frame, await dataset.frame(scene, frame, options), abort.signal);
		} catch (error) {
			if (!abort.signal.aborted && !isAbort(error)) failure = { error };
		}
		// Not of a read that took the place of this one.
		if (this.#inFlight.get(frame) === abort) {
			this.#inFlight.delete(frame);
			if (this.#awaited === frame) this.#awaited = undefined;
		}
		if (this.#disposed || abort.signal.aborted) return;
		if (failure) this.#failed.set(frame, failure.error ?? new Error("no reason given"));
		onChange(frame);
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
