import {
	BufferTarget,
	Output,
	type OutputFormat,
	type VideoEncodingConfig,
	VideoSample,
	VideoSampleSource,
} from "mediabunny";
import { BevError } from "../../errors.js";
import type { ViewerController } from "../session/controller.js";
import { currentFrame } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import type { FrameRange } from "../timeline/clock.js";
import { encoderFor, evenSize, type VideoFormat } from "./encoding.js";
import type { HeldSize } from "./size.js";
import { Captions, type ExportedPicture } from "./still.js";

/** Options of a video. */
export interface VideoOptions {
	/** Container and codec. */
	readonly format: VideoFormat;
	/** Default: the displayed size. */
	readonly size?: HeldSize | undefined;
	/** Playback speed: 2 halves the duration. Default 1. */
	readonly speed?: number | undefined;
	/** Writes time, scale and legend onto each video frame. Default false. */
	readonly caption?: boolean | undefined;
	/** Cancels the recording. */
	readonly signal: AbortSignal;
	/** Called with the number of encoded frames and the total. */
	readonly onProgress: (done: number, all: number) => void;
}

/** Time of a video frame, in seconds from the video's start. */
interface Moment {
	readonly timestamp: number;
	readonly duration: number;
}

/** The exported frames and their playback speed. */
interface Pace {
	readonly seconds: Float64Array;
	readonly span: FrameRange;
	readonly speed: number;
}

/** Returns the time and duration of frame `frame`. */
function momentOf({ seconds, span, speed }: Pace, frame: number): Moment {
	const first = seconds[span.begin] ?? 0;
	const at = (k: number): number => ((seconds[k] ?? 0) - first) / speed;
	const last = span.end - 1;
	// The last frame has the mean duration of the others.
	const mean = last > span.begin ? at(last) / (last - span.begin) : 0.1 / speed;
	const duration = frame < last ? at(frame + 1) - at(frame) : mean;
	return { timestamp: at(frame), duration: Math.max(0, duration) };
}

async function addPicture(
	source: VideoSampleSource,
	canvas: HTMLCanvasElement,
	{ timestamp, duration }: Moment,
): Promise<void> {
	const picture = new VideoFrame(canvas, {
		timestamp: Math.round(timestamp * 1e6),
		duration: Math.round(duration * 1e6),
		visibleRect: { x: 0, y: 0, ...evenSize(canvas) },
	});
	const sample = new VideoSample(picture);
	try {
		await source.add(sample);
	} finally {
		sample.close();
	}
}

/** Returns the error for a playhead that was moved during the export. */
function disturbed(frame: number, { frame: other }: ViewerState): BevError {
	const what = `video: unexpected frame displayed (found ${other}, expected ${frame})`;
	return new BevError("invalid_argument", `${what}; do not seek while recording`);
}

/** The exported picture, whose size is held. */
interface Recording {
	readonly picture: ExportedPicture;
	readonly canvas: HTMLCanvasElement;
	readonly span: FrameRange;
}

/** Encodes each frame of `span` as `canvas` shows it. */
async function recorded(
	controller: ViewerController,
	{ picture, canvas, span }: Recording,
	{ format, signal, onProgress, speed = 1, caption = false }: VideoOptions,
): Promise<Blob> {
	const config = await encoderFor(format, evenSize(canvas));
	if (!config) {
		const what = `video: no encoder for ${format.name} in this browser`;
		throw new BevError("unsupported", what);
	}
	const { sceneInfo, dataset } = controller.state;
	const pace = { seconds: sceneInfo?.seconds ?? new Float64Array(), span, speed };
	const captions = caption ? new Captions(picture) : undefined;
	const target = new BufferTarget();
	const output = new Output({ format: format.container() as OutputFormat, target });
	const source = new VideoSampleSource(config as VideoEncodingConfig);
	output.addVideoTrack(source);
	try {
		await output.start();
		for (let frame = span.begin; frame < span.end; frame += 1) {
			signal.throwIfAborted();
			controller.seek(frame);
			await controller.whenSettled(signal);
			const { state } = controller;
			if (state.dataset !== dataset || state.sceneInfo !== sceneInfo)
				throw new BevError("invalid_argument", "video: scene changed while recording");
			if (state.frame !== frame || !currentFrame(state)) throw disturbed(frame, state);
			const drawn = captions?.of(canvas, state) ?? canvas;
			await addPicture(source, drawn, momentOf(pace, frame));
			onProgress(frame - span.begin + 1, span.end - span.begin);
		}
		await output.finalize();
	} finally {
		if (output.state !== "finalized") await output.cancel();
	}
	return new Blob([target.buffer ?? new ArrayBuffer()], {
		type: `video/${format.ending}`,
	});
}

/**
 * Exports the marked section, or the whole scene, as a video: every frame once, at the
 * timestamps of the data divided by the speed, in one size. The picture seeks to each
 * frame, and back to the current one afterwards.
 *
 * @throws BevError `invalid_argument` if there is no frame, the speed is not above 0,
 *   another export of this picture is running, or the scene or frame was changed
 *   meanwhile; `unsupported` if the browser cannot encode the format; errors of reading
 *   a frame; the reason of `signal`.
 */
export async function recordVideo(
	controller: ViewerController,
	picture: ExportedPicture,
	options: VideoOptions,
): Promise<Blob> {
	const { canvas } = picture;
	const { span } = controller;
	const { frame: before } = controller.state;
	if (!canvas || span.end <= span.begin) {
		throw new BevError("invalid_argument", "video: no frame to record");
	}
	const { speed = 1 } = options;
	if (!(speed > 0) || !Number.isFinite(speed)) {
		const what = `video: speed must be above 0 (found ${speed})`;
		throw new BevError("invalid_argument", what);
	}
	if (picture.held) {
		throw new BevError("invalid_argument", "video: this viewer is already recording");
	}
	controller.pause();
	picture.hold(options.size ?? picture.size);
	try {
		return await recorded(controller, { picture, canvas, span }, options);
	} finally {
		picture.hold(undefined);
		controller.seek(before);
	}
}
