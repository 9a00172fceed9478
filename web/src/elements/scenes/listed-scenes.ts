import { scenarioOf } from "./benchmark.js";
import { FIELDS, type SceneRow, type Scenes, sceneRowsOf } from "./scene-rows.js";
import { tagsOf } from "./scene-tags.js";

/** A scene in the scene list. Numbers are NaN if they are unknown. */
export interface ListedScene extends Omit<SceneRow, "startTime"> {
	/** Undefined if unknown, or if the scene's clock is relative. */
	readonly startTime: bigint | undefined;
	/** The scenario that the scene was converted from. */
	readonly scenario?: string | undefined;
	readonly tags: readonly string[];
	readonly frames: number;
	/** Seconds from start to end; NaN if the end is absent or before the start. */
	readonly duration: number;
}

/** Scenes per request of `allScenes`; progress is reported after each. */
const BLOCK = 500;

function durationOf(start: bigint, end: number | bigint | undefined): number {
	const seconds = end === undefined ? Number.NaN : Number(BigInt(end) - start) / 1e9;
	return seconds >= 0 ? seconds : Number.NaN;
}

function namedScene(host: string, index: number): ListedScene {
	const { NaN: unknown } = Number;
	return {
		...{ index, host, tags: [] },
		startTime: undefined,
		frameBegin: unknown,
		frameEnd: unknown,
		frames: unknown,
		duration: unknown,
	};
}

/** Like `sceneRows`, with frame counts and durations; only names if scenes have names. */
export async function listedScenes(
	dataset: Scenes,
	begin: number,
	count: number,
	signal: AbortSignal,
): Promise<ListedScene[]> {
	const end = Math.min(dataset.scenes.length, begin + count);
	if (dataset.names) {
		const names = dataset.names.slice(begin, end);
		return names.map((name, i) => namedScene(name, begin + i));
	}
	const fields = [...FIELDS, "end_time"];
	const rows = await dataset.scenes.rows(begin, end, { fields, signal });
	const ends = rows.column("end_time").data;
	return sceneRowsOf(rows, begin).map((row, i) => {
		const scenario = scenarioOf(dataset.attrs, row.index);
		return {
			...row,
			startTime: scenario === undefined ? row.startTime : undefined,
			scenario,
			tags: tagsOf(dataset.attrs, row.index),
			frames: row.frameEnd - row.frameBegin,
			duration: durationOf(row.startTime, ends[i]),
		};
	});
}

/** Returns scenes with the tags that were read of all. */
export function withTags(
	scenes: readonly ListedScene[],
	tags: readonly (readonly string[])[],
): readonly ListedScene[] {
	return scenes.map((scene) => ({ ...scene, tags: tags[scene.index] ?? [] }));
}

/** Reads every scene block by block; `onProgress` receives the number read so far. */
export async function allScenes(
	dataset: Scenes,
	signal: AbortSignal,
	onProgress: (read: number) => void,
): Promise<readonly ListedScene[]> {
	const tags = dataset.sceneTags && (await dataset.sceneTags({ signal }));
	const all: ListedScene[] = [];
	while (all.length < dataset.scenes.length) {
		const begin = all.length;
		const block = await listedScenes(dataset, begin, BLOCK, signal);
		signal.throwIfAborted();
		if (block.length === 0) throw new RangeError(`scenes: row ${begin} not found`);
		for (const scene of block) all.push(scene);
		onProgress(all.length);
	}
	return tags ? withTags(all, tags) : all;
}
