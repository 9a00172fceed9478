/** The array that is read. */
export const ARRAY = "agents";

/** Milliseconds of each call of a round, by what was called. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** The value that a share of all values is below. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}
