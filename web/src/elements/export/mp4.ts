import { BevError } from "../../errors.js";
import {
	ascii,
	type Bytes,
	type FilmChunk,
	type FilmTrack,
	joined,
} from "./film-file.js";

/** Ticks of the film's clock in a millisecond: 90 kHz, as players expect of a film. */
const TICKS = 90;
/** What a 32-bit offset reaches. */
const MAX_BYTES = 2 ** 32 - 1;
/** Shown as it is: neither turned nor scaled. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const UNDETERMINED = 0x55c4;
const DOTS_PER_INCH = 72 << 16;
const TRACK_ENABLED = 3;
const DATA_IS_HERE = 1;

function u16(...values: readonly number[]): Bytes {
	const bytes = new Uint8Array(2 * values.length);
	const view = new DataView(bytes.buffer);
	for (const [i, value] of values.entries()) view.setUint16(2 * i, value);
	return bytes;
}

function u32(...values: readonly number[]): Bytes {
	const bytes = new Uint8Array(4 * values.length);
	const view = new DataView(bytes.buffer);
	for (const [i, value] of values.entries()) view.setUint32(4 * i, value);
	return bytes;
}

const nothing = (length: number): Bytes => new Uint8Array(length);

function box(type: string, ...parts: readonly Bytes[]): Bytes {
	const size = parts.reduce((sum, part) => sum + part.length, 8);
	return joined([u32(size), ascii(type), ...parts]);
}

/** A box with a version, which is 0, and flags. */
function fullBox(type: string, flags: number, ...parts: readonly Bytes[]): Bytes {
	return box(type, u32(flags), ...parts);
}

/** Ticks that each picture is on show. The sum is exact: what rounding takes it gives back. */
function durations(chunks: readonly FilmChunk[], end: number): number[] {
	const ticks = [...chunks.map(({ time }) => time), end].map((time) =>
		Math.round(time * TICKS),
	);
	return chunks.map((_, i) => (ticks[i + 1] ?? 0) - (ticks[i] ?? 0));
}

/** Equal neighbours as their number and what they are. */
function runs(values: readonly number[]): number[] {
	const found: number[] = [];
	for (const value of values) {
		const last = found.length - 1;
		if (found[last] === value && last > 0) found[last - 1] = (found[last - 1] ?? 0) + 1;
		else found.push(1, value);
	}
	return found;
}

/** What the pictures are coded with. */
function description({ width, height, description }: FilmTrack): Bytes {
	if (!description) {
		throw new BevError("internal", "film: the encoder did not describe its H.264");
	}
	const sample = joined([nothing(6), u16(1)]);
	const size = joined([nothing(16), u16(width, height)]);
	const resolution = joined([u32(DOTS_PER_INCH, DOTS_PER_INCH, 0), u16(1)]);
	const depth = joined([nothing(32), u16(24, 0xffff)]);
	const coded = box("avcC", description);
	const entry = box("avc1", sample, size, resolution, depth, coded);
	return fullBox("stsd", 0, u32(1), entry);
}

/** Where and when each picture is; all lie one behind the other from `offset`. */
function sampleTable(
	track: FilmTrack,
	chunks: readonly FilmChunk[],
	shown: readonly number[],
	offset: number,
): Bytes {
	const times = runs(shown);
	const keys = chunks.flatMap(({ key }, i) => (key ? [i + 1] : []));
	const sizes = chunks.map(({ bytes }) => bytes.length);
	return box(
		"stbl",
		description(track),
		fullBox("stts", 0, u32(times.length / 2, ...times)),
		fullBox("stss", 0, u32(keys.length, ...keys)),
		fullBox("stsc", 0, u32(1, 1, sizes.length, 1)),
		fullBox("stsz", 0, u32(0, sizes.length, ...sizes)),
		fullBox("stco", 0, u32(1, offset)),
	);
}

function movie(
	track: FilmTrack,
	chunks: readonly FilmChunk[],
	duration: number,
	offset: number,
): Bytes {
	const shown = durations(chunks, duration);
	const ticks = shown.reduce((sum, length) => sum + length, 0);
	const clock = u32(0, 0, 1000 * TICKS, ticks);
	const header = fullBox(
		"mvhd",
		0,
		joined([clock, u32(0x10000), u16(0x100), nothing(10)]),
		joined([MATRIX, nothing(24), u32(2)]),
	);
	const place = joined([u32(0, 0, 1, 0, ticks), nothing(16), MATRIX]);
	const size = u32(track.width << 16, track.height << 16);
	const here = fullBox("dref", 0, u32(1), fullBox("url ", DATA_IS_HERE));
	const media = box(
		"mdia",
		fullBox("mdhd", 0, clock, u16(UNDETERMINED, 0)),
		fullBox("hdlr", 0, u32(0), ascii("vide"), nothing(12), ascii("bevscope\0")),
		box(
			"minf",
			fullBox("vmhd", 1, nothing(8)),
			box("dinf", here),
			sampleTable(track, chunks, shown, offset),
		),
	);
	return box(
		"moov",
		header,
		box("trak", fullBox("tkhd", TRACK_ENABLED, place, size), media),
	);
}

/**
 * An MP4 file of one silent film in H.264, its index first. Chunks are in the order in which
 * they are shown. Source: ISO/IEC 14496-12 and -15.
 */
export function mp4(
	track: FilmTrack,
	chunks: readonly FilmChunk[],
	duration: number,
): Bytes {
	const brands = ["isom", "iso2", "avc1", "mp41"].map(ascii);
	const head = box("ftyp", ascii("isom"), u32(0x200), ...brands);
	// The index is as long wherever the pictures begin.
	const offset = head.length + movie(track, chunks, duration, 0).length + 8;
	const pictures = box("mdat", ...chunks.map(({ bytes }) => bytes));
	if (offset + pictures.length > MAX_BYTES) {
		throw new BevError("unsupported", "film: an MP4 of more than 4 GB is not written");
	}
	return joined([head, movie(track, chunks, duration, offset), pictures]);
}
