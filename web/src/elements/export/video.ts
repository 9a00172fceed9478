import {
	BufferTarget,
	Output,
	type OutputFormat,
	type VideoEncodingConfig,
	VideoSample,
	VideoSampleSource,
} from "mediabunny";
import { BevError } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import { encoderFor, evenSize, type VideoFormat } from "./encoding.js";
import {
	type Moment,
	type Recording,
	type RecordOptions,
	record,
} from "./recording.js";
import type { ExportedPicture } from "./still.js";

/** Options of a video. */
export interface VideoOptions extends RecordOptions {
	/** Container and codec. */
	readonly format: VideoFormat;
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

async function encoded(recording: Recording, format: VideoFormat): Promise<Blob> {
	const config = await encoderFor(format, evenSize(recording.canvas));
	if (!config) {
		const what = `video: no encoder for ${format.name} in this browser`;
		throw new BevError("unsupported", what);
	}
	const target = new BufferTarget();
	const output = new Output({ format: format.container() as OutputFormat, target });
	const source = new VideoSampleSource(config as VideoEncodingConfig);
	output.addVideoTrack(source);
	try {
		await output.start();
		await recording.each((canvas, moment) => addPicture(source, canvas, moment));
		await output.finalize();
	} finally {
		if (output.state !== "finalized") await output.cancel();
	}
	return new Blob([target.buffer ?? new ArrayBuffer()], {
		type: `video/${format.ending}`,
	});
}

/**
 * Exports a recording as a video.
 *
 * @throws BevError see `record`; `unsupported` if the browser cannot encode the format.
 */
export function recordVideo(
	controller: ViewerController,
	picture: ExportedPicture,
	options: VideoOptions,
): Promise<Blob> {
	return record(controller, picture, options, (recording) =>
		encoded(recording, options.format),
	);
}
