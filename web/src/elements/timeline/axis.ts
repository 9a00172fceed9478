import { usualRange } from "../plots/chart-scale.js";

/** One value per frame; NaN if unknown. */
export type Series = Float64Array;

/** The vertical axis of a row, and the range of its values. */
export interface Axis {
	/** Drawn range; values outside are marked at its ends. */
	readonly low: number;
	readonly high: number;
	/** The least and the greatest known value. */
	readonly bounds: readonly [number, number];
}

/** Returns the least and the greatest known value; undefined if all are unknown. */
export function boundsOfSeries(
	all: readonly Series[],
): readonly [number, number] | undefined {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const series of all) {
		for (const value of series) {
			if (value < low) low = value;
			if (value > high) high = value;
		}
	}
	return low > high ? undefined : [low, high];
}

/**
 * Returns the axis of rows: the known values without the few that would flatten the others,
 * and a margin, over at least `least`; from 0 if `fromZero` and none is negative.
 * Undefined if all values are unknown.
 */
export function axisOf(
	all: readonly Series[],
	{ least, fromZero = false }: { readonly least: number; readonly fromZero?: boolean },
): Axis | undefined {
	const bounds = boundsOfSeries(all);
	const frames = Math.max(0, ...all.map(({ length }) => length));
	const usual = usualRange(all, { begin: 0, end: frames }, least);
	if (!bounds || !usual) return undefined;
	const [low, high] = usual;
	const isFromZero = fromZero && bounds[0] >= 0;
	return isFromZero
		? { low: 0, high: Math.max(high, least), bounds }
		: { low, high, bounds };
}

/**
 * Returns an SVG path: x in frames, y from 1 (`low`) to 0 (`high`); interrupted at
 * unknown values; one without known neighbours is a point. Values beyond the axis are drawn at its end.
 */
export function seriesPath(series: Series, low: number, high: number): string {
	let path = "";
	let joined = false;
	series.forEach((value, k) => {
		const known = !Number.isNaN(value);
		if (known) {
			const share = Math.min(1, Math.max(0, (high - value) / (high - low)));
			const at = `${k} ${share.toFixed(4)}`;
			path += joined ? `L${at}` : `M${at}h0`;
		}
		joined = known;
	});
	return path;
}

/** Returns the frames whose values lie above (`true`) or below the axis. */
export function beyond(
	series: Series,
	{ low, high }: Pick<Axis, "low" | "high">,
): (readonly [frame: number, isAbove: boolean])[] {
	const found: [number, boolean][] = [];
	series.forEach((value, k) => {
		if (value > high || value < low) found.push([k, value > high]);
	});
	return found;
}
