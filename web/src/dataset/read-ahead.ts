import { BevError } from "../base/errors.js";

/** Options of a sequence that is read ahead. */
export interface AheadOptions<T> {
	/** Number of items to request ahead. */
	readonly ahead: number;
	/** Whether to release each item when the next one is requested. */
	readonly recycle: boolean;
	readonly release: (item: T) => void;
	readonly signal: AbortSignal | undefined;
}

/**
 * Yields the item of each request in order and asks for some ahead. Leaving the loop or
 * aborting cancels pending requests and releases their items.
 */
export async function* readAhead<R, T>(
	requests: Iterable<R> | AsyncIterable<R>,
	ask: (request: R, signal: AbortSignal) => Promise<T>,
	options: AheadOptions<T>,
): AsyncGenerator<T, void, undefined> {
	const control = new AbortController();
	const signal = options.signal ? either(options.signal, control) : control.signal;
	const asked: Promise<T>[] = [];
	try {
		for await (const request of requests) {
			const item = ask(request, signal);
			item.catch(() => {}); // reported when it is awaited
			asked.push(item);
			if (asked.length > options.ahead) yield* handOut(asked, options, signal);
		}
		while (asked.length > 0) yield* handOut(asked, options, signal);
	} finally {
		control.abort(new DOMException("no caller is waiting", "AbortError"));
		for (const item of asked) item.then(options.release, () => {});
	}
}

async function* handOut<T>(
	asked: Promise<T>[],
	{ recycle, release }: AheadOptions<T>,
	signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
	signal.throwIfAborted(); // requests made ahead may have been answered already
	const first = await asked[0];
	asked.shift();
	if (first === undefined) return;
	try {
		yield first;
	} finally {
		if (recycle) release(first);
	}
}

/** Returns a signal that `outer` and `control` abort. */
function either(outer: AbortSignal, control: AbortController): AbortSignal {
	outer.throwIfAborted();
	const abort = (): void => control.abort(outer.reason);
	outer.addEventListener("abort", abort, { once: true, signal: control.signal });
	return control.signal;
}

/** Returns `value`. Throws if it is not a whole number of at least `least`. */
export function count(name: string, value: number, least: number): number {
	if (Number.isSafeInteger(value) && value >= least) return value;
	throw new BevError(
		"invalid_argument",
		`${name}: invalid value (found ${value}, expected an integer from ${least})`,
	);
}
