import { BevError } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import { Encoder, encoderFor, evenSize, type VideoFormat } from "./encoding.js";
import { mp4 } from "./mp4.js";
import { type Recording, type RecordOptions, record } from "./recording.js";
import type { ExportedPicture } from "./still.js";
import { webm } from "./webm.js";

export const FORMATS: readonly VideoFormat[] = [
	{ name: "WebM", ending: "webm", codecs: ["vp9", "vp8"], container: webm },
	{ name: "MP4", ending: "mp4", codecs: ["avc"], container: mp4 },
];

/** Options of a video. */
export interface VideoOptions extends RecordOptions {
	/** Container and codec. */
	readonly format: VideoFormat;
}

async function encoded(recording: Recording, format: VideoFormat): Promise<Blob> {
	const config = await encoderFor(format, evenSize(recording.canvas));
	if (!config) {
		const what = `video: no encoder for ${format.name} in this browser`;
		throw new BevError("unsupported", what);
	}
	const encoder = new Encoder(config);
	try {
		await recording.each((canvas, moment) => encoder.add(canvas, moment));
		return format.container(await encoder.finish());
	} finally {
		encoder.close();
	}
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
