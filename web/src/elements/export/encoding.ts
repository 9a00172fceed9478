import {
	getFirstEncodableVideoCodec,
	Mp4OutputFormat,
	type OutputFormat,
	Quality,
	type VideoCodec,
	type VideoEncodingConfig,
	WebMOutputFormat,
} from "mediabunny";

/** A kind of file that films are saved as. */
export interface FilmFormat {
	readonly name: string;
	/** Of its files' names. */
	readonly ending: string;
	/** In the order of preference. */
	readonly codecs: VideoCodec[];
	readonly container: () => OutputFormat;
}

export const FORMATS: readonly FilmFormat[] = [
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
		// The index first, so that players show the film while they still read it.
		container: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
	},
];

export interface Size {
	readonly width: number;
	readonly height: number;
}

const BITS_PER_PIXEL = 4;
/** So far, in seconds, can a player's seek be off. */
const KEY_EVERY = 2.5;

/** The nearest size that every encoder takes: even, and not larger. */
export function evenSize({ width, height }: Size): Size {
	return { width: width - (width % 2), height: height - (height % 2) };
}

/** How this browser encodes pictures for such a file; undefined where it does not. */
export async function encoderFor(
	{ codecs }: FilmFormat,
	{ width, height }: Size,
): Promise<VideoEncodingConfig | undefined> {
	if (width === 0 || height === 0) return undefined; // a picture that is not on show
	const bitrate = Math.max(2_000_000, width * height * BITS_PER_PIXEL);
	const quality = new Quality({ bitrate });
	const codec = await getFirstEncodableVideoCodec(codecs, { width, height, quality });
	return codec ? { codec, quality, keyFrameInterval: KEY_EVERY } : undefined;
}
