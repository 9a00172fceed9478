/** A value a frame; NaN where it is not known. */
export type Series = Float64Array;

/**
 * The least and greatest of what is known, with room around them, `least` or more; undefined
 * when nothing is.
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

/** An SVG path: x in frames, y from 1 (`low`) to 0 (`high`); broken where nothing is known. */
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
