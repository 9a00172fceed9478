import { type Arrays, type Given, type Handle, pick } from "../core/core.js";
import type { Port } from "../core/port.js";
import type { RolloutTruth } from "./protocol.js";

/** A file whose bytes are read by ranges. */
export interface RangedFile {
	readonly name: string;
	/** Bytes. */
	readonly size: number;
	read(begin: number, end: number, signal: AbortSignal): Promise<Uint8Array>;
	/** The index that is beside it. */
	readonly sideFile?: SideFile | undefined;
}

/** The content of NAME.index.json. */
export interface SideFile {
	readonly text: string;
	/** Whether it is older than its file, and so ignored. */
	readonly isOlder: boolean;
}

/** What a submission states about its model; "" if absent. */
export interface ModelCard {
	readonly method: string;
	readonly affiliation: string;
	/** Begins with https://, or is empty. */
	readonly link: string;
	readonly parameters: string;
}

/** Columns of the scene that futures are joined with, and its attributes as JSON. */
export type FuturesScene = Omit<
	Given<"join_scene">,
	"futures" | "left" | "left_offsets" | "right" | "right_offsets"
>;

/** The futures of a scene: R rollouts, A agents, T steps. */
export interface SceneFutures {
	/** Ids of the agents in the source. */
	readonly ids: BigUint64Array;
	readonly rollouts: number;
	readonly steps: number;
	/** (R, A, V, T): x, y, z and yaw, or x and y, added to the origin. */
	readonly poses: Float32Array;
	/** V: 4, or 2. */
	readonly values: number;
	/** Length, width and height: (A, 3), or (R, A, 3, T); undefined if unknown. */
	readonly sizes: Float32Array | undefined;
	/** (R, A, T); undefined if all are. */
	readonly valid: Uint8Array | undefined;
	/** (R), or (R, A). */
	readonly scores: Float32Array | undefined;
	/** The scene's frame of the first step, and frames per step. */
	readonly firstStep: number;
	readonly stride: number;
	readonly origin: readonly [x: number, y: number];
	/** Recorded time from the current step to the last one. */
	readonly secondsAhead: number;
	/** Whether a rollout of all agents is one future. */
	readonly joint: boolean;
	/** Before they are computed, only `evaluated` is known; see `isMeasured`. */
	readonly measures: FuturesMeasures;
	/** What does not match the scene, a line per kind. */
	readonly mismatches: readonly string[];
}

const NONE = new Float64Array();

/** Measures that are being computed. */
const UNKNOWN: FuturesMeasures = {
	seconds: undefined,
	...{ evaluated: NONE, agent_ade: NONE, agent_fde: NONE, ade: NONE, fde: NONE },
	...{ collision_step: NONE, collision_with: NONE, off_lane_step: NONE },
	...{ colliding: NONE, leaving: NONE },
};

/** Measures beside the recording; steps are −1 for none. Empty or NaN: unknown. */
export interface FuturesMeasures {
	/**
	 * How far ahead distances and numbers of agents are measured; undefined: to the end.
	 * Steps of events are of all steps.
	 */
	readonly seconds: number | undefined;
	/** Rows of the agents that the challenge evaluates. */
	readonly evaluated: Float64Array;
	/** (R, A) mean and final distance in metres. */
	readonly agent_ade: Float64Array;
	readonly agent_fde: Float64Array;
	/** (R, A) first step with a collision, and the row of the other agent. */
	readonly collision_step: Float64Array;
	readonly collision_with: Float64Array;
	/** (R, A) first step on no lane; −2: not judged. */
	readonly off_lane_step: Float64Array;
	/** (R) means of the evaluated agents, and numbers of all agents. */
	readonly ade: Float64Array;
	readonly fde: Float64Array;
	readonly colliding: Float64Array;
	readonly leaving: Float64Array;
}

/** Returns whether the measures of futures are computed. */
export function isMeasured({ measures }: Pick<SceneFutures, "measures">): boolean {
	return measures.ade.length > 0;
}

function measuresOf(arrays: Arrays, seconds: number | undefined): FuturesMeasures {
	const numbers = (name: string) => pick(arrays, name, Float64Array).slice();
	return {
		seconds,
		evaluated: numbers("evaluated"),
		agent_ade: numbers("agent_ade"),
		agent_fde: numbers("agent_fde"),
		collision_step: numbers("collision_step"),
		collision_with: numbers("collision_with"),
		off_lane_step: numbers("off_lane_step"),
		ade: numbers("ade"),
		fde: numbers("fde"),
		colliding: numbers("colliding"),
		leaving: numbers("leaving"),
	};
}

/** What a scenario's score is made of, in the order of the core's operation. */
export const SCORES = [
	...["agents", "evaluated", "rollouts", "mismatches", "ade", "min_ade", "fde"],
	...["min_fde", "collision_rate", "off_lane_rate", "best_rollout"],
] as const;

/** Distances from the recording by step, of the evaluated agents, in metres. */
export interface FuturesCurves {
	/** (R, T). */
	readonly mean: Float64Array;
	/** (T): of the least future. */
	readonly least: Float64Array;
}

/** The futures of a scene in a worker, joined with the recording. */
export class JoinedFutures {
	/** What does not match the scene, a line per kind. */
	readonly mismatches: readonly string[];
	readonly #port: Port;
	readonly #id: Handle<"Futures">;

	constructor(port: Port, id: Handle<"Futures">, mismatches: readonly string[]) {
		this.#port = port;
		this.#id = id;
		this.mismatches = mismatches;
	}

	/** Returns the poses, of which the measures are not known yet. */
	async read(): Promise<SceneFutures> {
		const given = { futures: this.#id };
		const frame = await this.#port.run("futures_frame", given);
		const arrays = await this.#port.run("futures_arrays", given);
		const evaluated = await this.#port.run("evaluated_futures", given);
		const measures = { ...UNKNOWN, evaluated: Float64Array.from(evaluated) };
		return sceneOf(arrays, frame, { measures, mismatches: this.mismatches });
	}

	/** Returns measures of so many seconds, of all without. */
	async measures(seconds?: number): Promise<FuturesMeasures> {
		const given = { futures: this.#id, seconds };
		return measuresOf(await this.#port.run("futures_measures", given), seconds);
	}

	async curves(): Promise<FuturesCurves> {
		const arrays = await this.#port.run("futures_curves", { futures: this.#id });
		return {
			mean: pick(arrays, "mean", Float64Array).slice(),
			least: pick(arrays, "least", Float64Array).slice(),
		};
	}

	/** Returns the scenario's score: values of `SCORES`, NaN if not known. */
	async score(seconds?: number): Promise<ArrayLike<number>> {
		return this.#port.run("futures_score", { futures: this.#id, seconds });
	}

	/** Frees the memory. Call it once. */
	release(): void {
		this.#port.release(this.#id);
	}
}

/** Modes of one agent, as they are submitted. */
export interface Submitted {
	/** (R, 1, 2, T). */
	readonly poses: Float32Array;
	/** (R). */
	readonly scores: Float32Array;
	readonly rollouts: number;
}

/** What a submission has of a scene. */
export interface ScenePart {
	readonly id: string;
	/** The current frame: of a prediction for nuScenes that of its sample. */
	readonly frame: number;
}

/** Kinds whose ids are not those of scenes: predictions of samples, and cases. */
const WITH_PARTS: readonly string[] = ["nuScenes prediction", "INTERPRET prediction"];

/** A submission to a challenge in a worker: its index, of which single scenes are read. */
export class RemoteSubmission {
	readonly card: ModelCard;
	/** "sim agents" (also scenario generation), "motion prediction" and so on. */
	readonly kind: string;
	readonly scenarios: ReadonlySet<string>;
	/** Why side files are ignored. */
	readonly notices: readonly string[];
	readonly #port: Port;
	readonly #id: Handle<"Submission">;
	readonly #files: readonly RangedFile[];

	/**
	 * Indexes the files of a submission by reading the head of each scenario.
	 *
	 * Rejects with `signal.reason` when aborted, otherwise with a BevError that names the
	 * file.
	 */
	static async open(
		port: Port,
		files: readonly RangedFile[],
		{ signal, onProgress }: { signal: AbortSignal; onProgress?: (of: number) => void },
	): Promise<RemoteSubmission> {
		const id = await port.run("submission", {});
		const given = { submission: id };
		try {
			for (const file of files) {
				const { name, size, sideFile } = file;
				const side_file = sideFile?.text;
				const is_older = sideFile?.isOlder;
				await port.run("index_shard", { ...given, name, size, side_file, is_older });
				for (;;) {
					const [begin, end] = await port.run("missing_of_shard", given);
					if (begin === undefined || end === undefined) break;
					const bytes = await file.read(begin, end, signal);
					signal.throwIfAborted();
					await port.run("supply_shard", { ...given, bytes });
					onProgress?.(end / size);
				}
			}
			const about = await port.run("open_submission", given);
			const ids = await port.run("submitted_scenarios", given);
			return new RemoteSubmission(port, id, { files, about, ids });
		} catch (error) {
			port.release(id);
			signal.throwIfAborted();
			throw error;
		}
	}

	private constructor(
		port: Port,
		id: Handle<"Submission">,
		{
			files,
			about,
			ids,
		}: {
			readonly files: readonly RangedFile[];
			readonly about: readonly string[];
			readonly ids: readonly string[];
		},
	) {
		const [kind = "", method = "", affiliation = "", link = "", parameters = ""] =
			about;
		this.#port = port;
		this.#id = id;
		this.#files = files;
		this.notices = about.slice(5);
		this.kind = kind;
		this.card = { method, affiliation, link, parameters };
		this.scenarios = new Set(ids);
	}

	/** Whether only `parts` tells what is of a scene; else the scenario of its id is. */
	get hasParts(): boolean {
		return WITH_PARTS.includes(this.kind);
	}

	/** Returns what is of a scene; of nuScenes in the order of samples. */
	async parts(rows: FuturesScene): Promise<readonly ScenePart[]> {
		const given = { submission: this.#id, ...rows };
		const found = await this.#port.run("scene_parts", given);
		return found.map((text) => {
			const at = text.indexOf(" ");
			return { id: text.slice(at + 1), frame: Number(text.slice(0, at)) };
		});
	}

	/** Reads futures of a scenario that are not joined with a scene. */
	async read(scenario: string, signal: AbortSignal): Promise<Submitted> {
		const futures = await this.#read(scenario, signal);
		try {
			const arrays = await this.#port.run("futures_arrays", { futures });
			const scores = pick(arrays, "scores", Float32Array).slice();
			const poses = pick(arrays, "poses", Float32Array).slice();
			return { poses, scores, rollouts: scores.length };
		} finally {
			this.#port.release(futures);
		}
	}

	async #read(scenario: string, signal: AbortSignal): Promise<Handle<"Futures">> {
		return this.#port.run("read_futures", await this.#bytes(scenario, signal));
	}

	/** Returns the bytes of a scenario, as operations take them. */
	async #bytes(scenario: string, signal: AbortSignal): Promise<Given<"read_futures">> {
		const given = { submission: this.#id, scenario };
		const [shard = 0, begin = 0, end = 0] = await this.#port.run(
			"find_submitted",
			given,
		);
		const bytes = await this.#files[shard]?.read(begin, end, signal);
		signal.throwIfAborted();
		return { ...given, bytes: bytes ?? new Uint8Array() };
	}

	/**
	 * Reads the futures of a scenario, and joins them with its scene; of nuScenes, all
	 * predictions of a sample.
	 */
	async join(
		[scenario = "", ...others]: readonly string[],
		rows: FuturesScene,
		{ lanes, signal }: Pick<RolloutTruth, "lanes"> & { readonly signal: AbortSignal },
	): Promise<JoinedFutures> {
		const port = this.#port;
		const futures = await this.#read(scenario, signal);
		try {
			for (const one of others)
				await port.run("read_more_futures", {
					...{ futures, ...(await this.#bytes(one, signal)) },
				});
			const report = await port.run("join_scene", {
				...{ futures, ...rows },
				...{ left: lanes?.left.points, left_offsets: lanes?.left.offsets },
				...{ right: lanes?.right.points, right_offsets: lanes?.right.offsets },
			});
			signal.throwIfAborted();
			return new JoinedFutures(
				port,
				futures,
				report.split("\n").filter((line) => line !== ""),
			);
		} catch (error) {
			port.release(futures);
			throw error;
		}
	}

	/** Frees the memory. */
	release(): void {
		this.#port.release(this.#id);
	}
}

function sceneOf(
	arrays: Arrays,
	frame: ArrayLike<number> & Iterable<number>,
	rest: Pick<SceneFutures, "measures" | "mismatches">,
): SceneFutures {
	const [firstStep = 0, stride = 1, x = 0, y = 0, joint = 0, rollouts = 0, ahead = 0] =
		frame;
	const ids = pick(arrays, "ids", BigUint64Array);
	const poses = pick(arrays, "poses", Float32Array);
	const optional = (name: string) =>
		name in arrays ? pick(arrays, name, Float32Array) : undefined;
	const values = arrays.sizes || poses.length === 0 ? 4 : 2;
	return {
		...{ ids, rollouts, poses, values },
		steps: poses.length / (rollouts * ids.length * values),
		sizes: optional("sizes"),
		valid: arrays.valid ? pick(arrays, "valid", Uint8Array) : undefined,
		scores: optional("scores"),
		...{ firstStep, stride, origin: [x, y], joint: joint === 1, secondsAhead: ahead },
		...rest,
	};
}
