import { BevError } from "../../errors.js";
import type { Bytes, FilmChunk, FilmWriter } from "./film-file.js";
import { mp4 } from "./mp4.js";
import { webm } from "./webm.js";

/** A kind of file that films are saved as. */
export interface FilmFormat {
	readonly name: string;
	/** Of its files' names. */
	readonly ending: string;
	/** In the order of preference, as WebCodecs names them. */
	readonly codecs: readonly string[];
	readonly write: FilmWriter;
}

export const FORMATS: readonly FilmFormat[] = [
	{ name: "WebM", ending: "webm", codecs: ["vp09.00.40.08", "vp8"], write: webm },
	{
		name: "MP4",
		ending: "mp4",
		// H.264, high, main and baseline profile, as large as 4K.
		codecs: ["avc1.640033", "avc1.4d0033", "avc1.42e033"],
		write: mp4,
	},
];

export interface Size {
	readonly width: number;
	readonly height: number;
}

const BITS_PER_PIXEL = 4;
/** Pictures that wait for the encoder at most. */
const QUEUE = 4;

/** The nearest size that every encoder takes: even, and not larger. */
export function evenSize({ width, height }: Size): Size {
	return { width: width - (width % 2), height: height - (height % 2) };
}

/** How this browser encodes pictures for such a file; undefined where it does not. */
export async function encoderFor(
	{ codecs }: FilmFormat,
	{ width, height }: Size,
): Promise<VideoEncoderConfig | undefined> {
	if (typeof VideoEncoder === "undefined") return undefined;
	const bitrate = Math.max(2_000_000, width * height * BITS_PER_PIXEL);
	for (const codec of codecs) {
		const config = { codec, width, height, bitrate };
		const answer = await VideoEncoder.isConfigSupported(config).catch(() => undefined);
		if (answer?.supported) return config;
	}
	return undefined;
}

function copied(source: AllowSharedBufferSource): Bytes {
	return ArrayBuffer.isView(source)
		? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
		: new Uint8Array(source).slice();
}

/** Encodes pictures one after another; `chunks` are those that are done. */
export class Encoding {
	readonly chunks: FilmChunk[] = [];
	/** What a decoder has to know beforehand; known with the first chunk. */
	description: Bytes | undefined;
	readonly #encoder: VideoEncoder;
	readonly #size: Size;
	#failed: unknown;

	constructor(config: VideoEncoderConfig) {
		this.#size = { width: config.width, height: config.height };
		this.#encoder = new VideoEncoder({
			output: (chunk, told) => {
				const bytes = new Uint8Array(chunk.byteLength);
				chunk.copyTo(bytes);
				const time = chunk.timestamp / 1000;
				this.chunks.push({ bytes, time, key: chunk.type === "key" });
				const description = told?.decoderConfig?.description;
				if (description) this.description = copied(description);
			},
			error: (error) => {
				this.#failed = error;
			},
		});
		this.#encoder.configure(config);
	}

	/** `seconds` from the film's beginning. */
	async add(canvas: HTMLCanvasElement, seconds: number, key: boolean): Promise<void> {
		const timestamp = Math.round(seconds * 1e6);
		const visibleRect = { x: 0, y: 0, ...this.#size };
		const frame = new VideoFrame(canvas, { timestamp, visibleRect });
		this.#encoder.encode(frame, { keyFrame: key });
		frame.close();
		while (this.#encoder.encodeQueueSize > QUEUE) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		this.#check();
	}

	async finish(): Promise<void> {
		await this.#encoder.flush();
		this.#check();
	}

	close(): void {
		if (this.#encoder.state !== "closed") this.#encoder.close();
	}

	#check(): void {
		if (this.#failed !== undefined) {
			throw new BevError("internal", "film: encoding failed", { cause: this.#failed });
		}
	}
}
