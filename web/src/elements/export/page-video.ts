import type { Progress } from "../../worker/protocol.js";
import type { ViewerController } from "../session/controller.js";
import { sizeInPixels } from "./size.js";
import type { ExportedPicture } from "./still.js";
import { FORMATS, recordVideo, type VideoOptions } from "./video.js";

/** Options of a video export. */
export interface RecordOptions
	extends Partial<Omit<VideoOptions, "format" | "size" | "onProgress">> {
	/** Default: `webm`. */
	readonly format?: "webm" | "mp4" | "gif" | undefined;
	/** Receives the number of frames done, and of all. */
	readonly onProgress?: ((progress: Progress) => void) | undefined;
	/** Size of the video in pixels. Default: the displayed size. */
	readonly size?:
		| {
				/** Width in pixels. */
				readonly width: number;
				/** Height in pixels. */
				readonly height: number;
		  }
		| undefined;
}

/** Records a video for the page: the marked section, or the whole scene. */
export async function recordForPage(
	controller: ViewerController | undefined,
	picture: ExportedPicture | null,
	{ format = "webm", signal, onProgress, size, speed, caption }: RecordOptions,
): Promise<Blob> {
	const kind = FORMATS.find(({ ending }) => ending === format);
	if (!controller || !picture || !(kind || format === "gif")) {
		throw new TypeError(
			`record: unsupported format, or no picture (found ${format}, expected webm, mp4 or gif)`,
		);
	}
	const options = {
		...{ speed, caption },
		size: size && sizeInPixels(picture.size, size.width, size.height),
		signal: signal ?? new AbortController().signal,
		onProgress: (done: number, of: number) => onProgress?.({ done, of }),
	};
	if (kind) return recordVideo(controller, picture, { ...options, format: kind });
	const { recordGif } = await import("./gif.js");
	return recordGif(controller, picture, options);
}
