import { Latest } from "../../latest.js";
import type { ReaderColumn } from "../../reader/explanation.js";
import type { FoundRows, TableReader, ViewerDataset } from "../session/dataset.js";
import { isAbort, type Problem, problemOf } from "../session/problem.js";
import type { FindFilter, FindTable } from "./find-state.js";

/** Hits that are listed; further ones are only counted. */
export const MAX_HITS = 1_000;

/** A row that passes the filter. */
export interface Hit {
	readonly scene: number;
	readonly frame: number;
	/** Undefined for frames. */
	readonly track: bigint | undefined;
	/** Further values, as text. */
	readonly values: readonly string[];
}

/** A search and its result so far. */
export interface Found {
	readonly filter: FindFilter;
	readonly phase: "running" | "done" | "stopped" | "failed";
	/** Blocks searched, and all blocks; 0 of 0 until they are known. */
	readonly done: number;
	readonly of: number;
	readonly count: number;
	/** The first hits. */
	readonly hits: readonly Hit[];
	readonly problem: Problem | undefined;
}

/** Names for filters over a table. */
export interface Vocabulary {
	readonly columns: readonly ReaderColumn[];
	readonly labels: readonly string[];
}

/** Displayed columns that not every data set has. */
const SHOWN: Readonly<Record<FindTable, readonly string[]>> = {
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

	constructor(changed: (found: Found) => void) {
		this.#changed = changed;
	}

	/** Searches all scenes; resolves when the search has ended. */
	async run(dataset: ViewerDataset, filter: FindFilter): Promise<void> {
		const nothing = { done: 0, of: 0, count: 0, hits: [], problem: undefined };
		this.#tell({ ...nothing, filter, phase: "running" });
		await this.#latest.run((signal) => this.#search(dataset, filter, signal), {
			done: () => this.#amend({ phase: "done" }),
			failed: (error) => {
				if (isAbort(error)) this.#amend({ phase: "stopped" });
				else this.#amend({ phase: "failed", problem: problemOf(error) });
			},
		});
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
		const asked = read(dataset, { from: table }, (reader) => reader.explain({}));
		known.set(table, asked);
		asked.catch(() => known.delete(table));
		return asked;
	}

	async #search(
		dataset: ViewerDataset,
		{ table, where }: FindFilter,
		signal: AbortSignal,
	): Promise<void> {
		const { columns } = await this.vocabulary(dataset, table);
		signal.throwIfAborted();
		const names = new Map(columns.map((column) => [column.name, column]));
		const shown = SHOWN[table].flatMap((name) => names.get(name) ?? []);
		const fields = ["scene", "frame", ...shown.map(({ name }) => name)];
		const options = { from: table, where, fields, batch: { by_block: true }, signal };
		await read(dataset, options, async (reader) => {
			for await (const rows of reader.batches({ signal })) {
				// It may have been read before the search was superseded.
				signal.throwIfAborted();
				this.#add(rows, shown);
				rows.release();
			}
		});
	}

	/** Adds the hits of a block. */
	#add(rows: FoundRows, shown: readonly ReaderColumn[]): void {
		const { count, hits } = this.#found ?? { count: 0, hits: [] };
		const room = Math.min(rows.items, MAX_HITS - hits.length);
		this.#amend({
			...rows.progress,
			count: count + rows.items,
			hits: room > 0 ? [...hits, ...hitsOf(rows, room, shown)] : hits,
		});
	}

	#amend(changes: Partial<Found>): void {
		if (this.#found) this.#tell({ ...this.#found, ...changes });
	}

	#tell(found: Found): void {
		this.#found = found;
		this.#changed(found);
	}
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
	shown: readonly ReaderColumn[],
): readonly Hit[] {
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
		values: values.map(({ column, data }) => textOf(column, data[i] ?? 0)),
	}));
}

const UNITS: Readonly<Record<string, string>> = {
	speed: "m/s",
	distance_to_ego: "m",
	time: "s",
	agent_count: "agents",
};

function textOf({ name, names }: ReaderColumn, value: number | bigint): string {
	const category = names?.[Number(value)];
	if (category !== undefined) return category;
	const exact = typeof value === "bigint" || Number.isInteger(value);
	return `${exact ? value : value.toFixed(1)} ${UNITS[name] ?? ""}`.trim();
}
