import type { Failure, Logged } from "./http-server.js";
import { random } from "./random.js";

export interface StormOptions {
	readonly seed: number;
	/** Share of requests that fail, 0 to 1. */
	readonly share: number;
	/** Requests to other paths never fail. */
	readonly prefix: string;
	/** Whether bodies may stall. Default true. */
	readonly stalls?: boolean;
}

/** Failures of a server, proxy or network. */
const FAILURES: readonly ((at: number) => Failure)[] = [
	() => ({ status: 503 }),
	() => ({ status: 500 }),
	() => ({ status: 429, headers: { "Retry-After": "0" } }),
	() => ({ reset: true }),
	(at) => ({ cutAfter: Math.floor(at * 400) }),
	(at) => ({ stallAfter: Math.floor(at * 400) }),
	(at) => ({ truncateTo: Math.floor(at * 400) }),
	(at) => ({ delayMs: Math.floor(at * 30) }),
	() => ({ ignoreRange: true }),
	(at) => ({ headers: { ETag: `"another-${Math.floor(at * 4)}"` } }),
	() => ({ hideFromOthers: true, status: 502 }),
];

/** Returns a function that chooses failing responses at random, from a seed. */
export function storm(options: StormOptions): (request: Logged) => Failure | undefined {
	const { seed, share, prefix } = options;
	const next = random(seed);
	const { stalls = true } = options;
	return ({ path }) => {
		if (!path.startsWith(prefix) || next() >= share) return undefined;
		const make = FAILURES[Math.floor(next() * FAILURES.length)];
		const failure = make?.(next());
		return failure?.stallAfter !== undefined && !stalls ? { reset: true } : failure;
	};
}
