/**
 * How the rows of row groups are divided into chunks, as in
 * python/bevscope/_parquet_store/layout.py: plans and orders depend on it.
 */

/** Decoded bytes of a chunk of the widest column, unless one row has more. */
export const MAX_CHUNK_BYTES = 2 ** 24;

/** Row groups of a chunk that is a whole file. */
const MAX_GROUPS = 4;

/** Returns the most frequent length, of several the longest. */
function usual(lengths: readonly number[]): number {
	const counts = new Map<number, number>();
	for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
	let [best, most] = [0, 0];
	for (const [length, count] of counts) {
		if (count > most || (count === most && length > best))
			[best, most] = [length, count];
	}
	return best;
}

/** Returns the rows of groups that are decoded if every chunk is read alone. */
function rowsNeeded(lengths: readonly number[], chunkRows: number): number {
	let [needed, begin] = [0, 0];
	for (const length of lengths) {
		const last = begin + length - 1;
		const chunks = Math.floor(last / chunkRows) - Math.floor(begin / chunkRows) + 1;
		needed += chunks * length;
		begin += length;
	}
	return needed;
}

/**
 * Returns the rows of a chunk: of the usual lengths of row groups and files the one for
 * which chunks need the fewest rows of groups, divided if chunks would be too large.
 *
 * @param files rows of each row group of each file
 * @param rowBytes bytes of a row of the widest column
 */
export function chunkRowsOf(
	files: readonly (readonly number[])[],
	rowBytes: number,
): number {
	const lengths = files.flat().filter((length) => length > 0);
	if (lengths.length === 0) return 1;
	const ordered = [...lengths].sort((a, b) => a - b);
	const median = ordered[(ordered.length - 1) >> 1] ?? 1;
	const longest = ordered.at(-1) ?? 1;
	const whole = usual(files.map((groups) => groups.reduce((a, b) => a + b, 0)));
	const candidates = [median, longest, Math.max(median, usual(lengths))];
	if (longest < whole && whole <= MAX_GROUPS * longest) candidates.push(whole);
	candidates.sort((a, b) => a - b);
	let [best, least] = [1, Number.POSITIVE_INFINITY];
	for (const rows of candidates) {
		const needed = rowsNeeded(lengths, rows);
		if (needed < least) [best, least] = [rows, needed];
	}
	const most = Math.max(1, Math.floor(MAX_CHUNK_BYTES / Math.max(rowBytes, 1)));
	return Math.ceil(best / Math.ceil(best / most));
}

/** Rows of a row group in a chunk. */
export interface Part {
	readonly group: number;
	/** Rows in the group. */
	readonly begin: number;
	readonly end: number;
	/** Row in the chunk. */
	readonly at: number;
}

/** The chunks of a table, and the row groups that they consist of. */
export class Layout {
	readonly chunkRows: number;
	/** First row of each group, and the number of all rows. */
	readonly #firsts: number[] = [0];

	constructor(lengths: readonly number[], chunkRows: number) {
		this.chunkRows = chunkRows;
		for (const length of lengths) this.#firsts.push(this.rows + length);
	}

	get rows(): number {
		return this.#firsts.at(-1) ?? 0;
	}

	get chunks(): number {
		return Math.ceil(this.rows / this.chunkRows);
	}

	/** Yields the rows of each row group that are in a chunk. */
	*parts(chunk: number): Generator<Part> {
		const begin = chunk * this.chunkRows;
		const end = Math.min(begin + this.chunkRows, this.rows);
		for (let group = this.#groupOf(begin); ; group += 1) {
			const [first, last] = [this.#firsts[group], this.#firsts[group + 1]];
			if (first === undefined || last === undefined || first >= end) return;
			if (last === first) continue;
			const low = Math.max(begin, first);
			const high = Math.min(end, last);
			yield { group, begin: low - first, end: high - first, at: low - begin };
		}
	}

	/** Returns the last group that begins at or before a row. */
	#groupOf(row: number): number {
		let [low, high] = [0, this.#firsts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((this.#firsts[middle] ?? 0) <= row) low = middle;
			else high = middle;
		}
		return low;
	}
}
