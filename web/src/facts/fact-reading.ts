import type { AbortOptions, Description } from "../api.js";
import type { PackedResult } from "../arrays/result.js";
import { checkOptions } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";
import type { DatasetEngines } from "../dataset/engines.js";
import { placeOfMap } from "../dataset/maps.js";
import { hash } from "../source/validator.js";
import type { Resolved } from "../source/zip-source.js";
import { arraysOf, type Client } from "../worker/client.js";
import { type Answer, keeping } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import { type ObjectState, ObjectStates, statedSource } from "./chunk-states.js";
import { DataCheck } from "./data-check.js";
import { FactStore } from "./fact-store.js";
import {
	type ClausedPart,
	type ClausedTable,
	type Fact,
	type FactColumn,
	type FactDescription,
	FactTable,
	type FactTableName,
	type PartRows,
	tableOf,
	type UnreadScene,
} from "./fact-table.js";
import { identityOf } from "./identity.js";
import type { ClausedReadOptions, FactsOptions, FactsReadOptions } from "./options.js";
import { type SceneImageOptions, sceneImage } from "./scene-images.js";
import { SideFacts } from "./side-facts.js";

/** Scenes whose facts are computed and kept together. */
export const PART_SCENES = 16;

/** The data set whose facts are asked for. */
export interface FactsOf {
	readonly engines: Pick<DatasetEngines, "forReaders" | "usesStatistics" | "isPatched">;
	readonly resolved: Resolved;
	readonly description: Description;
}

/** Facts of consecutive scenes, as the worker answers them. */
interface Computed {
	readonly packed: PackedResult;
	readonly unread: readonly UnreadScene[];
}

/** The text of that answer. */
interface AnswerText {
	readonly unread: readonly UnreadScene[];
	/** Keys of the chunks that the scenes are in; none if unknown. */
	readonly chunks: readonly string[];
}

/** Kept facts of each data set. */
const stores = new WeakMap<object, FactStore>();

/** Reads facts: kept ones, or computes them. */
export class FactReading {
	readonly #of: FactsOf;
	readonly #options: FactsOptions;

	constructor(of: FactsOf, options: FactsOptions) {
		checkOptions("facts", options, { table: "text", where: "text", map: "object" });
		this.#of = of;
		this.#options = options;
	}

	image(scene: number, options: SceneImageOptions): Promise<Uint8Array | undefined> {
		return sceneImage(this.#of, scene, options);
	}

	async describe({ signal }: AbortOptions): Promise<FactDescription> {
		return this.#described(await this.#of.engines.forReaders(signal), signal);
	}

	async read(options: FactsReadOptions): Promise<FactTable> {
		const found: FactTable[] = [];
		for await (const { table } of this.parts(options)) found.push(table);
		return joined(found);
	}

	async *parts(
		options: ClausedReadOptions,
	): AsyncGenerator<ClausedPart, void, undefined> {
		const { signal, clauses = [] } = options;
		const { table = "scenes", where = "" } = this.#options;
		const client = await this.#of.engines.forReaders(signal);
		const description = await this.#described(client, signal, where);
		const asked = chosen(description[table], options.columns);
		const choice = new Choice(client, table, asked);
		const work = new Computing(client, this.#of, this.#options);
		const go = DataCheck.of(this.#of.resolved.source).hold();
		try {
			const of = this.#of.description.arrays.scenes?.shape[0] ?? 0;
			const side = await work.side(options);
			let done = 0;
			do {
				const kept = await side?.from(done, table, asked, options);
				const read =
					(kept && (await readRows(kept, where, clauses))) ??
					(await readRows(
						await work.rows(choice, { begin: done, of }, description.version, options),
						where,
						clauses,
					));
				if (!read) throw new BevError("internal", "facts: no rows");
				done = read.end;
				options.onProgress?.({ done, of });
				const { found, passing } = read;
				const asClauses = passing.length > 0 && { passing };
				yield { table: found, progress: { done, of }, ...asClauses };
			} while (done < of);
		} finally {
			go();
			work.close();
		}
	}

	/** Returns the definitions; rejects if the filter is invalid. */
	async #described(
		client: Client,
		signal: AbortSignal | undefined,
		where = "",
	): Promise<FactDescription> {
		const { table = "scenes" } = this.#options;
		const query = { kind: "facts-description", table, where } as const;
		return JSON.parse(textOf(await client.ask(query, { signal }))) as FactDescription;
	}
}

/** Returns the rows that pass a filter, and those that pass its conditions. */
async function readRows(
	rows: PartRows,
	where: string,
	clauses: readonly string[],
): Promise<
	| {
			readonly found: FactTable;
			readonly passing: readonly ClausedTable[];
			readonly end: number;
	  }
	| undefined
> {
	const found = await rows.where(where);
	if (!found) return undefined;
	const passing: ClausedTable[] = [];
	for (const clause of found.length > 0 ? clauses : []) {
		const table = await rows.where(clause);
		if (!table) return undefined;
		passing.push({ clause, table });
	}
	return { found, passing, end: rows.end };
}

/** Returns the facts of these names, in their order; all without names. */
function chosen(
	facts: readonly Fact[],
	names: readonly string[] | undefined,
): readonly Fact[] {
	return names ? facts.filter(({ name }) => names.includes(name)) : facts;
}

/** Chooses rows of a part with a filter. */
class Choice {
	readonly #client: Client;
	readonly #table: FactTableName;
	readonly #facts: readonly Fact[];

	constructor(client: Client, table: FactTableName, facts: readonly Fact[]) {
		this.#client = client;
		this.#table = table;
		this.#facts = facts;
	}

	async of(
		{ packed, unread }: Computed,
		where: string,
		signal: AbortSignal | undefined,
	): Promise<FactTable> {
		const table = this.#table;
		const query = { kind: "facts-choice", table, where, part: packed } as const;
		const answer = await this.#client.ask(query, { signal });
		const arrays = arraysOf(this.#client, query, answer);
		const named = (name: string) => arrays.array(`${table}.${name}`).data;
		return tableOf(this.#facts, named, unread);
	}
}

/** The first scene of a part, and the number of all scenes. */
interface Range {
	readonly begin: number;
	readonly of: number;
}

/** Computes facts with one map. */
class Computing {
	readonly #client: Client;
	readonly #of: FactsOf;
	readonly #map: FactsOptions["map"];
	readonly #states: ObjectStates;
	#bytes: readonly [pb: Uint8Array, meta: Uint8Array] | undefined;
	#facts: number | undefined;
	#store: FactStore | undefined;
	#kept: number[] = [];
	#side: SideFacts | undefined;
	#sideId: number | undefined;

	constructor(client: Client, of: FactsOf, { map }: FactsOptions) {
		this.#client = client;
		this.#of = of;
		this.#map = map;
		this.#states = new ObjectStates(statedSource(of.resolved));
	}

	/** Opens the facts beside the data set; undefined if there are none. */
	async side(options: FactsReadOptions): Promise<SideFacts | undefined> {
		const { signal } = options;
		this.#bytes = await this.#readMap(signal);
		if (!this.#of.engines.usesStatistics) return undefined;
		const id = newId();
		await askObject(this.#client, { kind: "facts", id, map: undefined }, { signal });
		this.#sideId = id;
		const { resolved } = this.#of;
		const of = { facts: id, resolved, map: this.#bytes };
		this.#side = await SideFacts.open(this.#client, of, options);
		return this.#side;
	}

	/** Returns the rows of the next scenes, whose facts are kept or computed. */
	async rows(
		choice: Choice,
		{ begin, of }: Range,
		version: number,
		options: FactsReadOptions,
	): Promise<PartRows> {
		const { signal } = options;
		this.#store ??= await this.#openStore(version, signal);
		const end = Math.min(of, begin + PART_SCENES);
		const part = await this.#part(this.#store, { begin, end, of }, options);
		return { end, where: (filter) => choice.of(part, filter, signal) };
	}

	/** Returns the store of this data set's facts with this map. */
	async #openStore(
		version: number,
		signal: AbortSignal | undefined,
	): Promise<FactStore> {
		const map = this.#bytes?.map((bytes) => hash(bytes)).join() ?? "";
		const { engines, resolved, description } = this.#of;
		const known = stores.get(engines);
		const name = `${version} ${map}`;
		if (known?.name === name) return known;
		const identity = engines.isPatched
			? undefined
			: await identityOf(resolved, description, this.#states, signal);
		const store = await FactStore.open(name, identity);
		stores.set(engines, store);
		return store;
	}

	/** Returns the facts of a part, kept ones if there are any. */
	async #part(
		store: FactStore,
		{ begin, end, of }: Range & { readonly end: number },
		{ signal, onProgress }: FactsReadOptions,
	): Promise<Computed> {
		const isCurrent = (chunks: readonly ObjectState[]): Promise<boolean> =>
			this.#states.are(chunks, signal);
		const kept = await store.read(begin, end, isCurrent);
		signal?.throwIfAborted();
		if (kept) return { packed: kept, unread: [] };
		this.#facts ??= await this.#start(signal);
		const query = { kind: "facts-part", facts: this.#facts, begin, end } as const;
		const answer = await this.#client.ask(query, {
			signal,
			onProgress: ({ done }) => onProgress?.({ done: begin + done, of }),
		});
		const { unread, chunks } = JSON.parse(textOf(answer)) as AnswerText;
		if (!answer.result) throw new BevError("internal", "facts: answer without arrays");
		if (unread.length === 0) {
			const states = await this.#chunkStates(store, chunks, signal);
			store.write(begin, end, answer.result, states);
		}
		return { packed: answer.result, unread };
	}

	/**
	 * Returns the states of chunks, which kept facts are checked by; undefined if they
	 * cannot be kept in the browser's storage. Those in an archive have its state.
	 */
	async #chunkStates(
		store: FactStore,
		chunks: readonly string[],
		signal: AbortSignal | undefined,
	): Promise<readonly ObjectState[] | undefined> {
		if (!store.isStored) return undefined;
		if (this.#of.resolved.zip) return [];
		return chunks.length > 0 ? this.#states.of(chunks, signal) : undefined;
	}

	/** Frees everything, the facts beside the data set once they are compared with it. */
	close(): void {
		const id = this.#sideId;
		const freed = (): void => {
			if (id !== undefined) free(this.#client, id);
		};
		// It fails if the data set is closed.
		(this.#side?.checkLater() ?? Promise.resolve()).catch(() => {}).finally(freed);
		for (const kept of this.#kept) free(this.#client, kept);
		this.#kept = [];
		this.#facts = undefined;
	}

	async #start(signal: AbortSignal | undefined): Promise<number> {
		const map = this.#bytes && newId();
		if (this.#bytes && map !== undefined) {
			const [pb, meta] = this.#bytes;
			const query = keeping(map, "map", { pb, meta });
			await askObject(this.#client, query, { signal });
			this.#kept.push(map);
		}
		const id = newId();
		await askObject(this.#client, { kind: "facts", id, map }, { signal });
		this.#kept.push(id);
		return id;
	}

	async #readMap(
		signal: AbortSignal | undefined,
	): Promise<readonly [Uint8Array, Uint8Array] | undefined> {
		if (!this.#map) return undefined;
		const place = placeOfMap(this.#map);
		const [pb, meta] = await Promise.all(
			place.map(({ source, key }) => source.read(key, { signal })),
		);
		if (pb && meta) return [pb, meta];
		throw new BevError("not_found", "facts: the map does not exist any more");
	}
}

function textOf({ text }: Answer): string {
	if (text !== undefined) return text;
	throw new BevError("internal", "facts: answer without text");
}

/** Joins the rows of tables with equal columns. */
function joined(tables: readonly FactTable[]): FactTable {
	const [first] = tables;
	if (!first) return new FactTable([], []);
	const columns = first.names.map((name): FactColumn => {
		const parts = tables.map((table) => table.column(name).data);
		return { ...first.column(name), data: concatenated(parts) };
	});
	return new FactTable(
		columns,
		tables.flatMap(({ unread }) => unread),
	);
}

function concatenated(parts: readonly TypedArray[]): TypedArray {
	const [first] = parts;
	if (!first) throw new BevError("internal", "facts: no parts");
	const View = first.constructor as new (length: number) => TypedArray;
	const all = new View(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part as never, at);
		at += part.length;
	}
	return all;
}
