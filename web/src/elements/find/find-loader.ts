import { Latest } from "../../base/latest.js";
import type { MapView } from "../../dataset/map-view.js";
import type { UnreadScene } from "../../facts/fact-table.js";
import type { FactsCheck, FactsOptions } from "../../facts/options.js";
import type { GalleryItem, ItemValue } from "../gallery/gallery-state.js";
import { allTags } from "../scenes/scene-tags.js";
import type { FoundRows, TableReader, ViewerDataset } from "../session/dataset.js";
import { isAbort, type Problem, problemOf } from "../session/problem.js";
import { FactHits } from "./fact-hits.js";
import { categoryWords, columnWords, numberWords } from "./fact-words.js";
import { type FindFilter, type FindTable, isOfFacts } from "./find-state.js";
import {
	comparedIn,
	firstOf,
	type HitOrder,
	inOrder,
	keyOf,
	usualOrder,
} from "./hit-order.js";

/** Hits that are listed; further ones are only counted. */
export const MAX_HITS = 1_000;

/** A search and its result so far. */
export interface Found {
	readonly filter: FindFilter;
	readonly phase: "running" | "done" | "stopped" | "failed";
	/** Scenes or blocks searched, and all of them; 0 of 0 until they are known. */
	readonly done: number;
	readonly of: number;
	readonly count: number;
	/** The first hits in the order. */
	readonly hits: readonly GalleryItem[];
	readonly order: HitOrder;
	/** Scenes that could not be searched. */
	readonly unread: readonly UnreadScene[];
	/** Why facts beside the data set are not used, or not those of all scenes. */
	readonly notice?: string | undefined;
	/** Whether facts beside the data set are used that are not compared with it yet. */
	readonly isUnchecked?: boolean | undefined;
	readonly problem: Problem | undefined;
}

/** A name for filters. */
export interface Word {
	readonly name: string;
	readonly dtype: string;
	readonly names?: readonly string[] | undefined;
	/** Unit of a fact; undefined for columns of the data set. */
	readonly unit?: string | undefined;
}

/** Names for filters over a table. */
export interface Vocabulary {
	readonly columns: readonly Word[];
	readonly labels: readonly string[];
	readonly tags?: readonly string[] | undefined;
}

/** The displayed map, once it is known. */
export type MapOf = (signal: AbortSignal) => Promise<MapView | undefined>;

/** Displayed columns that not every data set has. */
const SHOWN: Readonly<Record<"agents" | "frames", readonly string[]>> = {
	agents: ["track_id", "label", "speed", "distance_to_ego"],
	frames: ["time", "agent_count"],
};

/** Searches a data set; only the newest search reports. */
export class FindLoader {
	readonly #changed: (found: Found) => void;
	readonly #latest = new Latest();
	readonly #vocabularies = new WeakMap<
		ViewerDataset,
		Map<FindTable, Promise<Vocabulary>>
	>();
	#found: Found | undefined;
	/** Number of searches so far. */
	#runs = 0;
	/** Its hits, in the order in which they were found. */
	#kept: readonly GalleryItem[] = [];
	readonly #mapOf: MapOf;
	readonly #dataChanged: () => void;

	/** @param dataChanged called when stored results turn out to be of other data */
	constructor(
		changed: (found: Found) => void,
		mapOf: MapOf,
		dataChanged: () => void = () => {},
	) {
		this.#changed = changed;
		this.#mapOf = mapOf;
		this.#dataChanged = dataChanged;
	}

	/** Searches all scenes; resolves when the search has ended. */
	async run(
		dataset: ViewerDataset,
		filter: FindFilter,
		order = usualOrder(filter.where),
	): Promise<void> {
		this.#runs += 1;
		const nothing = { done: 0, of: 0, count: 0, hits: [], unread: [] };
		this.#kept = [];
		this.#tell({ ...nothing, problem: undefined, filter, order, phase: "running" });
		await this.#latest.run((signal) => this.#search(dataset, filter, signal), {
			done: () => this.#amend({ phase: "done" }),
			failed: (error) => {
				if (isAbort(error)) this.#amend({ phase: "stopped" });
				else this.#amend({ phase: "failed", problem: problemOf(error) });
			},
		});
	}

	/** Lists the hits in another order; searches again if that has other first ones. */
	async sort(dataset: ViewerDataset, order: HitOrder): Promise<void> {
		const found = this.#found;
		if (!found) return;
		if (found.count > found.hits.length) await this.run(dataset, found.filter, order);
		else this.#amend({ order, hits: inOrder(this.#kept, this.#keyOf(order)) });
	}

	/** Stops the search and keeps its result so far. */
	stop(): void {
		if (this.#found?.phase !== "running") return;
		this.#latest.cancel();
		this.#amend({ phase: "stopped" });
	}

	/** Returns the names for filters; reads metadata only. */
	vocabulary(dataset: ViewerDataset, table: FindTable): Promise<Vocabulary> {
		const known = this.#vocabularies.get(dataset) ?? new Map();
		this.#vocabularies.set(dataset, known);
		const given = known.get(table);
		if (given) return given;
		const asked: Promise<Vocabulary> = isOfFacts(table)
			? factNames(dataset, table)
			: read(dataset, { from: table }, (reader) => reader.explain({}));
		const tagged = asked.then((names) => ({ ...names, tags: allTags(dataset.attrs) }));
		known.set(table, tagged);
		tagged.catch(() => known.delete(table));
		return tagged;
	}

	async #search(
		dataset: ViewerDataset,
		{ table, where }: FindFilter,
		signal: AbortSignal,
	): Promise<void> {
		if (isOfFacts(table)) return this.#searchFacts(dataset, { table, where }, signal);
		const { columns } = await this.vocabulary(dataset, table);
		signal.throwIfAborted();
		const names = new Map(columns.map((column) => [column.name, column]));
		const named = [...new Set([...comparedIn(where).keys(), ...SHOWN[table]])];
		const shown = named.flatMap((name) => names.get(name) ?? []);
		const fields = ["scene", "frame", ...shown.map(({ name }) => name)];
		const options = { from: table, where, fields, batch: { byBlock: true }, signal };
		await read(dataset, options, async (reader) => {
			const { statisticsProblem } = await reader.explain({ signal });
			if (statisticsProblem)
				this.#amend({ notice: `${statisticsProblem} (all rows are read)` });
			for await (const rows of reader.batches({ signal })) {
				// It may have been read before the search was superseded.
				signal.throwIfAborted();
				this.#add(rows, shown);
				rows.release();
			}
		});
	}

	async #searchFacts(
		dataset: ViewerDataset,
		{ table, where }: FindFilter & { readonly table: "scenes" | "tracks" },
		signal: AbortSignal,
	): Promise<void> {
		const map = await this.#mapOf(signal);
		const facts = factsOf(dataset, { table, where, map });
		const rows = new FactHits(
			table,
			await facts.describe({ signal }),
			where,
			dataset.attrs,
		);
		const onProgress = (progress: { done: number; of: number }): void =>
			this.#amend(progress);
		const onNotice = (notice: string): void => this.#amend({ notice });
		const { clauses, columns } = rows;
		const run = this.#runs;
		const onCheck = (state: FactsCheck): void => {
			if (run !== this.#runs) return;
			this.#amend({ isUnchecked: state === "pending" });
			const { filter, order } = this.#found ?? {};
			if (state !== "changed" || !filter) return;
			this.#dataChanged();
			void this.run(dataset, filter, order);
		};
		const options = { signal, onProgress, onNotice, onCheck, clauses, columns };
		for await (const part of facts.parts(options)) {
			signal.throwIfAborted();
			const { count, unread } = this.#found ?? { count: 0, unread: [] };
			const most = this.#space(part.table.length);
			this.#keep(rows.of(part.table, most, part.passing));
			this.#amend({
				...part.progress,
				count: count + part.table.length,
				unread: [...unread, ...part.table.unread],
			});
		}
	}

	/** Adds the hits of a block. */
	#add(rows: FoundRows, shown: readonly Word[]): void {
		this.#keep(hitsOf(rows, this.#space(rows.length), shown));
		const { count } = this.#found ?? { count: 0 };
		this.#amend({ ...rows.progress, count: count + rows.length });
	}

	/** Returns how many of `length` more hits may be among the first of the order. */
	#space(length: number): number {
		const isSorted = this.#found?.order.by !== "found";
		return isSorted ? length : Math.min(length, MAX_HITS - this.#kept.length);
	}

	/** Keeps the first hits of the order. */
	#keep(more: readonly GalleryItem[]): void {
		const order = this.#found?.order;
		if (!order || more.length === 0) return;
		const key = this.#keyOf(order);
		this.#kept = firstOf([...this.#kept, ...more], MAX_HITS, key);
		this.#amend({ hits: inOrder(this.#kept, key) });
	}

	#keyOf(order: HitOrder): ReturnType<typeof keyOf> {
		return keyOf(order, comparedIn(this.#found?.filter.where ?? ""));
	}

	#amend(changes: Partial<Found>): void {
		if (this.#found) this.#tell({ ...this.#found, ...changes });
	}

	#tell(found: Found): void {
		this.#found = found;
		this.#changed(found);
	}
}

function factsOf(
	dataset: ViewerDataset,
	options: FactsOptions,
): ReturnType<NonNullable<ViewerDataset["facts"]>> {
	const facts = dataset.facts?.(options);
	if (facts) return facts;
	throw new Error("search: this data set has no facts of scenes and tracks");
}

async function factNames(
	dataset: ViewerDataset,
	table: "scenes" | "tracks",
): Promise<Vocabulary> {
	const description = await factsOf(dataset, { table }).describe({});
	return { columns: description[table], labels: [] };
}

/** Runs `work` with a reader of its own. */
async function read<T>(
	dataset: ViewerDataset,
	options: Parameters<NonNullable<ViewerDataset["reader"]>>[0],
	work: (reader: TableReader) => Promise<T>,
): Promise<T> {
	const reader = dataset.reader?.(options);
	if (!reader) throw new Error("search: not supported by this data set");
	try {
		return await work(reader);
	} finally {
		reader.close();
	}
}

function hitsOf(
	rows: FoundRows,
	count: number,
	shown: readonly Word[],
): readonly GalleryItem[] {
	const [scenes, frames] = [rows.column("scene").data, rows.column("frame").data];
	const values = shown
		.filter(({ name }) => name !== "track_id")
		.map((column) => ({ column, data: rows.column(column.name).data }));
	const tracks = shown.some(({ name }) => name === "track_id")
		? rows.column("track_id").data
		: undefined;
	return Array.from({ length: count }, (_, i) => ({
		scene: Number(scenes[i]),
		frame: Number(frames[i]),
		track: tracks && BigInt(tracks[i] ?? 0),
		mark: tracks && BigInt(tracks[i] ?? 0),
		follows: tracks !== undefined,
		values: values.map(({ column, data }) => said(column, data[i] ?? 0)),
	}));
}

const UNITS: Readonly<Record<string, string>> = {
	speed: "m/s",
	distance_to_ego: "m",
	time: "s",
	agent_count: "agents",
};

function said({ name, names }: Word, value: number | bigint): ItemValue {
	const number = Number(value);
	const named = { name: columnWords(name), number };
	const category = names?.[number];
	if (category !== undefined) return { ...named, text: categoryWords(category) };
	const exact = typeof value === "bigint" || Number.isInteger(value);
	const digits = numberWords(`${exact ? value : value.toFixed(1)}`);
	const text = `${digits} ${UNITS[name] ?? ""}`.trim();
	return { ...named, text };
}
