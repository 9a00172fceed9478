import type { AbortOptions } from "../api.js";
import { checkOptions, type Kinds, refuse } from "../base/arguments.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import { type Config, jsonOf, type SampleOptions } from "../samples/options.js";
import { clientOf } from "../worker/client.js";
import type { PredictedRecords, SampleArraysByKey } from "./binding.js";
import type { Model } from "./model.js";
import { PredictionRows, type PredictionSet } from "./prediction-rows.js";
import { configOf, sampleOptionsOf, withModel } from "./sampling.js";
import { Subjects } from "./subjects.js";
import type { ModelContract, PredictFunction } from "./types.js";

/** How far the prediction of scenes is. */
export interface PredictionProgress {
	/** Number of frames that are predicted. */
	readonly done: number;
	/** Number of all frames. */
	readonly of: number;
	/** Returns the predictions so far: those of whole frames. */
	predictions(): PredictionSet;
}

/** Options of `predictScenes`. */
export interface PredictScenesOptions
	extends AbortOptions,
		Pick<SampleOptions, "root" | "map" | "meta" | "aerial" | "vectorized" | "image"> {
	/** The model; or `predict`. */
	model?: Model | undefined;
	/** A function in place of a model; see `Model.open`. */
	predict?: PredictFunction | undefined;
	/** L5Kit's config of the samples. Default: the model's. */
	config?: Config | undefined;
	/** Numbers of the scenes. Default: all. */
	scenes?: Iterable<number> | undefined;
	/** Predicts every n-th frame of a scene, from the first one. Default 1. */
	every?: number | undefined;
	/** Whose futures. Default: those that the model predicts. */
	subject?: ModelContract["subject"] | undefined;
	/**
	 * What an earlier call with the same options passed to `onProgress`, before it was
	 * aborted: continues after its last frame, with its predictions.
	 */
	resume?: PredictionProgress | undefined;
	/** Called after each batch; the next one waits for its promise. */
	onProgress?: ((progress: PredictionProgress) => void | Promise<void>) | undefined;
}

const OPTIONS: Kinds = {
	...{ signal: "any", root: "any", map: "any", meta: "any", aerial: "any" },
	...{ vectorized: "flag", image: "text", model: "object", predict: "any" },
	...{ config: "any", scenes: "list", every: "index", subject: "text" },
	...{ resume: "object", onProgress: "any" },
};

const SUBJECTS = ["ego", "agents", "both"] as const;

/** A function that sees each batch: its samples, and what is predicted of them. */
export type BatchSeen = (
	frames: readonly FrameAt[],
	samples: SampleArraysByKey,
	records: PredictedRecords,
) => void;

/** A frame of a scene. */
export interface FrameAt {
	readonly scene: number;
	readonly frame: number;
}

/** Samples of the first batch, and of the largest. */
const FIRST_BATCH = 4;
const MAX_BATCH = 16;

/** Aim of a batch's time: other predictions of the model wait as long. */
const BATCH_MS = 40;

/**
 * Predicts the frames of scenes: the ego vehicle, agents, or both. The result is a set of
 * predictions as those of a file.
 *
 * ```ts
 * const set = await predictScenes(dataset, { model, scenes: [0, 7], every: 5 });
 * viewer.addPredictions(model.name, set);
 * ```
 *
 * Rejects with `signal.reason` when aborted, otherwise with a BevError; `resume` then goes
 * on with what is predicted.
 */
export async function predictScenes(
	dataset: ChunkedDataset,
	options: PredictScenesOptions = {},
): Promise<PredictionSet> {
	checkOptions("predictScenes", options, OPTIONS);
	const { subject, every = 1, resume } = options;
	if (subject !== undefined && !SUBJECTS.includes(subject))
		refuse("predictScenes: subject", subject, "ego, agents or both");
	if (every < 1) refuse("predictScenes: every", every, "at least 1");
	if (resume && !(resume instanceof Progress))
		refuse("predictScenes: resume", resume, "what onProgress received");
	return withModel("predictScenes", options, (model) =>
		predictedScenes(dataset, { ...options, model, predict: undefined }),
	);
}

/** @internal As `predictScenes`; `onBatch` sees the batches. */
export async function predictedScenes(
	dataset: ChunkedDataset,
	options: PredictScenesOptions & { readonly model: Model },
	onBatch?: BatchSeen,
): Promise<PredictionSet> {
	const { model, signal, onProgress, every = 1 } = options;
	const run = await Run.open(dataset, options);
	try {
		const frames = await framesOf(dataset, options.scenes, { every, signal });
		const progress = new Progress(frames.length);
		if (options.resume instanceof Progress) progress.continue(options.resume);
		await run.all(frames.slice(progress.done), {
			size: model.contract?.batch ?? FIRST_BATCH,
			each: async (count, rows, see) => {
				progress.add(count, rows);
				if (onBatch) for (const one of see) onBatch(...one);
				await onProgress?.(progress.now());
				signal?.throwIfAborted();
			},
		});
		return progress.predictions();
	} finally {
		run.close();
	}
}

/** Predictions so far. */
class Progress implements PredictionProgress {
	readonly of: number;
	done = 0;
	#rows = new PredictionRows();
	/** Blocks of rows that belong to it; others are added later. */
	#blocks = 0;

	constructor(of: number) {
		this.of = of;
	}

	/** Goes on after another one; throws a BevError if it is of other frames. */
	continue(before: Progress): void {
		if (before.of !== this.of || before.done > this.of)
			refuse("predictScenes: resume", before.of, `progress of ${this.of} frames`);
		this.done = before.done;
		this.#rows = before.#rows.copy(before.#blocks);
		this.#blocks = before.#blocks;
	}

	add(frames: number, rows: PredictionRows): void {
		this.done += frames;
		this.#rows.take(rows);
		this.#blocks = this.#rows.blocks;
	}

	/** Returns it as it is now. */
	now(): Progress {
		const made = new Progress(this.of);
		made.done = this.done;
		made.#rows = this.#rows;
		made.#blocks = this.#blocks;
		return made;
	}

	predictions(): PredictionSet {
		return this.#rows.all(this.#blocks);
	}
}

/** Returns every n-th frame of the scenes. */
async function framesOf(
	dataset: ChunkedDataset,
	scenes: Iterable<number> | undefined,
	{ every, signal }: { readonly every: number } & AbortOptions,
): Promise<FrameAt[]> {
	const all: FrameAt[] = [];
	const numbers = scenes ?? Array.from({ length: dataset.scenes.length }, (_, i) => i);
	for (const scene of numbers) {
		const { frames } = await dataset.scene(scene, { signal });
		for (let frame = 0; frame < frames; frame += every) all.push({ scene, frame });
	}
	return all;
}

/** A subject in a frame; without a track, the ego vehicle. */
interface Place {
	readonly scene: number;
	readonly state: number;
	readonly track: bigint | undefined;
}

/** Samples of whole frames. */
interface Due {
	readonly frames: readonly FrameAt[];
	readonly at: readonly Place[];
	/** Of the first samples, at most a batch; undefined without any. */
	readonly first: Promise<(SampleArraysByKey & Disposable) | undefined>;
}

/** Receives whole frames: their number, their predictions, and their batches. */
interface RunOptions {
	/** Samples of the first batch. */
	readonly size: number;
	each(
		count: number,
		rows: PredictionRows,
		batches: readonly Parameters<BatchSeen>[],
	): Promise<void>;
}

type Sampler = import("../samples/sampler.js").Sampler;

/** Runs a model on samples; the next samples are made while it computes. */
class Run {
	readonly #model: Model;
	readonly #sampler: Sampler;
	readonly #subjects: Subjects | undefined;
	readonly #hasEgo: boolean;
	readonly #signal: AbortSignal | undefined;
	#size = FIRST_BATCH;

	static async open(
		dataset: ChunkedDataset,
		options: PredictScenesOptions & { readonly model: Model },
	): Promise<Run> {
		const { model, signal } = options;
		const { contract } = model;
		const config = jsonOf(configOf("predictScenes", model, options));
		const { subject = contract?.subject ?? "ego" } = options;
		const { client, source, forReaders } = clientOf(dataset);
		const engine = subject === "ego" ? client : await forReaders(signal);
		const { Sampler } = await import("../samples/sampler.js");
		const samples = sampleOptionsOf(model, options);
		const from = { client: engine, source };
		const sampler = await Sampler.on(from, config, "ego", samples);
		try {
			const rules = {
				config,
				labels: contract?.labels ?? [],
				most: contract?.maxAgents ?? MAX_AGENTS,
			};
			const subjects =
				subject === "ego" ? undefined : await Subjects.open(engine, rules, { signal });
			return new Run({ model, sampler, subjects, subject, signal });
		} catch (error) {
			sampler.close();
			throw error;
		}
	}

	private constructor(of: {
		readonly model: Model;
		readonly sampler: Sampler;
		readonly subjects: Subjects | undefined;
		readonly subject: ModelContract["subject"];
		readonly signal: AbortSignal | undefined;
	}) {
		this.#model = of.model;
		this.#sampler = of.sampler;
		this.#subjects = of.subjects;
		this.#hasEgo = of.subject !== "agents";
		this.#signal = of.signal;
	}

	/** Predicts frames in order. */
	async all(frames: readonly FrameAt[], { size, each }: RunOptions): Promise<void> {
		this.#size = size;
		let begin = 0;
		const start = async (): Promise<Due | undefined> => {
			if (begin >= frames.length) return undefined;
			// Agents of one frame are a batch or more.
			const count = this.#subjects ? 1 : this.#size;
			const taken = frames.slice(begin, begin + count);
			begin += taken.length;
			return this.#due(taken);
		};
		let next = start();
		try {
			for (;;) {
				const due = await next;
				if (!due) return;
				await due.first;
				next = start();
				next.catch(() => {}); // awaited in the next round
				const { rows, batches } = await this.#predicted(due);
				await each(due.frames.length, rows, batches);
			}
		} finally {
			next.then(async (due) => (await due?.first)?.[Symbol.dispose]()).catch(() => {});
		}
	}

	close(): void {
		this.#subjects?.close();
		this.#sampler.close();
	}

	async #due(frames: readonly FrameAt[]): Promise<Due> {
		const at: Place[] = [];
		const signal = this.#signal;
		for (const { scene, frame: state } of frames) {
			if (this.#hasEgo) at.push({ scene, state, track: undefined });
			const tracks = await this.#subjects?.of(scene, state, { signal });
			for (const track of tracks ?? []) at.push({ scene, state, track });
		}
		const first = this.#sampled(at.slice(0, this.#size));
		first.catch(() => {}); // awaited when it is due
		return { frames, at, first };
	}

	async #sampled(at: readonly Place[]) {
		if (at.length === 0) return undefined;
		const signal = this.#signal;
		return this.#sampler.batch<SampleArraysByKey & Disposable>(at, { signal });
	}

	async #predicted({ at, first }: Due) {
		const rows = new PredictionRows();
		const batches: Parameters<BatchSeen>[] = [];
		let samples = await first;
		for (let begin = 0; samples; ) {
			const count = samples.timestamp?.shape[0] ?? 0;
			const places = at.slice(begin, begin + count).map((one) => {
				const { scene, state: frame } = one;
				return { scene, frame };
			});
			try {
				const records = await this.#model.records(samples, { signal: this.#signal });
				rows.add(samples, records);
				const { centroid, track_id } = samples;
				const kept = Object.entries({ centroid, track_id }).map(([key, array]) => [
					key,
					{ ...array, data: array?.data.slice() },
				]);
				batches.push([places, Object.fromEntries(kept), records]);
				this.#adapt(records.inference, count);
			} finally {
				samples[Symbol.dispose]();
			}
			begin += count;
			samples = await this.#sampled(at.slice(begin, begin + this.#size));
		}
		return { rows, batches };
	}

	/** Adapts the size of the next batches to the time of this one. */
	#adapt(milliseconds: number, count: number): void {
		if (this.#model.contract?.batch) return;
		const fits = Math.floor((BATCH_MS * count) / Math.max(milliseconds, 1));
		this.#size = Math.max(1, Math.min(fits, MAX_BATCH, 2 * this.#size));
	}
}

/** Of a function in place of a model. */
const MAX_AGENTS = 32;
