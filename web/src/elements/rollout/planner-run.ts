import { BevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import { naming } from "../../converting/files.js";
import type { NamedFile, RunInScene, RunScenes } from "../../converting/protocol.js";
import type { SimulatedArrays } from "../../reviewing/protocol.js";
import { sceneAttributes } from "../scenes/benchmark.js";
import { sceneRows } from "../scenes/scene-rows.js";
import { columnAs } from "../scenes/stored-scene.js";
import type { ViewerDataset } from "../session/dataset.js";
import { counted } from "../ui/words.js";

/** The files of a simulation of nuPlan: a log, or the serialized scenes of a folder. */
export interface RunFiles {
	/** For messages. */
	readonly name: string;
	/** The known end of the path PLANNER/TYPE/LOG/NAME of serialized scenes. */
	readonly folder: string;
	readonly files: readonly NamedFile[];
}

/** What a simulation has of a scene beside its rollout. */
export type PlannedScene = Omit<RunInScene, "rollout">;

/** A simulation beside the open data. */
export interface JoinedRun {
	/** The planner, or the files' name. */
	readonly name: string;
	readonly scenes: readonly SimulatedArrays[];
	readonly planned: ReadonlyMap<number, PlannedScene>;
	/** What was left out, in words; "": nothing. */
	readonly left: string;
}

/**
 * Scenes that a simulation is joined with: one or two of a log's own, many of scenarios
 * that overlap in time. Each takes up to a megabyte.
 */
export const MAX_SCENES = 64;
const OF = "simulation";

/** Returns whether a scene is of nuPlan, so that simulations may be of it. */
export function isOfNuplan(
	dataset: Pick<ViewerDataset, "attrs">,
	scene: number,
): boolean {
	const { log, moved_by } = sceneAttributes(dataset.attrs, scene) ?? {};
	return typeof log === "string" && Array.isArray(moved_by);
}

/** Returns begin and end of each scene; of the displayed one alone if they are unknown. */
async function timesOf(
	dataset: ViewerDataset,
	shown: number,
	signal: AbortSignal,
): Promise<BigInt64Array> {
	if (dataset.sceneTimes) return dataset.sceneTimes;
	const { length } = dataset.scenes;
	const times = new BigInt64Array(2 * length).fill(-1n);
	if (dataset.names) {
		times.set([0n, 2n ** 63n - 1n], 2 * shown);
		return times;
	}
	const fields = ["start_time", "end_time"];
	const rows = await dataset.scenes.rows(0, length, { fields, signal });
	const [begin, end] = fields.map((name) => columnAs(BigInt64Array, rows, name, OF));
	begin?.forEach((value, i) => {
		times.set([value, end?.[i] ?? value], 2 * i);
	});
	return times;
}

/** Returns the log of each scene; of scenarios that were not read yet, "". */
function logsOf({ attrs, scenes }: ViewerDataset): string[] {
	return Array.from({ length: scenes.length }, (_, i) => {
		const log = sceneAttributes(attrs, i)?.log;
		return typeof log === "string" ? log : "";
	});
}

/** Reads the simulation's frames of a scene. */
async function inScene(
	converter: Converter,
	dataset: ViewerDataset,
	{ scene, signal }: { readonly scene: number; readonly signal: AbortSignal },
): Promise<RunInScene> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const frames = await dataset.frames.rows(row?.frameBegin ?? 0, row?.frameEnd ?? 0, {
		fields: ["timestamp"],
		signal,
	});
	// Known once a scenario was read.
	const attributes = JSON.stringify(sceneAttributes(dataset.attrs, scene) ?? {});
	const timestamps = columnAs(BigInt64Array, frames, "timestamp", OF);
	return converter.ask({ kind: "runInScene", timestamps, attributes }, { signal });
}

/** Names what a simulation is of, where no scene of the data is. */
function unmatched(name: string, { scenario, log }: RunScenes): BevError {
	const of = log === "" ? "which names no log" : `of log ${log}`;
	return new BevError(
		"not_found",
		`${name}: simulation of scenario ${scenario}, ${of}: no open scene has its log and time`,
	);
}

/** Returns which scenes are beyond the limit, in words; "": none. */
export function leftOut(name: string, beyond: readonly number[]): string {
	if (beyond.length === 0) return "";
	const [first, last] = [beyond[0], beyond.at(-1)];
	const numbers = first === last ? `${first}` : `among ${first}–${last}`;
	return `${name}: ${counted(beyond.length, "scene")} left out (${numbers}); it is joined with at most ${MAX_SCENES}`;
}

/**
 * Joins a simulation with the scenes of the open data that it is of: by log, or scenario,
 * and time; the displayed scene, `shown`, first. Of more than `MAX_SCENES`, the others are
 * named.
 *
 * @throws BevError `not_found`, naming what does not match; errors of reading
 */
export async function joinRun(
	{ files, folder, name }: RunFiles,
	{ dataset, shown }: { readonly dataset: ViewerDataset; readonly shown: number },
	signal: AbortSignal,
): Promise<JoinedRun> {
	const times = await timesOf(dataset, shown, signal);
	const logs = logsOf(dataset);
	const converter = await Converter.start({ signal });
	try {
		const run = { kind: "run", folder, files, times, logs } as const;
		const found = await converter.ask(run, { signal });
		const candidates = [...found.scenes].sort(
			(a, b) => Number(b === shown) - Number(a === shown),
		);
		const scenes: SimulatedArrays[] = [];
		const planned = new Map<number, PlannedScene>();
		let why: unknown;
		for (const scene of candidates.slice(0, MAX_SCENES)) {
			try {
				const wish = { scene, signal };
				const joined = await naming(name, () => inScene(converter, dataset, wish));
				scenes.push({ ...joined.rollout, scene });
				planned.set(scene, joined);
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof BevError) || error.code !== "not_found") throw error;
				why ??= error;
			}
		}
		if (scenes.length === 0) throw why ?? unmatched(name, found);
		const left = leftOut(name, candidates.slice(MAX_SCENES));
		return { name: found.planner || name, scenes, planned, left };
	} finally {
		converter.close();
	}
}

/** Joins a simulation with the open data, the displayed scene first. */
export async function joinShown(
	{
		dataset,
		scene,
	}: { readonly dataset: ViewerDataset | undefined; readonly scene: number },
	run: RunFiles,
	signal: AbortSignal,
): Promise<JoinedRun> {
	if (!dataset || !isOfNuplan(dataset, scene))
		throw new BevError("not_found", `${run.name}: the open scene is not of nuPlan`);
	return joinRun(run, { dataset, shown: scene }, signal);
}
