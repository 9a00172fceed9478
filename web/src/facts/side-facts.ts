import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import type { Source } from "../source/source.js";
import type { Resolved } from "../source/zip-source.js";
import { arraysOf, type Client } from "../worker/client.js";
import type { Answer, SideFactsQuery } from "../worker/protocol.js";
import { type Fact, type FactTableName, type PartRows, tableOf } from "./fact-table.js";
import type { FactsReadOptions } from "./options.js";

/** The object that `bevscope index` writes. */
const KEY = ".bevscope/facts.zip";

/** Objects whose states are asked for at the same time. */
const CONCURRENT = 32;

/** Sources of data sets that have no such object; it is asked for once. */
const absent = new WeakSet<Source>();

/** What a source tells of an object without reading it. */
interface ObjectState {
	readonly size: number;
	/** Time of the last change, in milliseconds; NaN if it is unknown. */
	readonly modified: number;
}

/**
 * Facts beside the data set. Those of changed or new scenes are computed;
 * `core/scan/fact_file.hpp` says how changes are detected.
 */
export class SideFacts {
	readonly #client: Client;
	readonly #facts: number;
	readonly #onNotice: FactsReadOptions["onNotice"];
	/** Why facts of some scenes, or all, are computed; empty if none are. */
	#notice = "";
	#isUsed = true;

	/** @param facts the number of the worker's computation of facts */
	private constructor(
		client: Client,
		facts: number,
		onNotice: FactsReadOptions["onNotice"],
	) {
		this.#client = client;
		this.#facts = facts;
		this.#onNotice = onNotice;
	}

	/**
	 * Opens the side file and compares it with the data set; undefined if there is none.
	 *
	 * @param map content of the map whose lights are asked for
	 */
	static async open(
		client: Client,
		{ facts, resolved, map }: OpenSide,
		{ signal, onNotice }: FactsReadOptions,
	): Promise<SideFacts | undefined> {
		const { source, zip } = resolved;
		// States of members are unknown here.
		if (zip || absent.has(source)) return undefined;
		const file = await stateOf(source, KEY, signal);
		if (!file || file.size <= 0) {
			absent.add(source);
			return undefined;
		}
		const side = new SideFacts(client, facts, onNotice);
		const opened = await side.#ask({ kind: "side-open", size: file.size, map }, signal);
		const { objects } = JSON.parse(opened.text ?? "{}") as { objects: string[] };
		const states = await statesOf(source, objects, signal);
		const sizes = Float64Array.from(states, (state) => state?.size ?? Number.NaN);
		const newer = Float64Array.from(
			states,
			(state) => ((state?.modified ?? Number.NaN) - file.modified) / 1000,
		);
		side.#note(await side.#ask({ kind: "side-check", sizes, newer }, signal));
		return side;
	}

	/** Returns the rows of scenes from `begin` on that it has; undefined if it has none. */
	async from(
		begin: number,
		table: FactTableName,
		facts: readonly Fact[],
		{ signal }: FactsReadOptions,
	): Promise<PartRows | undefined> {
		if (!this.#isUsed) return undefined;
		const end = Number((await this.#ask({ kind: "side-scenes", begin }, signal)).text);
		if (!(end > begin)) return undefined;
		const columns = facts.map(({ name }) => name);
		const where = async (filter: string) => {
			const asked = { table, where: filter, columns, begin, end, facts: this.#facts };
			const query = { kind: "side-rows", ...asked } as const;
			const answer = await this.#client.ask(query, { signal });
			this.#note(answer);
			if (!this.#isUsed) return undefined;
			const arrays = arraysOf(this.#client, query, answer);
			return tableOf(facts, (name) => arrays.array(`${table}.${name}`).data, []);
		};
		return { end, where };
	}

	#ask(query: Asked, signal: AbortSignal | undefined): Promise<Answer> {
		return this.#client.ask({ ...query, facts: this.#facts }, { signal });
	}

	#note({ text }: Answer): void {
		const said = JSON.parse(text ?? "{}") as { notice: string; isUsed: boolean };
		this.#isUsed = said.isUsed;
		if (said.notice === this.#notice) return;
		this.#notice = said.notice;
		if (said.notice) this.#onNotice?.(said.notice);
	}
}

/** What is needed to open a side file. */
interface OpenSide {
	readonly facts: number;
	readonly resolved: Resolved;
	readonly map: readonly [pb: Uint8Array, meta: Uint8Array] | undefined;
}

type Without<Q> = Q extends unknown ? Omit<Q, "facts"> : never;
type Asked = Without<Exclude<SideFactsQuery, { readonly kind: "side-rows" }>>;

async function statesOf(
	source: Source,
	keys: readonly string[],
	signal: AbortSignal | undefined,
): Promise<readonly (ObjectState | undefined)[]> {
	const states: (ObjectState | undefined)[] = new Array(keys.length);
	let next = 0;
	const work = async (): Promise<void> => {
		for (let i = next++; i < keys.length; i = next++)
			states[i] = await stateOf(source, keys[i] as string, signal);
	};
	await Promise.all(Array.from({ length: CONCURRENT }, work));
	return states;
}

/** Returns an object's state; undefined if the source does not tell it. */
async function stateOf(
	source: Source,
	key: string,
	signal: AbortSignal | undefined,
): Promise<ObjectState | undefined> {
	try {
		if (source instanceof FetchSource) {
			const state = await source.fetchState(key, {}, signal);
			if (state?.length === undefined) return undefined;
			return { size: state.length, modified: Date.parse(state.modified ?? "") };
		}
		const file = source instanceof FileSource ? await source.file(key) : undefined;
		if (!(file instanceof File)) return undefined;
		return { size: file.size, modified: file.lastModified };
	} catch {
		signal?.throwIfAborted();
		return undefined; // then facts of its scenes are computed
	}
}
