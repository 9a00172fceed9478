import { checkOptions, type Kinds } from "../base/arguments.js";
import { count, readAhead } from "../dataset/read-ahead.js";
import type { SampleAt } from "../worker/protocol.js";
import type { SamplesOptions } from "./options.js";

/** Requests the samples at `at`: a stacked batch, or a single sample. */
export type AskSamples<S> = (
	at: readonly SampleAt[],
	stacked: boolean,
	signal: AbortSignal,
) => Promise<S>;

const DEFAULT_PREFETCH = 2;

const SAMPLES: Kinds = {
	...{ signal: "any", indices: "list", scenes: "list", batch: "any" },
	...{ prefetch: "any", sequential: "flag", recycle: "flag" },
};

/**
 * Yields samples or batches in order and requests some ahead. Leaving the loop or
 * aborting cancels pending requests.
 */
export async function* iterate<S extends Disposable>(
	places: Iterable<SampleAt> | AsyncIterable<SampleAt>,
	ask: AskSamples<S>,
	options: SamplesOptions,
): AsyncGenerator<S, void, undefined> {
	checkOptions("samples", options, SAMPLES);
	const { batch, recycle = false, prefetch = DEFAULT_PREFETCH, signal } = options;
	const ahead = count("prefetch", prefetch, 0);
	const groups = grouped(places, batch === undefined ? 1 : count("batch", batch, 1));
	const one = (group: readonly SampleAt[], within: AbortSignal): Promise<S> =>
		ask(group, batch !== undefined, within);
	const release = (made: S): void => made[Symbol.dispose]();
	yield* readAhead(groups, one, { ahead, recycle, release, signal });
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
