import type { AbortOptions } from "../api.js";
import type { ChunkedDataset } from "../dataset.js";
import { BevError } from "../errors.js";
import type { SampleAt } from "../worker/protocol.js";
import { AgentItems } from "./agent-items.js";
import { frameInterval } from "./ego-dataset.js";
import type {
	AgentSampleOptions,
	Config,
	IndexOptions,
	SelectionReport,
} from "./options.js";
import type { Sample } from "./sample.js";
import { SampleDataset } from "./sample-dataset.js";
import { Sampler } from "./sampler.js";

/** Of a data set of one scene: which it is, and where its frames, agents and items begin. */
interface OnlyScene {
	readonly index: number;
	readonly firstFrame: number;
	readonly firstItem: number;
	readonly rows: BigInt64Array;
}

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
export class AgentDataset extends SampleDataset {
	readonly #options: AgentSampleOptions;
	readonly #scene: OnlyScene | undefined;
	#items: AgentItems | undefined;
	#closed = false;

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
		items?: AgentItems,
		scene?: OnlyScene,
	) {
		super(dataset, sampler);
		this.#options = options;
		this.#items = items;
		this.#scene = scene;
	}

	/**
	 * Finds the items: by the mask given, or by the one that the data set holds, which is
	 * cheap; else by looking at all agents, a scene in memory at a time. If it fails, the
	 * items of an earlier call stay.
	 */
	async index(options: IndexOptions = {}): Promise<void> {
		if (this.#scene) return;
		const { client, config } = this.sampler;
		const items = await AgentItems.find(client, config, this.#options, options);
		const former = this.#closed ? items : this.#items;
		if (!this.#closed) this.#items = items;
		former?.free();
	}

	/** Items. Throws before `index()`. */
	override get length(): number {
		return this.agents_indices.length;
	}

	/** The row in `agents` of every item. Throws before `index()`. */
	get agents_indices(): BigInt64Array {
		return this.#scene?.rows ?? this.#known.rows;
	}

	/** What `index()` left out, and why; absent where the mask was given or stored. */
	get report(): SelectionReport | undefined {
		return this.#items?.report;
	}

	/** The sample of the agent in a row of `agents`. */
	sampleOfAgent(row: number, options: AbortOptions = {}): Promise<Sample> {
		return this.sampler.sample({ agent: row }, options);
	}

	/** A scene's items. After `index()`. */
	override async getSceneIndices(
		scene: number,
		options: AbortOptions = {},
	): Promise<number[]> {
		const only = this.#scene;
		if (only && scene !== 0) {
			throw new BevError("out_of_range", `scene ${scene}: there is 1`);
		}
		const items = await this.#known.itemsIn("scene", only?.index ?? scene, options);
		return items.map((item) => item - (only?.firstItem ?? 0));
	}

	/** The items in a frame of the data set; there may be none. After `index()`. */
	async getFrameIndices(frame: number, options: AbortOptions = {}): Promise<number[]> {
		const { firstFrame, firstItem } = this.#scene ?? { firstFrame: 0, firstItem: 0 };
		const items = await this.#known.itemsIn("frame", firstFrame + frame, options);
		return items.map((item) => item - firstItem);
	}

	/**
	 * A data set of one scene only: rows of agents and frames count from its first, and it
	 * is scene 0. Not longer than this one. After `index()`.
	 */
	async getSceneDataset(
		scene: number,
		options: AbortOptions = {},
	): Promise<AgentDataset> {
		const items = await this.getSceneIndices(scene, options);
		const only = this.#scene ?? (await this.#onlyScene(scene, items, options));
		const sampler = await this.sampler.ofScene(only.index, options);
		return new AgentDataset(this.dataset, sampler, this.#options, this.#known, only);
	}

	override close(): void {
		super.close();
		this.#closed = true;
		if (!this.#scene) this.#items?.free();
	}

	protected override place(item: number): SampleAt {
		const row = this.agents_indices.at(item);
		if (Number.isInteger(item) && row !== undefined) return { agent: Number(row) };
		const code = item < 0 ? "invalid_argument" : "out_of_range";
		throw new BevError(code, `item ${item}: there are ${this.length}`);
	}

	get #known(): AgentItems {
		if (this.#items) return this.#items;
		throw new BevError(
			"invalid_argument",
			"AgentDataset: its items are not known yet, call index() first",
		);
	}

	async #onlyScene(
		index: number,
		items: readonly number[],
		{ signal }: AbortOptions,
	): Promise<OnlyScene> {
		const [firstFrame] = await frameInterval(this.dataset, index, { signal });
		const fields = ["agent_index_interval"];
		const frame = await this.dataset.frames.take([firstFrame], { fields, signal });
		const first = BigInt(frame.column("agent_index_interval").data[0] ?? 0);
		const firstItem = items[0] ?? 0;
		const rows = this.agents_indices
			.slice(firstItem, firstItem + items.length)
			.map((row) => row - first);
		return { index, firstFrame, firstItem, rows };
	}
}
