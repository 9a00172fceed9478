import type { ByteRange } from "../source.js";

/** A byte range and the holder of its bytes. */
export interface CachedRange<T> extends ByteRange {
	readonly holder: T;
}

/** Byte ranges of one object in storage, disjoint and sorted. */
export class CachedRanges<T> {
	#held: CachedRange<T>[] = [];

	/** Adds the parts of `range` that are not held yet. */
	add(range: ByteRange, holder: T): void {
		const held = this.within(range);
		for (const { begin, end } of gapsIn(range, held)) {
			this.#held.splice(this.#firstAfter(begin), 0, { begin, end, holder });
		}
	}

	/** Removes the ranges of these holders. */
	remove(holders: ReadonlySet<T>): void {
		this.#held = this.#held.filter(({ holder }) => !holders.has(holder));
	}

	/** Returns the held parts of `range`, in order. */
	within(range: ByteRange): CachedRange<T>[] {
		const found: CachedRange<T>[] = [];
		for (let at = this.#firstAfter(range.begin); at < this.#held.length; at += 1) {
			const next = this.#held[at] as CachedRange<T>;
			if (next.begin >= range.end) break;
			const begin = Math.max(next.begin, range.begin);
			const end = Math.min(next.end, range.end);
			found.push({ begin, end, holder: next.holder });
		}
		return found;
	}

	/** Returns the index of the first range that ends after `at`. */
	#firstAfter(at: number): number {
		let [low, high] = [0, this.#held.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#held[middle] as CachedRange<T>).end > at) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

/**
 * Returns the parts of `range` that are not in `held`, which is sorted and disjoint.
 */
export function gapsIn(range: ByteRange, held: readonly ByteRange[]): ByteRange[] {
	const gaps: ByteRange[] = [];
	let at = range.begin;
	for (const { begin, end } of held) {
		if (begin > at) gaps.push({ begin: at, end: begin });
		at = Math.max(at, end);
	}
	if (at < range.end) gaps.push({ begin: at, end: range.end });
	return gaps;
}

/**
 * Returns the smallest range that completes `held` to `range`; undefined if `held`
 * covers it.
 */
export function holeIn(
	range: ByteRange,
	held: readonly ByteRange[],
): ByteRange | undefined {
	const gaps = gapsIn(range, held);
	const [first, last] = [gaps[0], gaps.at(-1)];
	return first && last && { begin: first.begin, end: last.end };
}
