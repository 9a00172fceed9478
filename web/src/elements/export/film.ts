import { BevError } from "../../errors.js";
import type { ViewerController } from "../controller.js";
import { type FilmChunk, type FilmTrack, webm } from "./webm.js";

export interface FilmOptions {
	readonly signal: AbortSignal;
	/** Pictures done, and how many there are. */
	readonly onProgress: (done: number, all: number) => void;
}

/** A picture that shows what a controller holds. */
export interface FilmPicture {
	readonly canvas: HTMLCanvasElement | null;
	/** Goes to where the camera is at once instead of easing there. */
	instant: boolean;
}

/** In the order of preference. */
const CODECS: readonly (readonly [codec: string, id: FilmTrack["codec"]])[] = [
	["vp09.00.40.08", "V_VP9"],
	["vp8", "V_VP8"],
];
/** Pictures between those that stand alone: so far can a player's seek be off. */
const KEY_EVERY = 25;
const BITS_PER_PIXEL = 4;
/** Pictures that wait for the encoder at most. */
const QUEUE = 4;

async function supported(
	width: number,
	height: number,
): Promise<{ config: VideoEncoderConfig; id: FilmTrack["codec"] }> {
	const bitrate = Math.max(2_000_000, width * height * BITS_PER_PIXEL);
	if (typeof VideoEncoder === "undefined") {
		throw new BevError("unsupported", "film: this browser has no WebCodecs");
	}
	for (const [codec, id] of CODECS) {
		const config = { codec, width, height, bitrate };
		const answer = await VideoEncoder.isConfigSupported(config);
		if (answer.supported) return { config, id };
	}
	throw new BevError("unsupported", "film: this browser encodes neither VP9 nor VP8");
}

/** Encodes pictures one after another; `chunks` are those that are done. */
class Encoding {
	readonly chunks: FilmChunk[] = [];
	readonly #encoder: VideoEncoder;
	#failed: unknown;

	constructor(config: VideoEncoderConfig) {
		this.#encoder = new VideoEncoder({
			output: (chunk) => {
				const bytes = new Uint8Array(chunk.byteLength);
				chunk.copyTo(bytes);
				const time = chunk.timestamp / 1000;
				this.chunks.push({ bytes, time, key: chunk.type === "key" });
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
		const rect = { x: 0, y: 0, width: even(canvas.width), height: even(canvas.height) };
		const frame = new VideoFrame(canvas, { timestamp, visibleRect: rect });
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

function even(size: number): number {
	return size - (size % 2);
}

/**
 * The marked part of the scene, or all of it, as a film: every frame once, at the times of
 * the data. The picture shows each frame as it is taken, and goes back afterwards.
 */
export async function filmOf(
	controller: ViewerController,
	picture: FilmPicture,
	{ signal, onProgress }: FilmOptions,
): Promise<Blob> {
	const { canvas } = picture;
	const { frame: before, sceneInfo } = controller.state;
	const { begin, end } = controller.span;
	const seconds = sceneInfo?.seconds ?? new Float64Array();
	if (!canvas || end <= begin) {
		throw new BevError("invalid_argument", "film: there is no frame to show");
	}
	controller.pause();
	const [width, height] = [even(canvas.width), even(canvas.height)];
	const { config, id } = await supported(width, height);
	const encoding = new Encoding(config);
	const start = seconds[begin] ?? 0;
	picture.instant = true;
	try {
		for (let frame = begin; frame < end; frame += 1) {
			signal.throwIfAborted();
			controller.seek(frame);
			await controller.settled;
			const key = (frame - begin) % KEY_EVERY === 0;
			await encoding.add(canvas, (seconds[frame] ?? 0) - start, key);
			onProgress(frame - begin + 1, end - begin);
		}
		await encoding.finish();
	} finally {
		encoding.close();
		picture.instant = false;
		controller.seek(before);
	}
	const last = ((seconds[end - 1] ?? 0) - start) * 1000;
	// The last frame is on show as long as the one before it was.
	const step = end - begin > 1 ? last / (end - begin - 1) : 100;
	const file = webm({ codec: id, width, height }, encoding.chunks, last + step);
	return new Blob([file], { type: "video/webm" });
}
