import { BevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import { scenarioId } from "../../converting/names.js";
import type { ForecastRows } from "../../converting/protocol.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { Submitted } from "../../reviewing/remote-futures.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { Predictions } from "../../tools.js";
import { rangedBlob } from "../futures/ranged-file.js";
import { benchmarkOf, sceneAttributes } from "../scenes/benchmark.js";
import type { ViewerDataset } from "../session/dataset.js";
import { counted } from "../ui/words.js";

/** The ego vehicle's track: in Argoverse 2's files, and in predictions. */
const EGO_NAME = "AV";
const EGO = -1n;

/** Returns the scenes of Argoverse 2 scenarios, by scenario id. */
function scenesById({ attrs, names, scenes }: ViewerDataset): Map<string, number> {
	const count = names?.length ?? scenes.length;
	const found = new Map<string, number>();
	for (let scene = 0; scene < count; scene += 1) {
		// A folder's path ends with the id; converted scenes have it as an attribute.
		const name = names?.[scene]?.split("/").at(-1) ?? "";
		const known = sceneAttributes(attrs, scene)?.scenario_id;
		const id = known ?? scenarioId(name) ?? name;
		if (typeof id === "string" && id !== "") found.set(id, scene);
	}
	return found;
}

/** A scene's frame after which predictions begin, and its tracks. */
interface Anchor {
	readonly frame: FrameView;
	/** Row of each agent, by track id. */
	readonly rows: ReadonlyMap<bigint, number>;
	/** Track ids of tracks whose names are no numbers. */
	readonly named: ReadonlyMap<string, bigint>;
}

async function anchorOf(
	dataset: ViewerDataset,
	scene: number,
	signal: AbortSignal,
): Promise<Anchor> {
	await dataset.frame(scene, 0, { signal }); // a scenario is converted, and has attributes
	const { anchor } = benchmarkOf(dataset.attrs, scene);
	if (anchor === undefined)
		throw new BevError("not_found", `scene ${scene}: no anchor frame`);
	return anchorAt(dataset, scene, anchor, signal);
}

async function anchorAt(
	dataset: ViewerDataset,
	scene: number,
	anchor: number,
	signal: AbortSignal,
): Promise<Anchor> {
	const frame = await dataset.frame(scene, anchor, { signal });
	const { track_names = {} } = sceneAttributes(dataset.attrs, scene) ?? {};
	const named = Object.entries(track_names as Readonly<Record<string, unknown>>);
	return {
		frame,
		rows: new Map(Array.from(frame.agents.track_id, (id, row) => [id, row])),
		named: new Map(named.map(([id, name]) => [String(name), BigInt(id)])),
	};
}

/** Returns track and position of a track in the anchor frame; undefined if absent. */
function placeOf(
	{ frame, rows, named }: Anchor,
	name: string,
): readonly [track: bigint, x: number, y: number] | undefined {
	if (name === EGO_NAME) {
		const [x = Number.NaN, y = Number.NaN] = frame.ego.centroid;
		return [EGO, x, y];
	}
	const track = named.get(name) ?? (/^\d{1,19}$/.test(name) ? BigInt(name) : undefined);
	const row = track === undefined ? undefined : rows.get(track);
	if (track === undefined || row === undefined) return undefined;
	const [x = Number.NaN, y = Number.NaN] = frame.agents.centroid.subarray(2 * row);
	return [track, x, y];
}

/** The modes of a track, the most probable first. */
interface Forecast {
	readonly scenario: string;
	readonly track: string;
	readonly modes: number[];
}

function forecastsIn({ scenarios, tracks, probabilities }: ForecastRows): Forecast[] {
	const found = new Map<string, Forecast>();
	scenarios.forEach((scenario, row) => {
		const track = tracks[row] ?? "";
		const key = JSON.stringify([scenario, track]);
		const forecast = found.get(key) ?? { scenario, track, modes: [] };
		forecast.modes.push(row);
		found.set(key, forecast);
	});
	const by = (row: number): number => probabilities[row] ?? 0;
	for (const { modes } of found.values()) modes.sort((a, b) => by(b) - by(a) || a - b);
	return [...found.values()];
}

interface Placed {
	readonly forecast: Forecast;
	readonly anchor: Anchor;
	readonly place: readonly [track: bigint, x: number, y: number];
}

/** Throws if two forecasts have equal timestamps and tracks, which name predictions. */
function requireDistinct(all: readonly Placed[]): void {
	const known = new Map<string, Forecast>();
	for (const { forecast, anchor, place } of all) {
		const key = `${anchor.frame.timestamp} ${place[0]}`;
		const other = known.get(key);
		known.set(key, forecast);
		if (!other) continue;
		const scenarios = `scenarios ${other.scenario} and ${forecast.scenario}`;
		throw new BevError(
			"invalid_argument",
			`${scenarios}: equal timestamps of track ${forecast.track}`,
		);
	}
}

/**
 * Returns predictions of the forecasts: positions relative to the track's in the anchor
 * frame. A forecast with fewer modes repeats its most probable one with probability 0,
 * which changes neither its best mode nor its likelihood.
 */
export function predictionsOf(
	rows: ForecastRows,
	anchors: ReadonlyMap<string, Anchor>,
): Predictions {
	const { steps, paths, probabilities } = rows;
	const all = forecastsIn(rows);
	const placed = all.flatMap((forecast) => {
		const anchor = anchors.get(forecast.scenario);
		const place = anchor && placeOf(anchor, forecast.track);
		return anchor && place ? [{ forecast, anchor, place }] : [];
	});
	requireDistinct(placed);
	const most = placed.reduce((max, one) => Math.max(max, one.forecast.modes.length), 0);
	const count = placed.length;
	const timestamps = new BigInt64Array(count);
	const track_ids = new BigInt64Array(count);
	const confidences = new Float64Array(count * most);
	const coords = new Float64Array(count * most * steps * 2);
	placed.forEach(({ forecast, anchor, place: [track, x, y] }, i) => {
		timestamps[i] = anchor.frame.timestamp;
		track_ids[i] = track;
		for (let mode = 0; mode < most; mode += 1) {
			const row = forecast.modes[mode];
			confidences[i * most + mode] = row === undefined ? 0 : (probabilities[row] ?? 0);
			const from = 2 * steps * (row ?? forecast.modes[0] ?? 0);
			const path = paths.subarray(from, from + 2 * steps);
			const to = 2 * steps * (i * most + mode);
			coords.set(
				path.map((value, k) => value - (k % 2 === 0 ? x : y)),
				to,
			);
		}
	});
	return { timestamps, track_ids, confidences, coords };
}

async function rowsOf(
	file: Blob,
	name: string,
	scenarios: readonly string[],
	signal: AbortSignal,
): Promise<ForecastRows> {
	const converter = await Converter.start({ signal });
	try {
		const request = { kind: "forecasts", file, name, scenarios } as const;
		return await converter.ask(request, { signal });
	} finally {
		converter.close();
	}
}

/** Options of `readForecasts`. */
export interface ForecastOptions {
	readonly signal: AbortSignal;
	/** Receives the number of scenarios read, and of those to read. */
	readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Reads a submission to the Argoverse 2 challenge as predictions of the open scenarios.
 *
 * @throws BevError: as `forecastRows`, and `not_found` if no row is of an open scenario
 */
export async function readForecasts(
	file: Blob,
	name: string,
	dataset: ViewerDataset | undefined,
	{ signal, onProgress }: ForecastOptions,
): Promise<Predictions> {
	if (!dataset) throw new BevError("invalid_argument", `${name}: no data set is open`);
	const scenes = scenesById(dataset);
	const rows = await rowsOf(file, name, [...scenes.keys()], signal);
	const anchors = new Map<string, Anchor>();
	const wanted = new Set(rows.scenarios);
	for (const scenario of wanted) {
		signal.throwIfAborted();
		onProgress?.(anchors.size, wanted.size);
		const scene = scenes.get(scenario);
		if (scene !== undefined)
			anchors.set(scenario, await anchorOf(dataset, scene, signal));
	}
	const predictions = predictionsOf(rows, anchors);
	if (predictions.timestamps.length > 0) return predictions;
	const why =
		rows.scenarios.length > 0
			? "no track is in the anchor frame of its scenario"
			: `none of ${counted(rows.all, "row")} is of a scenario that is open`;
	throw new BevError("not_found", `${name}: ${why}`);
}

/** A file of predictions for nuScenes, and what reads it. */
export interface NuscenesFile {
	readonly file: Blob;
	readonly name: string;
	readonly reviewer: Pick<Reviewer, "submission">;
}

/** A sample of an open scene, for which there are predictions. */
interface Sample {
	readonly scene: number;
	readonly frame: number;
	readonly token: string;
	/** Tokens of the instances that are predicted. */
	readonly instances: readonly string[];
}

/** Returns texts of an attribute, a list or an object. */
function textsOf(value: unknown): string[] {
	return Object.values(value ?? {}).filter((one) => typeof one === "string");
}

/** Returns the samples of the open scenes that a submission has predictions for. */
function samplesIn(dataset: ViewerDataset, ids: ReadonlySet<string>): Sample[] {
	const count = dataset.names?.length ?? dataset.scenes.length;
	const out: Sample[] = [];
	for (let scene = 0; scene < count; scene += 1) {
		const found = sceneAttributes(dataset.attrs, scene);
		const names = textsOf(found?.track_names);
		textsOf(found?.samples).forEach((token, frame) => {
			const instances = names.filter((name) => ids.has(`${name}_${token}`));
			if (instances.length > 0) out.push({ scene, frame, token, instances });
		});
	}
	return out;
}

/** Returns what a conversion added to the positions of a scene. */
function movedBy(dataset: ViewerDataset, scene: number): readonly [number, number] {
	const moved = sceneAttributes(dataset.attrs, scene)?.moved_by;
	const [x, y] = Array.isArray(moved) ? moved.map(Number) : [];
	return [x ?? 0, y ?? 0];
}

/** Modes of one prediction, with probabilities whose sum is 1. */
interface Modes {
	readonly paths: readonly Float32Array[];
	readonly probabilities: readonly number[];
	readonly steps: number;
}

/** Returns modes as (F, 2) each, and probabilities; equal ones if none is above 0. */
function modesOf({ poses, scores, rollouts }: Submitted): Modes {
	const steps = poses.length / rollouts / 2;
	const raw = Array.from(scores, (score) => Math.max(score, 0));
	const sum = raw.reduce((all, one) => all + one, 0);
	const paths = raw.map((_, mode) =>
		new Float32Array(2 * steps).map(
			(_, i) => poses[(2 * mode + (i % 2)) * steps + Math.floor(i / 2)] ?? 0,
		),
	);
	return {
		paths,
		probabilities: raw.map((p) => (sum > 0 ? p / sum : 1 / rollouts)),
		steps,
	};
}

/**
 * Reads a submission to the nuScenes prediction challenge as predictions of the open scenes.
 *
 * @throws BevError `invalid_metadata`, naming the prediction, for what is not one;
 * `not_found` if none is of an open scene
 */
export async function readNuscenes(
	{ file, name, reviewer }: NuscenesFile,
	dataset: ViewerDataset | undefined,
	{ signal, onProgress }: ForecastOptions,
): Promise<Predictions> {
	if (!dataset) throw new BevError("invalid_argument", `${name}: no data set is open`);
	const submission = await reviewer.submission([rangedBlob(file, name)], { signal });
	try {
		const samples = samplesIn(dataset, submission.scenarios);
		const anchors = new Map<string, Anchor>();
		const scenarios: string[] = [];
		const tracks: string[] = [];
		const probabilities: number[] = [];
		const paths: number[] = [];
		let steps: number | undefined;
		for (const { scene, frame, token, instances } of samples) {
			signal.throwIfAborted();
			onProgress?.(anchors.size, samples.length);
			anchors.set(token, await anchorAt(dataset, scene, frame, signal));
			const moved = movedBy(dataset, scene);
			for (const instance of instances) {
				const modes = modesOf(await submission.read(`${instance}_${token}`, signal));
				steps ??= modes.steps;
				if (modes.steps !== steps)
					throw new BevError(
						"invalid_metadata",
						`${name}: ${instance}_${token}: another number of steps (found ${modes.steps}, expected ${steps})`,
					);
				modes.paths.forEach((path, mode) => {
					scenarios.push(token);
					tracks.push(instance);
					probabilities.push(modes.probabilities[mode] ?? 0);
					path.forEach((value, i) => void paths.push(value + (moved[i % 2] ?? 0)));
				});
			}
		}
		const rows = {
			...{ scenarios, tracks, steps: steps ?? 0, all: submission.scenarios.size },
			probabilities: Float64Array.from(probabilities),
			paths: Float64Array.from(paths),
		};
		const predictions = predictionsOf(rows, anchors);
		if (predictions.timestamps.length > 0) return predictions;
		const counts = counted(submission.scenarios.size, "prediction");
		throw new BevError("not_found", `${name}: none of ${counts} is of an open scene`);
	} finally {
		submission.release();
	}
}
