import { FetchSource } from "../source/fetch-source.js";
import type { Source } from "../source/source.js";
import type { Archive, Resolved } from "../source/zip-source.js";
import { arraysOf, type Client } from "../worker/client.js";
import type { Answer, SideFactsQuery } from "../worker/protocol.js";
import { DataCheck, type KnownObject, stateOf } from "./data-check.js";
import { type Fact, type FactTableName, type PartRows, tableOf } from "./fact-table.js";
import type { FactsReadOptions } from "./options.js";

/** The object that `bevscope index` writes. */
const KEY = ".bevscope/facts.zip";

/** Sources and archives without such an object; it is asked for once. */
const absent = new WeakSet<Source | Archive>();

/** An answer about the side file. */
interface SideState {
	readonly notice: string;
	readonly isUsed: boolean;
	/** Whether an archive has none. */
	readonly isAbsent?: boolean;
	/** Keys to check. */
	readonly objects?: readonly string[];
	readonly isPublished?: boolean;
}

/** A comparison to make after the search. */
interface Pending {
	readonly check: DataCheck;
	readonly keys: readonly string[];
	readonly file: KnownObject;
}

/**
 * Facts beside the data set. Those of changed or new scenes are computed;
 * `core/scan/fact_file.hpp` says how changes are detected.
 */
export class SideFacts {
	readonly #client: Client;
	readonly #facts: number;
	readonly #options: FactsReadOptions;
	/** Why facts of some scenes, or all, are computed; empty if none are. */
	#notice = "";
	#isUsed = true;
	#pending: Pending | undefined;

	/** @param facts the number of the worker's computation of facts */
	private constructor(client: Client, facts: number, options: FactsReadOptions) {
		this.#client = client;
		this.#facts = facts;
		this.#options = options;
	}

	/**
	 * Opens the side file and compares it with the data set; undefined if there is none.
	 *
	 * @param map content of the map whose lights are asked for
	 */
	static async open(
		client: Client,
		{ facts, resolved, map }: OpenSide,
		options: FactsReadOptions,
	): Promise<SideFacts | undefined> {
		const { source, zip } = resolved;
		const { signal } = options;
		const place = zip?.archive ?? source;
		if (absent.has(place)) return undefined;
		const file = zip ? undefined : await stateOf(source, KEY, signal);
		const side = new SideFacts(client, facts, options);
		const isThere = file ? file.size > 0 : zip !== undefined;
		if (isThere && (await side.#open(source, file, map))) return side;
		absent.add(place);
		return undefined;
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

	/** Compares the data set with facts that were used before; tells `onCheck`. */
	async checkLater(): Promise<void> {
		if (!this.#pending) return;
		const { check, keys, file } = this.#pending;
		const before = this.#notice;
		const states = await check.later(keys, file);
		if (this.#isUsed) await this.#compare(states, file, undefined);
		this.#options.onCheck?.(this.#notice === before ? "same" : "changed");
	}

	/** @param file undefined in an archive, whose worker compares */
	async #open(
		source: Source,
		file: KnownObject | undefined,
		map: OpenSide["map"],
	): Promise<boolean> {
		const { signal, onCheck } = this.#options;
		const address = source instanceof FetchSource ? source.url.href : "";
		const query = { kind: "side-open", size: file?.size, map, address } as const;
		const opened = this.#note(await this.#ask(query, signal));
		const { objects: keys = [], isPublished, isAbsent } = opened;
		if (!file) return !isAbsent;
		if (isPublished || !this.#isUsed) return true;
		const check = DataCheck.of(source);
		const isSlow = source instanceof FetchSource && !check.known(keys, file);
		if (isSlow && onCheck) {
			this.#note(await this.#ask({ kind: "side-believe" }, signal));
			this.#pending = { check, keys, file };
			onCheck("pending");
		} else await this.#compare(await check.now(keys, file, signal), file, signal);
		return true;
	}

	async #compare(
		states: readonly (KnownObject | undefined)[],
		file: KnownObject,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const sizes = Float64Array.from(states, (state) => state?.size ?? Number.NaN);
		const newer = Float64Array.from(
			states,
			(state) => ((state?.modified ?? Number.NaN) - file.modified) / 1000,
		);
		this.#note(await this.#ask({ kind: "side-check", sizes, newer }, signal));
	}

	#ask(query: Asked, signal: AbortSignal | undefined): Promise<Answer> {
		return this.#client.ask({ ...query, facts: this.#facts }, { signal });
	}

	#note({ text }: Answer): SideState {
		const said = JSON.parse(text ?? "{}") as SideState;
		const { notice = "" } = said;
		this.#isUsed = said.isUsed;
		if (notice === this.#notice) return said;
		this.#notice = notice;
		if (notice) this.#options.onNotice?.(notice);
		return said;
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
