/** Interval between pings. */
const INTERVAL_MS = 20_000;

/** Number of consecutive unanswered pings after which the other side counts as dead. */
const MAX_UNANSWERED = 3;

export interface WatchdogOptions {
	/** Sends a message that the other side answers immediately. */
	readonly ping: () => void;
	/**
	 * Called once after three consecutive unanswered pings, that is, after 60 to 80
	 * seconds.
	 */
	readonly onDead: () => void;
}

/**
 * Detects a worker that no longer answers. It counts pings instead of time, because a
 * suspended machine or a throttled page sends none. A worker that computes for a minute
 * without a break also counts as dead.
 */
export class Watchdog {
	readonly #options: WatchdogOptions;
	#timer: ReturnType<typeof setInterval> | undefined;
	#unanswered = 0;

	constructor(options: WatchdogOptions) {
		this.#options = options;
	}

	/** Starts watching. */
	start(): void {
		if (this.#timer !== undefined) return;
		this.#unanswered = 0;
		this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
	}

	/** Stops watching; no answer is expected. */
	stop(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	/** Call it when the other side has sent a message. */
	alive(): void {
		this.#unanswered = 0;
	}

	#tick(): void {
		if (this.#unanswered >= MAX_UNANSWERED) {
			this.stop();
			this.#options.onDead();
			return;
		}
		this.#unanswered += 1;
		this.#options.ping();
	}
}
