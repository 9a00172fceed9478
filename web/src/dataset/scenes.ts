import type { AbortOptions, FrameOptions } from "../api.js";
import type { SceneFields } from "../arrays/schema.js";
import type { StructuredArray } from "../arrays/structured-array.js";
import { BevError } from "../base/errors.js";
import type { FrameView } from "./frame-view.js";
import { count, readAhead } from "./read-ahead.js";

/** A scene's record. */
export interface Scene {
	/** Index of the scene. */
	readonly index: number;
	/** Name of the recording vehicle. */
	readonly host: string;
	/** Start time in nanoseconds, as recorded. */
	readonly start: bigint;
	/** End time in nanoseconds, as recorded. */
	readonly end: bigint;
	/** Seconds from `start` to `end`; negative if the record's end precedes its start. */
	readonly seconds: number;
	/** Number of frames. */
	readonly frames: number;
	/** Row of the first frame in the `frames` array. */
	readonly frameBegin: number;
}

/** Options of `ChunkedDataset.sceneFrames`. */
export interface SceneFramesOptions extends Omit<FrameOptions, "sequential"> {
	/** First frame, as an index in the scene. Default 0. */
	begin?: number | undefined;
	/** Frame after the last one. Default: the number of frames. */
	end?: number | undefined;
	/** Number of frames to read ahead. Default 4. */
	prefetch?: number | undefined;
	/**
	 * Recycles the memory of each frame when the next is requested; its arrays are empty
	 * then. Default false.
	 */
	recycle?: boolean | undefined;
}

/** The used part of a data set. */
interface Scenes {
	readonly scenes: StructuredArray<SceneFields>;
	frame(scene: number, frame: number, options: FrameOptions): Promise<FrameView>;
}

const FIELDS = ["frame_index_interval", "host", "start_time", "end_time"] as const;

const DEFAULT_PREFETCH = 4;

/** Reads the record of scene `index`. */
export async function readScene(
	{ scenes }: Pick<Scenes, "scenes">,
	index: number,
	{ signal }: AbortOptions = {},
): Promise<Scene> {
	if (!Number.isInteger(index) || index < 0 || index >= scenes.length) {
		const said = `scene ${index} is out of range (count ${scenes.length})`;
		throw new BevError("out_of_range", said);
	}
	using rows = await scenes.take([index], { fields: FIELDS, signal });
	const [first = 0n, past = 0n] = rows.column("frame_index_interval").data;
	const [start = 0n] = rows.column("start_time").data;
	const [end = 0n] = rows.column("end_time").data;
	const frameBegin = Number(first);
	return {
		index,
		host: rows.strings("host")[0] ?? "",
		start,
		end,
		seconds: Number(end - start) / 1e9,
		frames: Number(past) - frameBegin,
		frameBegin,
	};
}

/** Yields the frames of a scene in order and reads some ahead. */
export async function* sceneFrames(
	dataset: Scenes,
	scene: number,
	options: SceneFramesOptions = {},
): AsyncGenerator<FrameView, void, undefined> {
	const { begin = 0, prefetch, recycle = false, signal, ...asked } = options;
	const ahead = count("prefetch", prefetch ?? DEFAULT_PREFETCH, 0);
	const { frames } = await readScene(dataset, scene, { signal });
	const { end = frames, ...given } = asked;
	if (count("begin", begin, 0) > frames || count("end", end, 0) > frames) {
		const said = `scene ${scene}: frames ${begin} to ${end} are out of range (count ${frames})`;
		throw new BevError("out_of_range", said);
	}
	const read = (frame: number, within: AbortSignal): Promise<FrameView> =>
		dataset.frame(scene, frame, { ...given, sequential: true, signal: within });
	const release = (frame: FrameView): void => frame.release();
	yield* readAhead(range(begin, end), read, { ahead, recycle, release, signal });
}

function* range(begin: number, end: number): Generator<number> {
	for (let i = begin; i < end; i += 1) yield i;
}
