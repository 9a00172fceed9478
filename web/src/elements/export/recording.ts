import { BevError } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import { currentFrame } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import type { FrameRange } from "../timeline/clock.js";
import type { PictureSize } from "./size.js";
import { Captions, type ExportedPicture } from "./still.js";

/** Options of a recording. */
export interface RecordOptions {
	/** Default: the displayed size. */
	readonly size?: PictureSize | undefined;
	/** Playback speed: 2 halves the duration. Default 1. */
	readonly speed?: number | undefined;
	/** Writes time, scale and legend onto each frame. Default false. */
	readonly caption?: boolean | undefined;
	/** Cancels the recording. */
	readonly signal: AbortSignal;
	/** Called with the number of recorded frames and the total. */
	readonly onProgress: (done: number, all: number) => void;
}

/** Time of a frame, in seconds from the recording's start. */
export interface Moment {
	readonly timestamp: number;
	readonly duration: number;
}

/** The frames of a recording. */
export interface Recording {
	/** The canvas that shows the frames, for its size. */
	readonly canvas: HTMLCanvasElement;
	/** Displays each frame in turn; calls `take` with its image. */
	each(
		take: (canvas: HTMLCanvasElement, moment: Moment) => Promise<void> | void,
	): Promise<void>;
}

/** The recorded frames and their playback speed. */
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

/** Returns the error for a playhead that was moved during the export. */
function disturbed(frame: number, { frame: other }: ViewerState): BevError {
	const what = `video: unexpected frame displayed (found ${other}, expected ${frame})`;
	return new BevError("invalid_argument", `${what}; do not seek while recording`);
}

function framesOf(
	controller: ViewerController,
	picture: ExportedPicture,
	canvas: HTMLCanvasElement,
	{ signal, onProgress, speed = 1, caption = false }: RecordOptions,
): Recording {
	const { span } = controller;
	const { sceneInfo, dataset } = controller.state;
	const pace = { seconds: sceneInfo?.seconds ?? new Float64Array(), span, speed };
	return {
		canvas,
		async each(take) {
			const captions = caption ? new Captions(picture) : undefined;
			for (let frame = span.begin; frame < span.end; frame += 1) {
				signal.throwIfAborted();
				controller.seek(frame);
				await controller.whenSettled(signal);
				await controller.state.sensed?.settled();
				const { state } = controller;
				if (state.dataset !== dataset || state.sceneInfo !== sceneInfo)
					throw new BevError(
						"invalid_argument",
						"video: scene changed while recording",
					);
				if (state.frame !== frame || !currentFrame(state))
					throw disturbed(frame, state);
				await take(captions?.of(canvas, state) ?? canvas, momentOf(pace, frame));
				onProgress(frame - span.begin + 1, span.end - span.begin);
			}
		},
	};
}

/**
 * Records the marked section, or the whole scene: every frame once, at the timestamps of
 * the data divided by the speed, in one size. The picture seeks to each frame, and back to
 * the current one afterwards.
 *
 * @throws BevError `invalid_argument` if there is no frame, the speed is not above 0,
 *   another export of this picture is running, or the scene or frame was changed
 *   meanwhile; errors of `encode` and of reading a frame; the reason of the signal.
 */
export async function record(
	controller: ViewerController,
	picture: ExportedPicture,
	options: RecordOptions,
	encode: (recording: Recording) => Promise<Blob>,
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
		return await encode(framesOf(controller, picture, canvas, options));
	} finally {
		picture.hold(undefined);
		controller.seek(before);
	}
}
