/** Returns seconds since the first frame, from timestamps in nanoseconds. */
export function secondsOf(timestamps: ArrayLike<bigint>): Float64Array {
	const seconds = new Float64Array(timestamps.length);
	const first = timestamps[0] ?? 0n;
	for (let i = 0; i < seconds.length; i += 1) {
		seconds[i] = Number((timestamps[i] ?? first) - first) / 1e9;
	}
	return seconds;
}

/**
 * Returns the last frame at or before `time`; 0 before the first. `seconds` is
 * ascending.
 */
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

/** Playback position: data time, and its frame. */
export interface Playhead {
	readonly time: number;
	readonly frame: number;
	/** The end is reached. */
	readonly ended: boolean;
}

/**
 * Returns the playhead after `elapsed` seconds. It stops before the first frame for
 * which `isLoaded` is false, so that a slow network delays playback and skips no
 * frames. The last frame is `end - 1`.
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

/** Formats `00:09.0`; from one hour `1:00:09.0`. */
export function formatTime(seconds: number): string {
	const tenths = Math.max(0, Math.round(seconds * 10));
	const two = (n: number) => String(n).padStart(2, "0");
	const rest = `${two(Math.floor(tenths / 600) % 60)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
	const hours = Math.floor(tenths / 36_000);
	return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Formats an index and its range for screen readers: `84 of 0 to 247`. */
export function indexWords(index: number, count: number): string {
	return `${index} of 0 to ${Math.max(0, count - 1)}`;
}

/** Formats the slider's value for screen readers: `frame 84 of 0 to 247, 8.4 s`. */
export function frameText(frame: number, count: number, seconds: number): string {
	return `frame ${indexWords(frame, count)}, ${seconds.toFixed(1)} s`;
}

/** Formats nanoseconds as `2019-10-10 19:24`, UTC. */
export function formatDate(nanoseconds: bigint): string {
	const date = new Date(Number(nanoseconds / 1_000_000n));
	if (Number.isNaN(date.getTime())) return "";
	return date.toISOString().slice(0, 16).replace("T", " ");
}

/** Formats nanoseconds as `2019-10-10 19:24:05`, UTC. */
export function formatDateSeconds(nanoseconds: bigint): string {
	const minutes = formatDate(nanoseconds);
	if (minutes === "") return "";
	const second = new Date(Number(nanoseconds / 1_000_000n)).getUTCSeconds();
	return `${minutes}:${String(second).padStart(2, "0")}`;
}

export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** Returns the next higher (+1) or lower (-1) speed. */
export function steppedSpeed(speed: number, direction: 1 | -1): number {
	const at = SPEEDS.findIndex((s) => s >= speed);
	const from = at < 0 ? SPEEDS.length - 1 : at;
	return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, from + direction))] ?? 1;
}

/** A half-open range of frames. */
export interface FrameRange {
	/** First frame. */
	readonly begin: number;
	/** One past the last frame. */
	readonly end: number;
}

/** Returns whether both are the same frames, or undefined. */
export function isSame(a: FrameRange | undefined, b: FrameRange | undefined): boolean {
	return a?.begin === b?.begin && a?.end === b?.end;
}

/** Returns the range from `a` to `b`, both inclusive, in either order. */
export function rangeOf(a: number, b: number): FrameRange {
	return { begin: Math.min(a, b), end: Math.max(a, b) + 1 };
}

/** Clamps `range` to `count` frames; the result has at least one frame. */
export function clampedRange({ begin, end }: FrameRange, count: number): FrameRange {
	const first = Math.min(Math.max(0, begin), Math.max(0, count - 1));
	return { begin: first, end: Math.min(Math.max(first + 1, end), Math.max(1, count)) };
}

/** Returns the sorted, merged ranges of the frames in `loaded`. */
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
