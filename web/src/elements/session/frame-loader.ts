import type { FrameOptions } from "../../api.js";
import { Latest } from "../../base/latest.js";
import type { FrameView } from "../../dataset/frame-view.js";
import { type FrameRange, rangesOf } from "../timeline/clock.js";
import type { ViewerDataset } from "./dataset.js";
import type { Readable } from "./parts.js";
import { isAbort } from "./problem.js";

/** Why a frame could not be read, and what of it could; undefined until read. */
export interface Failure {
	readonly error: unknown;
	readonly rest?: Readable<FrameView> | undefined;
}

export interface LoaderOptions {
	readonly dataset: ViewerDataset;
	readonly scene: number;
	readonly count: number;
	/**
	 * Options of every frame read: frames of trail and future, and the label threshold.
	 */
	readonly past: number;
	readonly future: number;
	readonly threshold: number;
	/** Called when a frame was read or failed; see `failure`. */
	readonly onChange: (frame: number) => void;
}

/**
 * Concurrent reads: enough to keep the worker and a connection busy, few enough to not
 * delay a seek.
 */
const IN_FLIGHT = 4;
/** Maximum number of loaded frames; more than an L5Kit scene (248). */
const CAPACITY = 320;
/** Reads up to this many frames ahead of a new focus are kept. */
const NEAR = 16;
/**
 * Loads the frames of one scene around the focused one: the focused frame first, then
 * the following ones. Moving the focus aborts reads that are no longer needed.
 */
export class FrameLoader {
	readonly #options: LoaderOptions;
	readonly #frames = new Map<number, FrameView>();
	readonly #inFlight = new Map<number, AbortController>();
	readonly #failed = new Map<number, Failure>();
	/** The read of what is readable of the focused frame. */
	readonly #rest = new Latest();
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

	/** Ranges of failed frames. */
	get failedRanges(): FrameRange[] {
		return rangesOf(this.#failed.keys());
	}

	/** Returns the failure of `frame`; undefined if it was not read or is loaded. */
	failure(frame: number): Failure | undefined {
		return this.#failed.get(frame);
	}

	/** Clears all failures and reads those frames again. */
	retry(): void {
		this.#rest.cancel();
		this.#failed.clear();
		this.focus(this.#focus);
	}

	/** Aborts pending requests and sends them again. */
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

	/** Every loaded frame, by its index in the scene. */
	get all(): ReadonlyMap<number, FrameView> {
		return this.#frames;
	}

	/** Returns the loaded frame nearest to `frame`. */
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
	 * Reads `frame`, then the following and the preceding frames within the capacity.
	 * Failed frames are not read again before `retry`.
	 */
	focus(frame: number): void {
		if (frame !== this.#focus) this.#rest.cancel();
		this.#focus = frame;
		this.#wanted = this.#wantedAround(frame);
		// When the user waits for a frame, reads of other frames are aborted.
		if (this.#frames.has(frame) || this.#failed.has(frame)) {
			this.#awaited = undefined;
		} else if (!this.#inFlight.has(frame)) {
			this.#awaited = frame;
			this.#abortBeyond(frame);
		}
		this.#readRest();
		this.#pump();
	}

	/** Aborts all reads and releases the frames, except the displayed frame `keep`. */
	dispose(keep?: FrameView): void {
		this.#disposed = true;
		this.#rest.cancel();
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
	 * Starts reads in order of priority. An awaited frame is read alone: sequential reads
	 * fetch whole chunks, which would delay the few bytes that the user waits for and
	 * fetch them twice.
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

	#read(frame: number, options: FrameOptions): Promise<FrameView> {
		const { dataset, scene, past, future, threshold } = this.#options;
		return dataset.frame(scene, frame, { past, future, threshold, ...options });
	}

	async #load(frame: number): Promise<void> {
		const abort = new AbortController();
		this.#inFlight.set(frame, abort);
		let failure: Failure | undefined;
		try {
			const options = { sequential: frame !== this.#awaited, signal: abort.signal };
			this.#keep(frame, await this.#read(frame, options), abort.signal);
		} catch (error) {
			if (!abort.signal.aborted && !isAbort(error)) failure = { error };
		}
		// Skips this if another read has replaced this one.
		if (this.#inFlight.get(frame) === abort) {
			this.#inFlight.delete(frame);
			if (this.#awaited === frame) this.#awaited = undefined;
		}
		if (this.#disposed || abort.signal.aborted) return;
		if (failure) this.#failed.set(frame, failure);
		this.#options.onChange(frame);
		this.#readRest();
		this.#pump();
	}

	/** Reads what is readable of the focused frame if it failed. */
	#readRest(): void {
		const frame = this.#focus;
		const failure = this.#failed.get(frame);
		if (!failure || "rest" in failure || this.#rest.isBusy) return;
		const read = async (signal: AbortSignal) => {
			const { readRest } = await import("./rest.js");
			return readRest((parts) => this.#read(frame, { ...parts, signal }), signal);
		};
		void this.#rest.run(read, {
			done: (rest) => {
				this.#failed.set(frame, { ...failure, rest });
				if (rest) this.#options.onChange(frame);
			},
			failed: () => {},
			discard: (rest) => rest?.made.release(),
		});
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
		// Not released, since it may still be displayed; the garbage collector frees it.
		this.#frames.delete(farthest);
	}
}
