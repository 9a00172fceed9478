import type { AbortOptions } from "../api.js";
import { ResultArrays } from "../arrays/result.js";
import { refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { coreNames } from "../base/names.js";
import { askArrays, type Client } from "../worker/client.js";
import { arraysBy, keeping, valueBy } from "../worker/protocol.js";
import { askObject, free, newId, type ObjectQuery } from "../worker/remote-object.js";
import { isMask } from "./check.js";
import type { AgentSampleOptions, IndexOptions, SelectionReport } from "./options.js";

/** The items of an agent data set. The client keeps them until they are freed. */
export class AgentItems {
	readonly id: number;
	/** Row in `agents` of each item. */
	readonly rows: BigInt64Array;
	/** Undefined if the mask was given or stored. */
	readonly report: SelectionReport | undefined;
	readonly #client: Client;

	/**
	 * Uses the given mask, or the one stored in the data set; otherwise selects agents.
	 */
	static async find(
		client: Client,
		config: string,
		options: AgentSampleOptions,
		{ signal, onProgress }: IndexOptions,
	): Promise<AgentItems> {
		const id = newId();
		const query = indexQuery(id, config, options);
		const { result: rows, text } = await askObject(client, query, {
			signal,
			onProgress,
		});
		// Items of a mask are kept by one query, and listed by another.
		const listed = valueBy("item_rows", {}, { items: id });
		const result =
			rows ??
			(await client
				.ask(listed, { signal })
				.catch((error: unknown) => {
					free(client, id);
					throw error;
				})
				.then((answer) => answer.result));
		if (!result) throw new BevError("internal", `${query.kind}: result without arrays`);
		const arrays = new ResultArrays(result, () => {});
		const report =
			text === undefined ? undefined : (JSON.parse(text) as SelectionReport);
		return new AgentItems(client, id, arrays, report);
	}

	private constructor(
		client: Client,
		id: number,
		arrays: ResultArrays,
		report: SelectionReport | undefined,
	) {
		this.id = id;
		this.rows = arrays.view("agents_indices", BigInt64Array);
		this.report = report;
		this.#client = client;
	}

	/** Returns the items in a scene or in a frame of the data set. */
	async itemsIn(
		scope: "scene" | "frame",
		index: number,
		{ signal }: AbortOptions,
	): Promise<number[]> {
		const name = scope === "scene" ? "items_of_scene" : "items_of_frame";
		const query = arraysBy(name, { index }, { items: this.id });
		const arrays = await askArrays(this.#client, query, { signal });
		return Array.from(arrays.view("indices", BigInt64Array), Number);
	}

	free(): void {
		free(this.#client, this.id);
	}
}

function indexQuery(
	id: number,
	config: string,
	{ mask, ...rest }: AgentSampleOptions,
): ObjectQuery {
	const options = coreNames("samples", rest);
	const minima = given(options, ["min_frame_history", "min_frame_future"]);
	if (mask !== undefined && !isMask(mask))
		refuse("samples: mask", mask, "a Uint8Array or Uint32Array");
	if (mask instanceof Uint32Array)
		return keeping(id, "items_of_counts", { counts: mask, ...minima });
	if (mask) return keeping(id, "items_of_mask", { mask });
	const rules = given(options, [
		"max_yaw_step_deg",
		"max_extent_ratio",
		"max_distance_to_ego",
	]);
	return { kind: "agent-index", id, config, options: { ...minima, ...rules } };
}

/** Returns those of the options `names` that are set, which were checked. */
function given<K extends string>(
	options: Readonly<Record<string, unknown>>,
	names: readonly K[],
): { [P in K]?: number } {
	const found: { [P in K]?: number } = {};
	for (const name of names) {
		const value = options[name];
		if (typeof value === "number") found[name] = value;
	}
	return found;
}
