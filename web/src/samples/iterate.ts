import { BevError } from "../errors.js";
import type { SampleAt } from "../worker/protocol.js";
import type { SamplesOptions } from "./options.js";
import { release, type Sample } from "./sample.js";

/** Requests the samples at `at`: a stacked batch, or a single sample. */
export type AskSamples = (
	at: readonly SampleAt[],
	stacked: boolean,
	signal: AbortSignal,
) => Promise<Sample>;

const DEFAULT_PREFETCH = 2;

/**
 * Yields samples or batches in order and requests some ahead. Leaving the loop or
 * aborting cancels pending requests.
 */
export async function* iterate(
	places: Iterable<SampleAt> | AsyncIterable<SampleAt>,
	ask: AskSamples,
	options: SamplesOptions,
): AsyncGenerator<Sample, void, undefined> {
	const { batch, recycle = false } = options;
	const ahead = count("prefetch", options.prefetch ?? DEFAULT_PREFETCH, 0);
	const control = new AbortController();
	const signal = options.signal ? either(options.signal, control) : control.signal;
	const groups = grouped(places, batch === undefined ? 1 : count("batch", batch, 1));
	const asked: Promise<Sample>[] = [];
	try {
		for await (const group of groups) {
			const sample = ask(group, batch !== undefined, signal);
			sample.catch(() => {}); // reported when it is awaited
			asked.push(sample);
			if (asked.length > ahead) yield* handOut(asked, recycle, signal);
		}
		while (asked.length > 0) yield* handOut(asked, recycle, signal);
	} finally {
		control.abort(new DOMException("no caller is waiting", "AbortError"));
		for (const sample of asked) sample.then(release, () => {});
	}
}

async function* handOut(
	asked: Promise<Sample>[],
	recycle: boolean,
	signal: AbortSignal,
): AsyncGenerator<Sample, void, undefined> {
	signal.throwIfAborted(); // requests made ahead may have been answered already
	const first = await asked[0];
	asked.shift();
	if (!first) return;
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

async function* grouped<T>(
	all: Iterable<T> | AsyncIterable<T>,
	size: number,
): AsyncGenerator<T[], void, undefined> {
	let group: T[] = [];
	for await (const one of all) {
		group.push(one);
		if (group.length < size) continue;
		yield group;
		group = [];
	}
	if (group.length > 0) yield group;
}

function count(name: string, value: number, least: number): number {
	if (Number.isInteger(value) && value >= least) return value;
	throw new BevError(
		"invalid_argument",
		`${name}: invalid value (found ${value}, expected an integer from ${least})`,
	);
}
