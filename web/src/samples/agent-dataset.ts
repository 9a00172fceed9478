import type { AbortOptions } from "../api.js";
import { check } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import type { SampleAt } from "../worker/protocol.js";
import type { AgentItems } from "./agent-items.js";
import { frameInterval } from "./ego-dataset.js";
import type {
	AgentSampleOptions,
	Config,
	ImageForm,
	IndexOptions,
	Rasterized,
	SelectionReport,
	Vectorized,
} from "./options.js";
import type { Sample, VectorizedSample } from "./sample.js";
import { SampleDataset } from "./sample-dataset.js";
import type { Sampler } from "./sampler.js";

/**
 * For a data set of one scene: the scene, and where its frames, agents and items begin.
 */
interface OnlyScene {
	readonly index: number;
	readonly firstFrame: number;
	readonly firstItem: number;
	readonly rows: BigInt64Array;
}

/**
 * L5Kit's AgentDataset: one sample per agent and frame, with numerically equal values.
 * Access by (scene, frame, track id) needs no mask. Access by item does: call `index()`
 * first.
 *
 * ```ts
 * const agents = await AgentDataset.create(config, dataset, { root: "https://host/" });
 * await agents.getFrame(3, 84, 17n);
 * await agents.index({ onProgress });
 * await agents.sample(agents.length - 1);
 * ```
 */
export class AgentDataset<
	S extends Disposable = Sample<"f32">,
> extends SampleDataset<S> {
	readonly #options: AgentSampleOptions;
	readonly #scene: OnlyScene | undefined;
	#items: AgentItems | undefined;
	#closed = false;

	/** Rejects if the config is invalid, with the reason. */
	static async create<F extends ImageForm = "f32">(
		config: Config,
		dataset: ChunkedDataset,
		options?: AgentSampleOptions<F> & Rasterized,
	): Promise<AgentDataset<Sample<F>>>;
	/** Creates a data set of vectorized samples. */
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: AgentSampleOptions & Vectorized,
	): Promise<AgentDataset<VectorizedSample>>;
	static async create(
		config: Config,
		dataset: ChunkedDataset,
		options: AgentSampleOptions = {},
	): Promise<AgentDataset<Disposable>> {
		const { Sampler } = await import("./sampler.js");
		const sampler = await Sampler.make(dataset, config, "agent", options);
		return new AgentDataset(dataset, sampler, options);
	}

	private constructor(
		dataset: ChunkedDataset,
		sampler: Sampler,
		options: AgentSampleOptions,
		items?: AgentItems,
		scene?: OnlyScene,
	) {
		super(dataset, sampler);
		this.#options = options;
		this.#items = items;
		this.#scene = scene;
	}

	/**
	 * Determines the items. A mask that is given or stored in the data set makes this
	 * cheap; otherwise all agents are examined, with one scene in memory at a time. If it
	 * fails, the items of an earlier call remain.
	 */
	async index(options: IndexOptions = {}): Promise<void> {
		if (this.#scene) return;
		const { client, config } = this.sampler;
		const { AgentItems } = await import("./sampler.js");
		const items = await AgentItems.find(client, config, this.#options, options);
		const former = this.#closed ? items : this.#items;
		if (!this.#closed) this.#items = items;
		former?.free();
	}

	/** Number of items. Throws before `index()`. */
	override get length(): number {
		return this.agentsIndices.length;
	}

	/** Row in `agents` of each item. Throws before `index()`. */
	get agentsIndices(): BigInt64Array {
		return this.#scene?.rows ?? this.#known.rows;
	}

	/** @deprecated The former name of `agentsIndices`; removed in 0.4. */
	get agents_indices(): BigInt64Array {
		return this.agentsIndices;
	}

	/**
	 * Agents rejected by `index()`, by reason; undefined if the mask was given or stored.
	 */
	get report(): SelectionReport | undefined {
		return this.#items?.report;
	}

	/** Returns the sample of the agent at a row of `agents`. */
	sampleOfAgent(row: number, options: AbortOptions = {}): Promise<S> {
		return this.sampler.sample<S>({ agent: row }, options);
	}

	/** Returns the items of a scene. Requires `index()`. */
	override async getSceneIndices(
		scene: number,
		options: AbortOptions = {},
	): Promise<number[]> {
		check("scene", scene ?? null, "integer");
		const only = this.#scene;
		if (only && scene !== 0) {
			throw new BevError("out_of_range", `scene ${scene} is out of range (count 1)`);
		}
		const items = await this.#known.itemsIn("scene", only?.index ?? scene, options);
		return items.map((item) => item - (only?.firstItem ?? 0));
	}

	/**
	 * Returns the items in a frame of the data set, possibly none. Requires `index()`.
	 */
	async getFrameIndices(frame: number, options: AbortOptions = {}): Promise<number[]> {
		check("frame", frame ?? null, "integer");
		const { firstFrame, firstItem } = this.#scene ?? { firstFrame: 0, firstItem: 0 };
		const items = await this.#known.itemsIn("frame", firstFrame + frame, options);
		return items.map((item) => item - firstItem);
	}

	/**
	 * Returns a data set of one scene: it is scene 0, and rows of agents and frames start
	 * at its first. Requires `index()`. Lifetime: until this data set is closed.
	 */
	async getSceneDataset(
		scene: number,
		options: AbortOptions = {},
	): Promise<AgentDataset<S>> {
		const items = await this.getSceneIndices(scene, options);
		const only = this.#scene ?? (await this.#onlyScene(scene, items, options));
		const sampler = await this.sampler.ofScene(only.index, options);
		return new AgentDataset<S>(this.dataset, sampler, this.#options, this.#known, only);
	}

	/** Frees what the data set keeps in the engine. */
	override close(): void {
		super.close();
		this.#closed = true;
		if (!this.#scene) this.#items?.free();
	}

	/** @internal */
	protected override place(item: number): SampleAt {
		const row = this.agentsIndices.at(item);
		if (Number.isInteger(item) && row !== undefined) return { agent: Number(row) };
		const code = item < 0 ? "invalid_argument" : "out_of_range";
		throw new BevError(code, `item ${item} is out of range (count ${this.length})`);
	}

	get #known(): AgentItems {
		if (this.#items) return this.#items;
		throw new BevError(
			"invalid_argument",
			"AgentDataset: items not indexed; call index() first",
		);
	}

	async #onlyScene(
		index: number,
		items: readonly number[],
		{ signal }: AbortOptions,
	): Promise<OnlyScene> {
		const [firstFrame] = await frameInterval(this.dataset, index, { signal });
		const fields = ["agent_index_interval"] as const;
		const frame = await this.dataset.frames.take([firstFrame], { fields, signal });
		const first = BigInt(frame.column("agent_index_interval").data[0] ?? 0);
		const firstItem = items[0] ?? 0;
		const rows = this.agentsIndices
			.slice(firstItem, firstItem + items.length)
			.map((row) => row - first);
		return { index, firstFrame, firstItem, rows };
	}
}
