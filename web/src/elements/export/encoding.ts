// Films are written by the browser's encoder and the two containers beside this file, not by
// mediabunny, which adds 225 kB to each package and reads and writes many more.
import { BevError } from "../../base/errors.js";
import type { Moment } from "./recording.js";

/** A video file format. */
export interface VideoFormat {
	readonly name: string;
	/** File name extension. */
	readonly ending: string;
	/** In order of preference. */
	readonly codecs: readonly Codec[];
	/** Returns the file. */
	readonly container: (video: EncodedVideo) => Blob;
}

export type Codec = "vp9" | "vp8" | "avc";

/** A frame as the encoder returned it. */
export interface Packet {
	readonly data: Uint8Array<ArrayBuffer>;
	/** Microseconds. */
	readonly timestamp: number;
	/** Whether it can be decoded without those before. */
	readonly key: boolean;
}

/** An encoded video. */
export interface EncodedVideo extends Size {
	readonly codec: Codec;
	/** In the order of decoding. */
	readonly packets: readonly Packet[];
	/** End of the last frame, in microseconds. */
	readonly end: number;
	/** What the decoder needs besides the packets. */
	readonly description?: Uint8Array<ArrayBuffer> | undefined;
	/** Absent if the encoder did not say it. */
	readonly colours?: VideoColorSpaceInit | undefined;
}

export interface Size {
	readonly width: number;
	readonly height: number;
}

/** A codec of a format, as this browser's encoder is configured. */
export interface EncoderConfig {
	readonly codec: Codec;
	readonly settings: VideoEncoderConfig;
}

const BITS_PER_PIXEL = 4;
/** Seconds between key frames: the maximum error of a player's seek. */
const KEY_EVERY = 2.5;
/** Frames that the encoder may be behind: more hold as many canvases' bytes in memory. */
const MAX_QUEUE = 4;

/**
 * Levels with their largest picture in pixels; the bit rate, by pixels, is within each.
 * ITU-T H.264, table A-1; VP9 Bitstream Specification, annex A.
 */
const LEVELS = {
	avc: [
		[921_600, "1f"],
		[2_097_152, "28"],
		[9_437_184, "33"],
		[Infinity, "3e"],
	],
	vp9: [
		[552_960, "31"],
		[2_228_224, "40"],
		[8_912_896, "50"],
		[Infinity, "60"],
	],
} as const;

/** Returns the name of a codec, with the level for a size, as WebCodecs spells it. */
function nameOf(codec: Codec, { width, height }: Size): string {
	if (codec === "vp8") return codec;
	const levels = LEVELS[codec];
	const level = levels.find(([pixels]) => width * height <= pixels)?.[1];
	return codec === "avc" ? `avc1.6400${level}` : `vp09.00.${level}.08`;
}

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
	if (typeof VideoEncoder === "undefined") return undefined;
	const bitrate = Math.max(2_000_000, width * height * BITS_PER_PIXEL);
	for (const codec of codecs) {
		const settings: VideoEncoderConfig = {
			...{ codec: nameOf(codec, { width, height }), width, height, bitrate },
			...(codec === "avc" ? { avc: { format: "avc" } } : {}),
		};
		if (await works({ codec, settings })) return { codec, settings };
	}
	return undefined;
}

/** Encodes a frame: Firefox reports configurations as supported that then fail. */
async function works(config: EncoderConfig): Promise<boolean> {
	try {
		const { supported } = await VideoEncoder.isConfigSupported(config.settings);
		if (!supported) return false;
		const { width, height } = config.settings;
		const canvas = new OffscreenCanvas(width, height);
		canvas.getContext("2d")?.fillRect(0, 0, width, height);
		const encoder = new Encoder(config);
		try {
			await encoder.add(canvas, { timestamp: 0, duration: 1 });
			return (await encoder.finish()).packets.length > 0;
		} finally {
			encoder.close();
		}
	} catch {
		return false;
	}
}

/** Encodes canvases of one size. */
export class Encoder {
	readonly #codec: Codec;
	readonly #size: Size;
	readonly #encoder: VideoEncoder;
	readonly #packets: Packet[] = [];
	#config: VideoDecoderConfig | undefined;
	#failure: Error | undefined;
	#interval = -1;
	#end = 0;
	/** Called when the encoder's queue may have become shorter. */
	#wake: () => void = () => {};

	constructor({ codec, settings }: EncoderConfig) {
		this.#codec = codec;
		this.#size = { width: settings.width, height: settings.height };
		this.#encoder = new VideoEncoder({
			output: (chunk, metadata) => this.#keep(chunk, metadata),
			error: (error) => {
				this.#failure = error;
				this.#wake();
			},
		});
		this.#encoder.addEventListener?.("dequeue", () => this.#wake());
		this.#encoder.configure(settings);
	}

	/** Encodes a canvas; resolves when the next one may be added. */
	async add(
		canvas: HTMLCanvasElement | OffscreenCanvas,
		{ timestamp, duration }: Moment,
	): Promise<void> {
		this.#check();
		const frame = new VideoFrame(canvas, {
			timestamp: Math.round(timestamp * 1e6),
			duration: Math.round(duration * 1e6),
			visibleRect: { x: 0, y: 0, ...this.#size },
		});
		const interval = Math.floor(timestamp / KEY_EVERY);
		try {
			this.#encoder.encode(frame, { keyFrame: interval !== this.#interval });
		} finally {
			frame.close();
		}
		this.#interval = interval;
		this.#end = Math.round((timestamp + duration) * 1e6);
		while (this.#encoder.encodeQueueSize >= MAX_QUEUE) {
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
				// Chrome 105 has no event for it.
				if (!("ondequeue" in this.#encoder)) setTimeout(resolve, 20);
			});
			this.#check();
		}
	}

	/** Returns the video. */
	async finish(): Promise<EncodedVideo> {
		this.#check();
		await this.#encoder.flush();
		this.#check();
		const { description, colorSpace } = this.#config ?? {};
		return {
			...this.#size,
			codec: this.#codec,
			packets: this.#packets,
			end: this.#end,
			description: description && bytesOf(description),
			colours: colorSpace,
		};
	}

	/** Frees the encoder, finished or not. */
	close(): void {
		if (this.#encoder.state !== "closed") this.#encoder.close();
	}

	#keep(chunk: EncodedVideoChunk, metadata?: EncodedVideoChunkMetadata): void {
		const data = new Uint8Array(chunk.byteLength);
		chunk.copyTo(data);
		this.#config ??= metadata?.decoderConfig;
		const { timestamp, type } = chunk;
		this.#packets.push({ data, timestamp, key: type === "key" });
		this.#wake();
	}

	#check(): void {
		if (!this.#failure) return;
		const what = `video: encoding failed: ${this.#failure.message}`;
		throw new BevError("unsupported", what, { cause: this.#failure });
	}
}

function bytesOf(given: AllowSharedBufferSource): Uint8Array<ArrayBuffer> {
	return ArrayBuffer.isView(given)
		? new Uint8Array(given.buffer, given.byteOffset, given.byteLength).slice()
		: new Uint8Array(given).slice();
}
