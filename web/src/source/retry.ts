import type { Waiting } from "./source.js";
import { unlessAborted } from "./unless-aborted.js";

export interface RetryPolicy {
	/** Attempts after the first. */
	readonly retries: number;
	/** Delay before the first retry; doubled for each further one. */
	readonly delayMs: number;
	/**
	 * Maximum wait; if a server requests a longer one, there is no retry. Default 30 s.
	 */
	readonly maxDelayMs?: number | undefined;
}

/** Four retries over about four seconds: covers a restarting server, not an outage. */
export const DEFAULT_RETRY: RetryPolicy = { retries: 4, delayMs: 250 };

const MAX_DELAY_MS = 30_000;

const HTTP_DATE = /^[A-Z][a-z]{2}, (\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d) GMT$/;

/** Whether a retry of the request is likely to succeed. */
export function isTransient(status: number): boolean {
	return [408, 425, 429].includes(status) || status >= 500;
}

/** Whether a rejection of `fetch` is certain to repeat, as far as its message tells. */
export function isFinal(message: string): boolean {
	return /redirect count exceeded|unknown scheme|URL scheme/i.test(message);
}

/**
 * Returns the milliseconds to wait before retry `attempt` (0 for the first), or
 * undefined to give up. Half of the back-off is random, and up to a tenth is added to a
 * `Retry-After`, so that readers that failed together do not retry together.
 */
export function delayBefore(
	attempt: number,
	policy: RetryPolicy,
	retryAfter: string | null = null,
	random = Math.random(),
): number | undefined {
	if (attempt >= policy.retries) return undefined;
	const { maxDelayMs = MAX_DELAY_MS } = policy;
	const asked = parseRetryAfter(retryAfter);
	if (asked > maxDelayMs) return undefined;
	const backOff = Math.min(policy.delayMs * 2 ** attempt, maxDelayMs);
	return Math.max(backOff * (0.5 + 0.5 * random), asked * (1 + 0.1 * random));
}

/**
 * Parses seconds or a date in the preferred format of RFC 9110, 5.6.7, to milliseconds;
 * 0 if the value is neither. `Date.parse` alone accepts almost any words with a number.
 */
export function parseRetryAfter(value: string | null, now = Date.now()): number {
	if (value === null) return 0;
	if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
	const date = HTTP_DATE.exec(value.trim())?.[1];
	const at = date === undefined ? Number.NaN : Date.parse(`${date} GMT`);
	const isDate = new Date(at).getUTCDate() === Number(date?.slice(0, 2));
	return isDate ? Math.max(0, at - now) : 0;
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const passed = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	try {
		await unlessAborted(passed, signal);
	} finally {
		clearTimeout(timer);
	}
}

/** Waits in progress that are reported to the user. */
export class Waits {
	readonly #waits = new Set<Waiting>();
	readonly #listeners = new Set<() => void>();

	/** Calls `listener` on every change; returns a function that removes it. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The wait that ends last. */
	get longest(): Waiting | undefined {
		let longest: Waiting | undefined;
		for (const wait of this.#waits) {
			if (!longest || wait.until > longest.until) longest = wait;
		}
		return longest;
	}

	/** Runs `work`, which waits `ms` milliseconds for `key`. */
	async during(key: string, ms: number, work: () => Promise<void>): Promise<void> {
		const wait = { key, seconds: ms / 1000, until: Date.now() + ms };
		this.#waits.add(wait);
		this.#tell();
		try {
			await work();
		} finally {
			this.#waits.delete(wait);
			this.#tell();
		}
	}

	#tell(): void {
		for (const listener of this.#listeners) listener();
	}
}
