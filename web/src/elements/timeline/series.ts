/** One value per frame; NaN if unknown. */
export type Series = Float64Array;

/**
 * Returns the range of the known values with a margin of at least `least`; undefined if
 * all are unknown.
 */
export function rangeOfSeries(
	all: readonly Series[],
	least: number,
): readonly [number, number] | undefined {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const series of all) {
		for (const value of series) {
			if (value < low) low = value;
			if (value > high) high = value;
		}
	}
	if (low > high) return undefined;
	const room = Math.max(least, (high - low) * 0.08);
	return [low - room, high + room];
}

/**
 * Returns an SVG path: x in frames, y from 1 (`low`) to 0 (`high`); interrupted at
 * unknown values.
 */
export function seriesPath(series: Series, low: number, high: number): string {
	let path = "";
	let joined = false;
	series.forEach((value, k) => {
		const known = !Number.isNaN(value);
		if (known) {
			const y = ((high - value) / (high - low)).toFixed(4);
			path += `${joined ? "L" : "M"}${k} ${y}`;
		}
		joined = known;
	});
	return path;
}
