import { SharedTask } from "../base/shared-task.js";

/** Number of reads without a range after a server ignored one. */
const PAUSE = 8;

/**
 * Decides whether to send range requests. Once a server has honoured a range, always.
 * If it ignored one, it is tried again from time to time: a cache in front of it may
 * have been cold.
 */
export class RangeSupport {
	#honoured = false;
	#pause = 0;

	/** Call it once per ranged read. */
	isWorthAsking(): boolean {
		if (this.#honoured || this.#pause === 0) return true;
		this.#pause -= 1;
		return false;
	}

	honoured(): void {
		this.#honoured = true;
	}

	ignored(): void {
		this.#pause = PAUSE;
	}
}

/** Number of supporting rounds before an unreadable response counts as absence. */
const ROUNDS = 3;
/** Requests for absent keys per round. */
const PROBES = 2;

/** Outcome of a cross-origin request, as far as the page can see it. */
export type Seen = "answer" | "nothing";

/**
 * Decides whether a response hidden by the browser may be a 404. If another origin
 * sends no CORS headers with its 404, the response looks like a lost connection.
 * Therefore this class requests keys that cannot exist. The server hides absence if
 * these requests are hidden as well, repeatedly, while an existing key is readable.
 */
export class HiddenAbsence {
	readonly #probing: SharedTask<boolean>;
	#showsAbsence = false;

	/**
	 * @param ask requests a random key, which does not exist
	 * @param control requests a key that was readable before; false if there is none, or
	 * if it is not readable now
	 */
	constructor(
		ask: (signal: AbortSignal) => Promise<Seen>,
		control: (signal: AbortSignal) => Promise<boolean>,
	) {
		this.#probing = new SharedTask(async (signal) => {
			const probes = Array.from({ length: PROBES }, () => ask(signal));
			const [isUp, ...seen] = await Promise.all([control(signal), ...probes]);
			this.#probing.forget();
			if (seen.includes("answer")) this.#showsAbsence = true;
			return isUp && !this.#showsAbsence;
		});
	}

	/**
	 * Whether `rounds` are sufficient proof, given the number of attempts for the key
	 * itself.
	 */
	static isProven(rounds: number, attempts: number): boolean {
		return rounds >= Math.min(ROUNDS, attempts);
	}

	/** Records that a 404 was visible to the page. */
	shown(): void {
		this.#showsAbsence = true;
	}

	/**
	 * Runs one round; returns whether it supports absence. Concurrent callers share a
	 * round.
	 */
	async supported(signal: AbortSignal | undefined): Promise<boolean> {
		return !this.#showsAbsence && (await this.#probing.join(signal));
	}
}
