import { BevError } from "../../base/errors.js";
import { ascii, fileOf, type Parts, sizeOfParts, uint } from "./bytes.js";
import { codesOf } from "./colours.js";
import type { EncodedVideo } from "./encoding.js";

/** Ticks of a second: 32-bit durations of up to 13 hours. */
const TIMESCALE = 90_000;

const u16 = (value: number): Uint8Array<ArrayBuffer> => uint(value, 2);
const u32 = (value: number): Uint8Array<ArrayBuffer> => uint(value, 4);

/** Returns `size` zero bytes. */
const zeros = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size);

/** 3 x 3, row-major: picture as it is. */
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32);

/** Returns a box of ISO/IEC 14496-12: size, name, content. */
function box(name: string, ...content: Parts): Parts {
	return [u32(8 + sizeOfParts(content)), ascii(name), ...content];
}

/** Returns a box with version and flags. */
function fullBox(name: string, flags: number, ...content: Parts): Parts {
	return box(name, u32(flags), ...content);
}

/** A frame in ticks. */
interface Sample {
	readonly size: number;
	readonly key: boolean;
	readonly duration: number;
	/** From the time of decoding to that of display. */
	readonly offset: number;
}

/** Returns the samples in order of decoding, which may differ from that of display. */
function samplesOf({ packets, end }: EncodedVideo): Sample[] {
	const ticks = (microseconds: number): number =>
		Math.round((microseconds * TIMESCALE) / 1e6);
	const shown = packets.map(({ timestamp }) => ticks(timestamp)).sort((a, b) => a - b);
	return packets.map(({ data, key, timestamp }, i) => {
		const at = shown[i] ?? 0;
		const next = shown[i + 1] ?? Math.max(at, ticks(end));
		return {
			...{ size: data.length, key },
			...{ duration: next - at, offset: ticks(timestamp) - at },
		};
	});
}

/** Returns a table of runs of equal values: their number, length and value each. */
function runsOf(values: readonly number[]): Parts {
	const runs: [count: number, value: number][] = [];
	for (const value of values) {
		const last = runs.at(-1);
		if (last && last[1] === value) last[0] += 1;
		else runs.push([1, value]);
	}
	return [u32(runs.length), ...runs.flat().map((one) => u32(one))];
}

function entryOf(video: EncodedVideo): Parts {
	const { width, height, description = zeros(0) } = video;
	const colours = codesOf(video.colours);
	const about = colours && [
		ascii("nclx"),
		...[colours.primaries, colours.transfer, colours.matrix].map(u16),
		uint(colours.full ? 0x80 : 0, 1),
	];
	return box(
		"avc1",
		...[zeros(6), u16(1), zeros(16), u16(width), u16(height)],
		...[u32(72 << 16), u32(72 << 16), zeros(4), u16(1), zeros(32)], // dots per inch
		...[u16(24), u16(0xffff)], // bits per pixel
		box("avcC", description),
		...(about ? [box("colr", ...about)] : []),
	);
}

/** Returns the tables of samples; their data begin at byte `begin` of the file. */
function tablesOf(
	video: EncodedVideo,
	samples: readonly Sample[],
	begin: number,
): Parts {
	const offsets = samples.map(({ offset }) => (offset < 0 ? offset + 2 ** 32 : offset));
	const keys = samples.flatMap(({ key }, i) => (key ? [i + 1] : []));
	return box(
		"stbl",
		fullBox("stsd", 0, u32(1), entryOf(video)),
		fullBox("stts", 0, runsOf(samples.map(({ duration }) => duration))),
		// Version 1: offsets have signs.
		...(offsets.some((one) => one !== 0)
			? [fullBox("ctts", 1 << 24, runsOf(offsets))]
			: []),
		fullBox("stss", 0, u32(keys.length), keys.map(u32)),
		fullBox("stsc", 0, ...[1, 1, samples.length, 1].map(u32)), // one chunk
		fullBox(
			"stsz",
			0,
			u32(0),
			u32(samples.length),
			samples.map(({ size }) => u32(size)),
		),
		fullBox("stco", 0, u32(1), u32(begin)),
	);
}

function indexOf(
	video: EncodedVideo,
	samples: readonly Sample[],
	begin: number,
): Parts {
	const duration = samples.reduce((sum, one) => sum + one.duration, 0);
	const sides = [video.width, video.height].map((side) => u32(side * 2 ** 16));
	const header = fullBox(
		"mvhd",
		0,
		...[zeros(8), u32(TIMESCALE), u32(duration)],
		...[u32(0x10000), u16(0x100), zeros(10)], // speed, volume
		...[...MATRIX, zeros(24), u32(2)], // the next track's number
	);
	// Enabled, and part of the presentation.
	const track = fullBox(
		"tkhd",
		3,
		...[zeros(8), u32(1), zeros(4), u32(duration), zeros(16), ...MATRIX, ...sides],
	);
	const media = box(
		"mdia",
		fullBox(
			"mdhd",
			0,
			...[zeros(8), u32(TIMESCALE), u32(duration), u16(0x55c4), zeros(2)], // "und"
		),
		fullBox("hdlr", 0, zeros(4), ascii("vide"), zeros(12), ascii("bevscope\0")),
		box(
			"minf",
			fullBox("vmhd", 1, zeros(8)),
			box("dinf", fullBox("dref", 0, u32(1), fullBox("url ", 1))), // in this file
			tablesOf(video, samples, begin),
		),
	);
	return box("moov", header, box("trak", track, media));
}

/**
 * Returns an MP4 file. Its index is before the pictures, so that players can start before the
 * whole file is loaded.
 *
 * @throws BevError `unsupported` if the pictures take 4 GiB
 */
export function mp4(video: EncodedVideo): Blob {
	const samples = samplesOf(video);
	const content = box(
		"mdat",
		video.packets.map(({ data }) => data),
	);
	const type = box("ftyp", ascii("isom"), u32(512), ascii("isomavc1mp41"));
	const before = sizeOfParts([type, indexOf(video, samples, 0)]);
	if (before + sizeOfParts(content) >= 2 ** 32)
		throw new BevError("unsupported", "video: larger than 4 GiB; record a section");
	return fileOf([type, indexOf(video, samples, before + 8), content], "video/mp4");
}
