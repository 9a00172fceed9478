/** Seconds since the first frame, from the data's own timestamps in nanoseconds. */
export function secondsOf(timestamps: ArrayLike<bigint>): Float64Array {
	const seconds = new Float64Array(timestamps.length);
	const first = timestamps[0] ?? 0n;
	for (let i = 0; i < seconds.length; i += 1) {
		seconds[i] = Number((timestamps[i] ?? first) - first) / 1e9;
	}
	return seconds;
}

/** The last frame at or before `time`; 0 before the first. `seconds` ascends. */
export function frameAt(seconds: ArrayLike<number>, time: number): number {
	let low = 0;
	let high = seconds.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((seconds[middle] ?? 0) <= time) low = middle;
		else high = middle - 1;
	}
	return Math.max(0, low);
}

/** Where playback is: data time, and the frame it falls on. */
export interface Playhead {
	readonly time: number;
	readonly frame: number;
	/** Nothing comes after. */
	readonly ended: boolean;
}

/**
 * The playhead `elapsed` seconds of wall time later. It waits at the last frame before one
 * that `isLoaded` refuses, so that a slow network delays the picture and skips none of it.
 * Nothing comes after frame `end - 1`.
 */
export function advanced(
	seconds: ArrayLike<number>,
	time: number,
	elapsed: number,
	isLoaded: (frame: number) => boolean,
	end = seconds.length,
): Playhead {
	const last = Math.max(0, Math.min(seconds.length, end) - 1);
	const from = Math.min(last, frameAt(seconds, time));
	const wanted = Math.min(time + elapsed, seconds[last] ?? 0);
	const to = frameAt(seconds, wanted);
	for (let frame = from + 1; frame <= to; frame += 1) {
		if (isLoaded(frame)) continue;
		return { time: seconds[frame - 1] ?? time, frame: frame - 1, ended: false };
	}
	return { time: wanted, frame: to, ended: to === last };
}

/** `00:09.0`; an hour and more as `1:00:09.0`. */
export function formatTime(seconds: number): string {
	const tenths = Math.max(0, Math.round(seconds * 10));
	const two = (n: number) => String(n).padStart(2, "0");
	const rest = `${two(Math.floor(tenths / 600) % 60)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
	const hours = Math.floor(tenths / 36_000);
	return hours > 0 ? `${hours}:${rest}` : rest;
}

/** An index in its range, for a screen reader: `84 of 0 to 247`. */
export function indexWords(index: number, count: number): string {
	return `${index} of 0 to ${Math.max(0, count - 1)}`;
}

/** What a screen reader says of the slider: `frame 84 of 0 to 247, 8.4 s`. */
export function frameText(frame: number, count: number, seconds: number): string {
	return `frame ${indexWords(frame, count)}, ${seconds.toFixed(1)} s`;
}

/** `2019-10-10 19:24` in UTC, from nanoseconds. */
export function formatDate(nanoseconds: bigint): string {
	const date = new Date(Number(nanoseconds / 1_000_000n));
	if (Number.isNaN(date.getTime())) return "";
	return date.toISOString().slice(0, 16).replace("T", " ");
}

/** `2019-10-10 19:24:05` in UTC, from nanoseconds. */
export function formatDateSeconds(nanoseconds: bigint): string {
	const minutes = formatDate(nanoseconds);
	if (minutes === "") return "";
	const second = new Date(Number(nanoseconds / 1_000_000n)).getUTCSeconds();
	return `${minutes}:${String(second).padStart(2, "0")}`;
}

export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** The speed one notch up (+1) or down (-1). */
export function steppedSpeed(speed: number, direction: 1 | -1): number {
	const at = SPEEDS.findIndex((s) => s >= speed);
	const from = at < 0 ? SPEEDS.length - 1 : at;
	return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, from + direction))] ?? 1;
}

/** A half-open run of frames. */
export interface FrameRange {
	readonly begin: number;
	readonly end: number;
}

/** The frames from `a` to `b`, both of them, whichever comes first. */
export function rangeOf(a: number, b: number): FrameRange {
	return { begin: Math.min(a, b), end: Math.max(a, b) + 1 };
}

/** What of `range` is among `count` frames: one of them at least. */
export function clampedRange({ begin, end }: FrameRange, count: number): FrameRange {
	const first = Math.min(Math.max(0, begin), Math.max(0, count - 1));
	return { begin: first, end: Math.min(Math.max(first + 1, end), Math.max(1, count)) };
}

/** Sorted, joined runs of the frames in `loaded`. */
export function rangesOf(loaded: Iterable<number>): FrameRange[] {
	const ranges: FrameRange[] = [];
	for (const frame of [...loaded].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && frame <= last.end)
			ranges[ranges.length - 1] = { ...last, end: frame + 1 };
		else ranges.push({ begin: frame, end: frame + 1 });
	}
	return ranges;
}
