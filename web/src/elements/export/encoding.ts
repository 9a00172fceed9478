import {
	getFirstEncodableVideoCodec,
	Mp4OutputFormat,
	Quality,
	WebMOutputFormat,
} from "mediabunny";

/** A video file format. */
export interface VideoFormat {
	readonly name: string;
	/** File name extension. */
	readonly ending: string;
	/** In order of preference. */
	readonly codecs: ("vp9" | "vp8" | "avc")[];
	/** Returns an `OutputFormat`. */
	readonly container: () => object;
}

/** A `VideoEncodingConfig`. Declarations of this package do not name mediabunny's types. */
export type EncoderConfig = object;

export const FORMATS: readonly VideoFormat[] = [
	{
		name: "WebM",
		ending: "webm",
		codecs: ["vp9", "vp8"],
		container: () => new WebMOutputFormat(),
	},
	{
		name: "MP4",
		ending: "mp4",
		codecs: ["avc"],
		// Writes the index first, so that players can start before the whole file is
		// loaded.
		container: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
	},
];

export interface Size {
	readonly width: number;
	readonly height: number;
}

const BITS_PER_PIXEL = 4;
/** Seconds between key frames: the maximum error of a player's seek. */
const KEY_EVERY = 2.5;

/** Returns the largest even size within `size`, since encoders require even sides. */
export function evenSize({ width, height }: Size): Size {
	return { width: width - (width % 2), height: height - (height % 2) };
}

/**
 * Returns this browser's encoder configuration for the format and size; undefined if
 * unsupported.
 */
export async function encoderFor(
	{ codecs }: VideoFormat,
	{ width, height }: Size,
): Promise<EncoderConfig | undefined> {
	if (width === 0 || height === 0) return undefined; // the picture is not displayed
	const bitrate = Math.max(2_000_000, width * height * BITS_PER_PIXEL);
	const quality = new Quality({ bitrate });
	const codec = await getFirstEncodableVideoCodec(codecs, { width, height, quality });
	return codec ? { codec, quality, keyFrameInterval: KEY_EVERY } : undefined;
}
