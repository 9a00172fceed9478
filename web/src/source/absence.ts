import { SharedTask } from "../shared-task.js";

/** Rounds of evidence before an unreadable answer counts as absence. */
const ROUNDS = 3;
/** Requests for absent keys in each round. */
const PROBES = 2;

/** How a request of another origin ended, as far as this page can see it. */
export type Seen = "answer" | "nothing";

/**
 * Decides whether an answer that the browser hides may be a 404. Another origin that sends no
 * CORS headers with its 404 looks just like a lost connection, so this asks for keys that
 * surely do not exist: only if these are hidden as well, again and again, while a key that
 * exists is readable, does the server hide absence.
 */
export class HiddenAbsence {
	readonly #probing: SharedTask<boolean>;
	#showsAbsence = false;

	/**
	 * @param ask requests a random key, which does not exist
	 * @param control requests a key that could be read before; false where there is none, or
	 * it cannot be read now
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

	/** Whether so many rounds are proof, after so many attempts for the key itself. */
	static isProven(rounds: number, attempts: number): boolean {
		return rounds >= Math.min(ROUNDS, attempts);
	}

	/** Takes note of an absent key whose answer this page could see. */
	shown(): void {
		this.#showsAbsence = true;
	}

	/** Whether one more round supports it. Concurrent callers share a round. */
	async supported(signal: AbortSignal | undefined): Promise<boolean> {
		return !this.#showsAbsence && (await this.#probing.join(signal));
	}
}
