import { BevError } from "../../errors.js";
import type { ViewerController } from "../controller.js";
import { Encoding, encoderFor, evenSize, type FilmFormat } from "./encoding.js";

export interface FilmOptions {
	readonly format: FilmFormat;
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

/** Pictures between those that stand alone: so far can a player's seek be off. */
const KEY_EVERY = 25;

/**
 * The marked part of the scene, or all of it, as a film: every frame once, at the times of
 * the data. The picture shows each frame as it is taken, and goes back afterwards.
 */
export async function filmOf(
	controller: ViewerController,
	picture: FilmPicture,
	{ format, signal, onProgress }: FilmOptions,
): Promise<Blob> {
	const { canvas } = picture;
	const { frame: before, sceneInfo } = controller.state;
	const { begin, end } = controller.span;
	const seconds = sceneInfo?.seconds ?? new Float64Array();
	if (!canvas || end <= begin) {
		throw new BevError("invalid_argument", "film: there is no frame to show");
	}
	controller.pause();
	const config = await encoderFor(format, evenSize(canvas));
	if (!config) {
		const what = `film: this browser encodes no pictures for ${format.name}`;
		throw new BevError("unsupported", what);
	}
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
	const track = { ...config, description: encoding.description };
	const file = format.write(track, encoding.chunks, last + step);
	return new Blob([file], { type: `video/${format.ending}` });
}
