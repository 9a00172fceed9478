import "../dispose.js";
import type { AbortOptions } from "../api.js";
import type { ChunkedDataset } from "../dataset.js";
import { BevError } from "../errors.js";
import type { ResultArrays } from "../result.js";
import { askArrays } from "../worker/client.js";
import type { Query, SampleAt } from "../worker/protocol.js";
import { range } from "./ego-dataset.js";
import type {
	AgentSampleOptions,
	Config,
	IndexOptions,
	SamplesOptions,
} from "./options.js";
import type { Sample } from "./sample.js";
import { Sampler } from "./sampler.js";

/** Indices are told apart by number, whichever client they are of. */
let nextItems = 0;

/**
 * L5Kit's AgentDataset: a sample an agent and frame, number for number. Agents addressed by
 * (scene, frame, track id) need no mask; items do, so `index()` comes before them.
 *
 * ```ts
 * const agents = await AgentDataset.create(config, dataset, { root: "https://host/" });
 * await agents.getFrame(3, 84, 17n);
 * await agents.index({ onProgress });
 * await agents.sample(agents.length - 1);
 * ```
 */
export class AgentDataset implements Disposable {
	readonly dataset: ChunkedDataset;
	readonly #sampler: Sampler;
	readonly #options: AgentSampleOptions;
	readonly #id = nextItems++;
	#rows: BigInt64Array | undefined;

	/** Rejects with what is wrong with the config. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: AgentSampleOptions = {},
	): Promise<AgentDataset> {
		const sampler = await Sampler.make(dataset, config, "agent", options);
		return new AgentDataset(dataset, sampler, options);
	}

	private constructor(
		dataset: ChunkedDataset,
		sampler: Sampler,
		options: AgentSampleOptions,
	) {
		this.dataset = dataset;
		this.#sampler = sampler;
		this.#options = options;
	}

	/**
	 * Finds the items: by the mask given, or by the one that the data set holds, which is
	 * cheap; else by looking at all agents, a scene in memory at a time.
	 */
	async index({ signal, onProgress }: IndexOptions = {}): Promise<void> {
		const arrays = await askArrays(this.#sampler.client, this.#indexQuery(), {
			signal,
			onProgress,
		});
		this.#rows = arrays.view("agents_indices", BigInt64Array);
	}

	/** Items. Throws before `index()`. */
	get length(): number {
		return this.agents_indices.length;
	}

	/** The row in `agents` of every item. Throws before `index()`. */
	get agents_indices(): BigInt64Array {
		if (this.#rows) return this.#rows;
		throw new BevError(
			"invalid_argument",
			"AgentDataset: its items are not known yet, call index() first",
		);
	}

	/** The sample of an item; negative ones count from the end. After `index()`. */
	async sample(item: number, options: AbortOptions = {}): Promise<Sample> {
		return this.#sampler.sample(this.#place(item), options);
	}

	/** The sample of the agent in a row of `agents`, or of a track in a frame of a scene. */
	sampleOfAgent(row: number, options: AbortOptions = {}): Promise<Sample> {
		return this.#sampler.sample({ agent: row }, options);
	}

	/** Of frame `state` of a scene: a track's sample, or the ego vehicle's. */
	getFrame(
		scene: number,
		state: number,
		track?: bigint,
		options: AbortOptions = {},
	): Promise<Sample> {
		return this.#sampler.sample({ scene, state, track }, options);
	}

	/** Reads what `sample` would need, when nothing else wants to read. */
	async prefetch(item: number, options: AbortOptions = {}): Promise<void> {
		await this.#sampler.prefetch(this.#place(item), options);
	}

	/** A scene's items. After `index()`. */
	getSceneIndices(scene: number, options: AbortOptions = {}): Promise<number[]> {
		return this.#itemsIn("scene", scene, options);
	}

	/** The items in a frame of the data set; there may be none. After `index()`. */
	getFrameIndices(frame: number, options: AbortOptions = {}): Promise<number[]> {
		return this.#itemsIn("frame", frame, options);
	}

	/** Samples, or batches of them, in order. After `index()`. */
	samples(options: SamplesOptions = {}): AsyncGenerator<Sample, void, undefined> {
		return this.#sampler.iterate(this.#places(options), options);
	}

	/** Frees what samples were made with; the data set stays open. */
	close(): void {
		this.#sampler.close();
		this.#sampler.client.ask({ kind: "free-items", items: this.#id }).catch(() => {});
	}

	[Symbol.dispose](): void {
		this.close();
	}

	#indexQuery(): Query {
		const { mask, ...options } = this.#options;
		const items = this.#id;
		const minima = given(options, ["min_frame_history", "min_frame_future"]);
		if (mask) return { kind: "masked-items", items, mask, minima };
		const rules = given(options, [
			"max_yaw_step_deg",
			"max_extent_ratio",
			"max_distance_to_ego",
		]);
		const { config } = this.#sampler;
		return { kind: "agent-index", items, config, options: { ...minima, ...rules } };
	}

	#place(item: number): SampleAt {
		const row = this.agents_indices.at(item);
		if (Number.isInteger(item) && row !== undefined) return { agent: Number(row) };
		throw new BevError("out_of_range", `item ${item}: there are ${this.length}`);
	}

	async *#places(options: SamplesOptions): AsyncGenerator<SampleAt> {
		const { indices, scenes, signal } = options;
		if (scenes === undefined) {
			for (const item of indices ?? range(this.length)) yield this.#place(item);
			return;
		}
		for (const scene of scenes) {
			const items = await this.getSceneIndices(scene, { signal });
			for (const item of items) yield this.#place(item);
		}
	}

	async #itemsIn(
		scope: "scene" | "frame",
		index: number,
		{ signal }: AbortOptions,
	): Promise<number[]> {
		this.agents_indices; // throws where they are not known
		const query = { kind: "items-in", items: this.#id, scope, index } as const;
		const client = this.#sampler.client;
		const arrays: ResultArrays = await askArrays(client, query, { signal });
		return Array.from(arrays.view("indices", BigInt64Array), Number);
	}
}

/** Those of the options that are given. */
function given<T extends object, K extends keyof T>(
	options: T,
	names: readonly K[],
): { [P in K]?: NonNullable<T[P]> } {
	const found: { [P in K]?: NonNullable<T[P]> } = {};
	for (const name of names) {
		const value = options[name];
		if (value !== undefined && value !== null) found[name] = value;
	}
	return found;
}
