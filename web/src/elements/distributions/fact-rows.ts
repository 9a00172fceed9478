import type { FactColumn, FactTable } from "../../facts/fact-table.js";
import type { RemoteDistribution } from "../../reviewing/remote-distribution.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import { startReviewer } from "../review/start-reviewer.js";
import type { ViewerDataset } from "../session/dataset.js";
import { type ColumnInfo, factColumns } from "./columns.js";

/** Facts of all scenes as rows of a table in a worker. */
export interface FactRows {
	readonly table: RemoteDistribution;
	readonly columns: readonly ColumnInfo[];
}

/** Rows so far. */
export interface FactProgress {
	readonly done: number;
	readonly of: number;
	/** Scenes without facts, because their data is damaged or absent. */
	readonly unread: number;
	/** What else is left out, in sentences. */
	readonly leftOut?: readonly string[] | undefined;
}

interface Options {
	readonly name: "scenes" | "tracks";
	readonly map: Parameters<NonNullable<ViewerDataset["facts"]>>[0]["map"];
	readonly signal: AbortSignal;
	/** Called with the empty table, and after each part. */
	readonly onRows: (rows: FactRows, progress: FactProgress) => void;
}

/** Reads facts into a table; its worker ends when `signal` aborts. */
export async function readFactRows(
	dataset: ViewerDataset,
	{ name, map, signal, onRows }: Options,
): Promise<void> {
	const facts = dataset.facts?.({ table: name, map });
	if (!facts) throw new Error("this data set has no facts of scenes and tracks");
	const columns = factColumns((await facts.describe({ signal }))[name]);
	const reviewer: Reviewer = await startReviewer();
	signal.addEventListener("abort", () => reviewer.close());
	if (signal.aborted) return reviewer.close();
	const table = await reviewer.distribution(
		columns.map((column) => [column.name, column.categories?.length ?? 0]),
	);
	const rows: FactRows = { table, columns };
	let unread = 0;
	onRows(rows, { done: 0, of: dataset.scenes.length, unread });
	for await (const part of facts.parts({ signal })) {
		signal.throwIfAborted();
		await table.add(addedRows(part.table, columns, name));
		unread += part.table.unread.length;
		onRows(rows, { ...part.progress, unread });
	}
}

function addedRows(
	table: FactTable,
	columns: readonly ColumnInfo[],
	name: "scenes" | "tracks",
): Parameters<RemoteDistribution["add"]>[0] {
	const { length } = table;
	const column = (of: string): FactColumn["data"] => table.column(of).data;
	const values = new Float64Array(columns.length * length);
	columns.forEach((info, i) => {
		values.set(Float64Array.from(column(info.name) as Float64Array), i * length);
	});
	const isTrack = name === "tracks";
	const ids = isTrack ? (column("track_id") as BigUint64Array) : undefined;
	return {
		scenes: Uint32Array.from(column("scene") as Uint32Array),
		frames: isTrack
			? Uint32Array.from(column("first_frame") as Int32Array, (frame) =>
					Math.max(0, frame),
				)
			: new Uint32Array(length),
		tracks: ids ? new BigInt64Array(ids) : new BigInt64Array(length).fill(-1n),
		values,
	};
}
