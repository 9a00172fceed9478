import { BufferTarget, Output, VideoSample, VideoSampleSource } from "mediabunny";
import { BevError } from "../../errors.js";
import type { ViewerController } from "../controller.js";
import type { FrameRange } from "../pure/clock.js";
import { currentFrame } from "../showing.js";
import type { ViewerState } from "../state.js";
import { encoderFor, evenSize, type FilmFormat } from "./encoding.js";

export interface FilmOptions {
	readonly format: FilmFormat;
	readonly signal: AbortSignal;
	/** Pictures done, and how many there are. */
	readonly onProgress: (done: number, all: number) => void;
}

/** A picture that shows what a controller holds. */
export interface FilmPicture {
	readonly canvas: HTMLCanvasElement | null;
	/** Whether it keeps its size, for a film that is being made. */
	readonly held: boolean;
	/**
	 * From here on it keeps its size, whatever becomes of its room, and goes to where the camera
	 * is at once; or it does so no more.
	 */
	hold(held: boolean): void;
}

/** When a picture is on show, in seconds from the film's beginning. */
interface Moment {
	readonly timestamp: number;
	readonly duration: number;
}

/** When frame `frame` of those from `begin` to `end` is on show. */
function momentOf(seconds: Float64Array, frame: number, span: FrameRange): Moment {
	const at = (k: number): number => (seconds[k] ?? 0) - (seconds[span.begin] ?? 0);
	const last = span.end - 1;
	// The last frame is on show as long as those before it were.
	const mean = last > span.begin ? at(last) / (last - span.begin) : 0.1;
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

/** Somebody else moved the playhead: what the canvas shows is not the frame to be taken. */
function disturbed(frame: number, { frame: other }: ViewerState): BevError {
	const what = `film: the picture shows another frame (found ${other}, expected ${frame})`;
	return new BevError("invalid_argument", `${what}; do not seek while a film is made`);
}

/** The frames of `span` as a film of what `canvas` shows of each. */
async function filmed(
	controller: ViewerController,
	canvas: HTMLCanvasElement,
	span: FrameRange,
	{ format, signal, onProgress }: FilmOptions,
): Promise<Blob> {
	const config = await encoderFor(format, evenSize(canvas));
	if (!config) {
		const what = `film: this browser encodes no pictures for ${format.name}`;
		throw new BevError("unsupported", what);
	}
	const { sceneInfo, dataset } = controller.state;
	const seconds = sceneInfo?.seconds ?? new Float64Array();
	const target = new BufferTarget();
	const output = new Output({ format: format.container(), target });
	const source = new VideoSampleSource(config);
	output.addVideoTrack(source);
	try {
		await output.start();
		for (let frame = span.begin; frame < span.end; frame += 1) {
			signal.throwIfAborted();
			controller.seek(frame);
			await controller.whenSettled(signal);
			const { state } = controller;
			if (state.dataset !== dataset || state.sceneInfo !== sceneInfo)
				throw new BevError("invalid_argument", "film: the scene was changed meanwhile");
			if (state.frame !== frame || !currentFrame(state)) throw disturbed(frame, state);
			await addPicture(source, canvas, momentOf(seconds, frame, span));
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
 * The marked part of the scene, or all of it, as a film: every frame once, at the times of
 * the data, in the size that the picture has at the beginning. The picture shows each frame as
 * it is taken, and goes back afterwards.
 *
 * @throws BevError `invalid_argument` if there is no frame, a film of this picture is being made,
 * or the scene or frame was changed meanwhile; `unsupported` if the browser encodes none; what
 * reading a frame throws. And the reason of `signal`.
 */
export async function filmOf(
	controller: ViewerController,
	picture: FilmPicture,
	options: FilmOptions,
): Promise<Blob> {
	const { canvas } = picture;
	const { span } = controller;
	const { frame: before } = controller.state;
	if (!canvas || span.end <= span.begin) {
		throw new BevError("invalid_argument", "film: there is no frame to show");
	}
	if (picture.held) {
		throw new BevError(
			"invalid_argument",
			"film: another is being made of this picture",
		);
	}
	controller.pause();
	picture.hold(true);
	try {
		return await filmed(controller, canvas, span, options);
	} finally {
		picture.hold(false);
		controller.seek(before);
	}
}
