import type { AbortOptions } from "../api.js";
import { checkOptions, type Kinds, refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import type { Patch } from "../dataset/patch.js";
import { type Config, jsonOf, type SampleOptions } from "../samples/options.js";
import type { Sampler } from "../samples/sampler.js";
import { clientOf } from "../worker/client.js";
import type { FirstSteps } from "./binding.js";
import { ClosedLoop, type Driven } from "./closed-loop.js";
import type { Model } from "./model.js";
import { configOf, sampleOptionsOf, withModel } from "./sampling.js";
import type { SimulatedScene } from "./simulated-scene.js";
import type { PredictFunction } from "./types.js";

/** What drives road users: the model, or what was recorded. */
export type DrivenBy = "model" | "log";

/** How far a simulation is. */
export interface SimulationProgress {
	/** Number of frames that are simulated. */
	readonly done: number;
	/** Number of all frames. */
	readonly of: number;
	/** Returns the scenes so far; rejects once the simulation has ended. */
	scenes(): Promise<readonly SimulatedScene[]>;
}

/** Options of `simulate`. */
export interface SimulateOptions
	extends AbortOptions,
		Pick<SampleOptions, "root" | "map" | "meta" | "aerial" | "vectorized" | "image"> {
	/** The model that drives; or `predict`. */
	model?: Model | undefined;
	/** A function that drives in place of a model; see `Model.open`. */
	predict?: PredictFunction | undefined;
	/** L5Kit's config of the samples. Default: the model's. */
	config?: Config | undefined;
	/** Numbers of the scenes. */
	scenes: Iterable<number>;
	/** Edits of the scenes, or their JSON: it drives through those of `dataset.patched`. */
	patch?: Patch | string | undefined;
	/** The first frame of each scene. Default 0. */
	start?: number | undefined;
	/**
	 * Number of recorded frames before it that histories have. Default 0: as in L5Kit, the
	 * first frame has no history.
	 */
	history?: number | undefined;
	/** Number of frames, with the first one. Default: to the end of the shortest scene. */
	steps?: number | undefined;
	/** What drives the ego vehicle. Default `model`. */
	ego?: DrivenBy | undefined;
	/** What drives cars near the ego vehicle. Default `log`. */
	agents?: DrivenBy | undefined;
	/** Metres from the ego vehicle below which cars are driven. Default 15. */
	closeDistance?: number | undefined;
	/** Metres at which driven cars go back to the log. Default 30. */
	farDistance?: number | undefined;
	/**
	 * Whether agents stay that are not driven in the first frame, that of the history if
	 * there is one. Default true.
	 */
	newAgents?: boolean | undefined;
	/** Called after each frame; the simulation waits for its promise. */
	onProgress?: ((progress: SimulationProgress) => void | Promise<void>) | undefined;
}

const OPTIONS: Kinds = {
	...{ signal: "any", root: "any", map: "any", meta: "any", aerial: "any" },
	...{ vectorized: "flag", image: "text", model: "object", predict: "any" },
	...{ config: "any", scenes: "list", start: "index", steps: "index" },
	...{ history: "index", ego: "text", agents: "text" },
	...{ closeDistance: "number", farDistance: "number" },
	...{ newAgents: "flag", onProgress: "any", patch: "any" },
};

/** Samples of a batch: a model answers them in some 50 ms, and an abort waits for it. */
const BATCH = 8;

/**
 * Lets a model drive the ego vehicle, agents, or both through recorded scenes, by the
 * rules of L5Kit's closed loop: docs/rollouts.md.
 *
 * ```ts
 * const scenes = await simulate(dataset, { model, scenes: [0], start: 10, steps: 50 });
 * viewer.setRollout(scenes, model.name);
 * ```
 *
 * Rejects with `signal.reason` when aborted, otherwise with a BevError; both free
 * everything.
 */
export async function simulate(
	dataset: ChunkedDataset,
	options: SimulateOptions,
): Promise<readonly SimulatedScene[]> {
	checkOptions("simulate", options, OPTIONS);
	return withModel("simulate", options, async (model) => {
		const { signal, patch } = options;
		using edited =
			patch === undefined ? null : await dataset.patched(patch, { signal });
		return await simulated(edited ?? dataset, model, options);
	});
}

async function simulated(
	dataset: ChunkedDataset,
	model: Model,
	options: SimulateOptions,
): Promise<readonly SimulatedScene[]> {
	const { signal, onProgress } = options;
	const config = jsonOf(configOf("simulate", model, options));
	const { source, forReaders } = clientOf(dataset);
	const client = await forReaders(signal);
	const scenes = [...options.scenes];
	const loop = await ClosedLoop.open(client, loopConfig(config, options), scenes, {
		signal,
	});
	let sampler: Sampler | undefined;
	try {
		const { Sampler } = await import("../samples/sampler.js");
		const engine = { client, source, engine: loop.engine };
		sampler = await Sampler.on(engine, config, "ego", sampleOptionsOf(model, options));
		const drive = driver(loop, sampler, model, signal);
		const first = historyOf(options);
		if (loop.frames <= first) throw outside(options, loop.frames);
		for (let end = first + 1; ; end += 1) {
			const scenes = () => loop.scenes(first, end, { signal });
			await onProgress?.({ done: end - first, of: loop.frames - first, scenes });
			signal?.throwIfAborted();
			if (end === loop.frames) return await scenes();
			// In L5Kit's order: agents have moved when the ego vehicle's sample is made.
			await drive(await loop.agents(end - 1, { signal }));
			await drive(await loop.egos(end - 1, { signal }));
		}
	} finally {
		sampler?.close();
		loop.close();
	}
}

/** Returns a function that moves road users by the model. */
function driver(
	loop: ClosedLoop,
	sampler: Sampler,
	model: Model,
	signal: AbortSignal | undefined,
): (driven: Driven) => Promise<void> {
	return async (driven) => {
		const { frame: state, scenes, tracks } = driven;
		if (scenes.length === 0) return;
		const positions = new Float64Array(2 * scenes.length);
		const yaws = new Float64Array(scenes.length);
		const size = model.contract?.batch ?? BATCH;
		for (let begin = 0; begin < scenes.length; begin += size) {
			const at = Array.from(scenes.subarray(begin, begin + size), (scene, i) => ({
				scene,
				state,
				track: tracks?.[begin + i],
			}));
			const samples = await sampler.batch<Disposable>(at, { signal });
			let steps: FirstSteps;
			try {
				steps = await model.firstSteps(samples, { signal });
			} finally {
				samples[Symbol.dispose]();
			}
			positions.set(steps.positions, 2 * begin);
			yaws.set(steps.yaws, begin);
		}
		await loop.take(driven, { positions, yaws }, { signal });
	};
}

function isLog(name: "ego" | "agents", by: DrivenBy): boolean {
	if (by !== "model" && by !== "log") refuse(`simulate: ${name}`, by, "model or log");
	return by === "log";
}

/** Returns the number of frames before the first one. */
function historyOf({ start = 0, history = 0 }: SimulateOptions): number {
	return Math.min(start, history);
}

/** Returns the error of a first frame that the scenes lack. */
function outside(options: SimulateOptions, frames: number): BevError {
	const { start = 0 } = options;
	const count = start - historyOf(options) + frames;
	const said = `simulate: start: frame ${start} is out of range (count ${count})`;
	return new BevError("out_of_range", said);
}

function loopConfig(config: string, options: SimulateOptions) {
	const { ego = "model", agents = "log", newAgents = true } = options;
	const { start = 0, steps } = options;
	const before = historyOf(options);
	return {
		config,
		use_ego_gt: isLog("ego", ego),
		use_agents_gt: isLog("agents", agents),
		disable_new_agents: !newAgents,
		distance_th_close: options.closeDistance,
		distance_th_far: options.farDistance,
		start_frame_index: start - before,
		num_simulation_steps: steps ? before + steps : steps,
	};
}
