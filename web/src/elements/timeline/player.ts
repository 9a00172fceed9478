import { advanced, type FrameRange, frameAt, type Playhead } from "./clock.js";

/** Schedules the player's ticks; `requestAnimationFrame` in a page. */
export interface Ticker {
	/** Calls back once, with the time in milliseconds. */
	request(callback: (now: number) => void): number;
	cancel(handle: number): void;
}

export const PAGE_TICKER: Ticker = {
	request: (callback) => requestAnimationFrame(callback),
	cancel: (handle) => cancelAnimationFrame(handle),
};

export interface PlayerHooks {
	/** Time of each frame in seconds, starting at the scene's first. */
	seconds(): ArrayLike<number>;
	speed(): number;
	isLoaded(frame: number): boolean;
	/** Returns the range to loop; undefined plays to the scene's end. */
	loop(): FrameRange | undefined;
	/** Called when the playhead moves, or waits for a frame. */
	onTick(head: Playhead, waiting: boolean): void;
}

/** Maximum time per tick, so that a suspended tab does not jump. */
const MAX_STEP_MS = 250;

function startOf({ begin }: FrameRange, seconds: ArrayLike<number>): Playhead {
	return { time: seconds[begin] ?? 0, frame: begin, ended: false };
}

/** Advances a playhead in data time. */
export class Player {
	readonly #ticker: Ticker;
	readonly #hooks: PlayerHooks;
	#handle: number | undefined;
	#last: number | undefined;
	#time = 0;

	constructor(ticker: Ticker, hooks: PlayerHooks) {
		this.#ticker = ticker;
		this.#hooks = hooks;
	}

	get playing(): boolean {
		return this.#handle !== undefined;
	}

	/** Starts at `frame`. */
	start(frame: number): void {
		this.stop();
		this.#time = this.#hooks.seconds()[frame] ?? 0;
		this.#last = undefined;
		this.#request();
	}

	stop(): void {
		if (this.#handle !== undefined) this.#ticker.cancel(this.#handle);
		this.#handle = undefined;
	}

	/** Continues from `frame` after the user moved the playhead during playback. */
	moveTo(frame: number): void {
		this.#time = this.#hooks.seconds()[frame] ?? 0;
	}

	#request(): void {
		this.#handle = this.#ticker.request((now) => this.#tick(now));
	}

	#tick(now: number): void {
		const elapsed = Math.min(MAX_STEP_MS, now - (this.#last ?? now)) / 1000;
		this.#last = now;
		const { seconds, speed, isLoaded, loop, onTick } = this.#hooks;
		const step = elapsed * speed();
		const section = loop();
		const end = section && (seconds()[section.end - 1] ?? 0);
		const moved = advanced(seconds(), this.#time, step, isLoaded, section?.end);
		// The playhead is held before a frame that is not loaded.
		const waiting = !moved.ended && frameAt(seconds(), this.#time + step) > moved.frame;
		// Shows the last frame for one tick before the loop restarts.
		const over = section !== undefined && end !== undefined && this.#time >= end;
		const looped = over ? startOf(section, seconds()) : { ...moved, ended: false };
		const head = section ? looped : moved;
		this.#time = head.time;
		this.#request();
		if (head.ended) this.stop();
		onTick(head, waiting);
	}
}
