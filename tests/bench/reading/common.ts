/** The array that is read. */
export const ARRAY = "agents";

/** Milliseconds of each call of a round, by what was called. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** The value that a share of all values is below. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

/** What other threads take to end a worker, and to give memory back. */
const SETTLED_MS = 100;

/** What one has left behind is cleared away before the next is timed, not meanwhile. */
export async function collectGarbage(): Promise<void> {
	const { gc } = globalThis as { gc?: () => void };
	if (!gc) throw new Error("started without --expose-gc");
	gc();
	await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
}
