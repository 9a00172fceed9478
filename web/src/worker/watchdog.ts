/** Time between two pings. */
const INTERVAL_MS = 20_000;

/** Unanswered pings in a row after which the other side counts as dead. */
const MOST_UNANSWERED = 3;

export interface WatchdogOptions {
	/** Sends a message that the other side answers at once. */
	readonly ping: () => void;
	/** Called once, when three pings in a row stayed unanswered: after 60 to 80 seconds. */
	readonly onDead: () => void;
}

/**
 * Notices that a worker no longer answers. Counts pings, not time: a suspended machine or a
 * throttled page sends none. A worker that computes for a minute without a break counts
 * as dead, too.
 */
export class Watchdog {
	readonly #options: WatchdogOptions;
	#timer: ReturnType<typeof setInterval> | undefined;
	#unanswered = 0;

	constructor(options: WatchdogOptions) {
		this.#options = options;
	}

	/** Watches from now on; answers are expected. */
	start(): void {
		if (this.#timer !== undefined) return;
		this.#unanswered = 0;
		this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
	}

	/** Nothing is expected any more. */
	stop(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	/** The other side has sent something. */
	alive(): void {
		this.#unanswered = 0;
	}

	#tick(): void {
		if (this.#unanswered >= MOST_UNANSWERED) {
			this.stop();
			this.#options.onDead();
			return;
		}
		this.#unanswered += 1;
		this.#options.ping();
	}
}
