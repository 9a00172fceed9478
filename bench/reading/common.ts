/** The array that is read. */
export const ARRAY = "agents";

/** Milliseconds of each call of a round, by call. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** Returns the quantile `share` of the values. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

/** Time for other threads to end a worker and release memory. */
const SETTLED_MS = 100;

/** Collects one case's garbage before the next is measured. */
export async function collectGarbage(): Promise<void> {
	const { gc } = globalThis as { gc?: () => void };
	if (!gc) throw new Error("started without --expose-gc");
	gc();
	await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
}
