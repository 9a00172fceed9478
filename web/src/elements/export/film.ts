import { BufferTarget, Output, VideoSample, VideoSampleSource } from "mediabunny";
import { BevError } from "../../errors.js";
import type { ViewerController } from "../controller.js";
import type { FrameRange } from "../pure/clock.js";
import { currentFrame } from "../showing.js";
import type { ViewerState } from "../state.js";
import { encoderFor, evenSize, type FilmFormat } from "./encoding.js";
import type { HeldSize } from "./size.js";
import { Captions, type ExportedPicture } from "./still.js";

export interface FilmOptions {
	readonly format: FilmFormat;
	/** Default: as the picture is shown. */
	readonly size?: HeldSize | undefined;
	/** 2 shows the scene in half of its time. Default 1. */
	readonly speed?: number | undefined;
	/** Writes time, scale and legend onto each picture. Default false. */
	readonly caption?: boolean | undefined;
	readonly signal: AbortSignal;
	/** Pictures done, and how many there are. */
	readonly onProgress: (done: number, all: number) => void;
}

/** When a picture is on show, in seconds from the film's beginning. */
interface Moment {
	readonly timestamp: number;
	readonly duration: number;
}

/** The frames that are filmed, and how fast. */
interface Pace {
	readonly seconds: Float64Array;
	readonly span: FrameRange;
	readonly speed: number;
}

/** When frame `frame` is on show. */
function momentOf({ seconds, span, speed }: Pace, frame: number): Moment {
	const first = seconds[span.begin] ?? 0;
	const at = (k: number): number => ((seconds[k] ?? 0) - first) / speed;
	const last = span.end - 1;
	// The last frame is on show as long as those before it were.
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

/** Somebody else moved the playhead: what the canvas shows is not the frame to be taken. */
function disturbed(frame: number, { frame: other }: ViewerState): BevError {
	const what = `film: the picture shows another frame (found ${other}, expected ${frame})`;
	return new BevError("invalid_argument", `${what}; do not seek while a film is made`);
}

/** What is filmed: a picture that keeps its size. */
interface Filmed {
	readonly picture: ExportedPicture;
	readonly canvas: HTMLCanvasElement;
	readonly span: FrameRange;
}

/** The frames of `span` as a film of what `canvas` shows of each. */
async function filmed(
	controller: ViewerController,
	{ picture, canvas, span }: Filmed,
	{ format, signal, onProgress, speed = 1, caption = false }: FilmOptions,
): Promise<Blob> {
	const config = await encoderFor(format, evenSize(canvas));
	if (!config) {
		const what = `film: this browser encodes no pictures for ${format.name}`;
		throw new BevError("unsupported", what);
	}
	const { sceneInfo, dataset } = controller.state;
	const pace = { seconds: sceneInfo?.seconds ?? new Float64Array(), span, speed };
	const captions = caption ? new Captions(picture) : undefined;
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
 * The marked part of the scene, or all of it, as a film: every frame once, at the times of
 * the data divided by the speed, in one size. The picture shows each frame as it is taken, and
 * goes back afterwards.
 *
 * @throws BevError `invalid_argument` if there is no frame, the speed is not above 0, a film of this
 * picture is being made, or the scene or frame was changed meanwhile; `unsupported` if the browser
 * encodes none; what reading a frame throws. And the reason of `signal`.
 */
export async function filmOf(
	controller: ViewerController,
	picture: ExportedPicture,
	options: FilmOptions,
): Promise<Blob> {
	const { canvas } = picture;
	const { span } = controller;
	const { frame: before } = controller.state;
	if (!canvas || span.end <= span.begin) {
		throw new BevError("invalid_argument", "film: there is no frame to show");
	}
	const { speed = 1 } = options;
	if (!(speed > 0) || !Number.isFinite(speed)) {
		const what = `film: speed must be above 0 (found ${speed})`;
		throw new BevError("invalid_argument", what);
	}
	if (picture.held) {
		throw new BevError(
			"invalid_argument",
			"film: another is being made of this picture",
		);
	}
	controller.pause();
	picture.hold(options.size ?? picture.size);
	try {
		return await filmed(controller, { picture, canvas, span }, options);
	} finally {
		picture.hold(undefined);
		controller.seek(before);
	}
}
