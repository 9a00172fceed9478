import type { FrameRange } from "../timeline/clock.js";

/** A range of values. */
export type Range = readonly [low: number, high: number];

/** Returns a round step, 1, 2 or 5 times a power of ten, of at least `span / most`. */
export function roundStep(span: number, most: number): number {
	const least = span / Math.max(1, most);
	if (!(least > 0) || !Number.isFinite(least)) return 1;
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 5, 10].find((f) => f * power >= least * (1 - 1e-9)) ?? 10;
	return factor * power;
}

/** Returns at most `most` + 1 round values in `range`, in order. */
export function ticksIn([low, high]: Range, most: number): number[] {
	const step = roundStep(high - low, most);
	const first = Math.ceil(low / step - 1e-9);
	const last = Math.floor(high / step + 1e-9);
	if (!(last - first <= most + 1)) return [];
	// Multiples, so that errors do not add up; 0 instead of -0.
	return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step + 0);
}

/** Returns the digits after the decimal point that tell ticks `step` apart. */
export function digitsFor(step: number): number {
	return Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

/**
 * Returns the range of the known values of frames in `span` with a margin; undefined if
 * there are none.
 */
export function rangeWithin(
	all: readonly ArrayLike<number>[],
	{ begin, end }: FrameRange,
	least: number,
): Range | undefined {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const series of all) {
		for (let k = begin; k < Math.min(end, series.length); k += 1) {
			const value = series[k] ?? Number.NaN;
			if (value < low) low = value;
			if (value > high) high = value;
		}
	}
	if (!(low <= high) || !Number.isFinite(high - low)) return undefined;
	const margin = Math.max((least - (high - low)) / 2, (high - low) * 0.06);
	return [low - margin, high + margin];
}

/** Share of the values at each end that may be outliers, of at least so many values. */
const OUTLIERS = 0.005;
const ENOUGH = 40;
/** How much wider than the others' range they make the whole one, at least. */
const FLATTENED = 1.5;

/**
 * Returns the range to draw: of all values, unless a few outliers would flatten the
 * others. Those lie beyond it then.
 */
export function usualRange(
	all: readonly ArrayLike<number>[],
	span: FrameRange,
	least: number,
): Range | undefined {
	const whole = rangeWithin(all, span, least);
	const known = all
		.flatMap((series) => Array.from(series).slice(span.begin, span.end))
		.filter(Number.isFinite)
		.sort((a, b) => a - b);
	const few = Math.ceil(known.length * OUTLIERS);
	const others = known.slice(few, -few);
	const [low = 0, high = 0] = [others[0], others.at(-1)];
	const isEven = !whole || whole[1] - whole[0] <= FLATTENED * (high - low);
	if (isEven || known.length < ENOUGH || !(high > low)) return whole;
	return rangeWithin([others], { begin: 0, end: others.length }, least);
}

/** Usual ranges by chart; a frame shown costs no sorting. */
export class UsualRanges {
	readonly #known = new Map<
		string,
		{ of: readonly unknown[]; range: Range | undefined }
	>();

	/** Returns usualRange(), computed again only for other arrays or frames. */
	of(
		chart: string,
		all: readonly ArrayLike<number>[],
		span: FrameRange,
		least: number,
	): Range | undefined {
		const of = [span.begin, span.end, least, ...all];
		const known = this.#known.get(chart);
		if (known?.of.length === of.length && known.of.every((one, i) => one === of[i]))
			return known.range;
		const range = usualRange(all, span, least);
		this.#known.set(chart, { of, range });
		return range;
	}
}

/** Maps values to pixels, linearly. */
export function scale([low, high]: Range, from: number, to: number) {
	const factor = (to - from) / (high - low || 1);
	return (value: number): number => from + (value - low) * factor;
}

/** Points to draw: pixels by frame. */
export interface Line {
	readonly seconds: ArrayLike<number>;
	readonly values: ArrayLike<number>;
	readonly x: (seconds: number) => number;
	readonly y: (value: number) => number;
}

/**
 * Returns an SVG path through the known values; unknown values interrupt it. A value
 * without known neighbours is a point.
 */
export function linePath(
	{ seconds, values, x, y }: Line,
	{ begin, end }: FrameRange,
): string {
	let path = "";
	let joined = false;
	for (let k = begin; k < end; k += 1) {
		const [time = Number.NaN, value = Number.NaN] = [seconds[k], values[k]];
		const known = Number.isFinite(time) && Number.isFinite(value);
		if (known) {
			const at = `${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
			path += joined ? `L${at}` : `M${at}h0`;
		}
		joined = known;
	}
	return path;
}

/** Returns the frame of `span` whose known time is nearest to `seconds`. */
export function nearestFrame(
	times: ArrayLike<number>,
	{ begin, end }: FrameRange,
	seconds: number,
): number {
	let best = begin;
	let least = Number.POSITIVE_INFINITY;
	for (let k = begin; k < Math.min(end, times.length); k += 1) {
		const far = Math.abs((times[k] ?? Number.NaN) - seconds);
		if (far < least) [best, least] = [k, far];
	}
	return best;
}

/** Returns the span zoomed by `factor` around `frame`, within `count` frames. */
export function zoomedSpan(
	{ begin, end }: FrameRange,
	frame: number,
	factor: number,
	count: number,
): FrameRange {
	const length = Math.min(count, Math.max(4, Math.round((end - begin) * factor)));
	const share = Math.min(1, Math.max(0, (frame - begin) / Math.max(1, end - begin)));
	const first = Math.round(frame - share * length);
	const from = Math.min(count - length, Math.max(0, first));
	return { begin: from, end: from + length };
}
