import { BevError } from "../../base/errors.js";
import { sceneRows } from "../scenes/scene-rows.js";
import type { ViewerDataset } from "../session/dataset.js";
import { counted } from "../ui/words.js";
import { type Join, joinOf, type SensorTable } from "./sensor-tables.js";

/** No row belongs to the frame. */
export const NO_ROW = -1;
/** Several rows have the frame's index. */
export const SEVERAL_ROWS = -2;

/** Rows of a table at the times of a scene. */
const MAX_TIMES = 1_000_000;

/** Rows per batch of the columns that are joined. */
const BATCH = 65_536;

/** The frames of a scene. */
interface SceneFrames {
	/** Row of the first in `frames`. */
	readonly begin: number;
	readonly count: number;
	/** Nanoseconds; empty unless they are needed. */
	readonly times: BigInt64Array;
}

/** Where rows of tables are read from. */
export interface JoinOptions {
	/** The data set with the frames. */
	readonly frames: ViewerDataset;
	/** The one with the tables. */
	readonly tables: Pick<ViewerDataset, "reader">;
	/** Largest difference of timestamps, in seconds. */
	readonly tolerance: number;
	readonly signal: AbortSignal;
}

/**
 * Returns for each frame of a scene the row of `table`, or NO_ROW or SEVERAL_ROWS.
 *
 * @throws invalid_metadata if rows cannot be assigned to frames
 */
export async function frameRows(
	table: SensorTable,
	scene: number,
	options: JoinOptions,
): Promise<Int32Array> {
	const { frames } = options;
	const join = joinOf(table, frames.frames.length);
	if (!join) {
		const what = `found ${counted(table.rows, "row")} of ${counted(frames.frames.length, "frame")}`;
		const expected = "expected one row per frame, or an integer field frame_index";
		throw new BevError(
			"invalid_metadata",
			`${table.name}: rows belong to no frames (${what}, ${expected} or timestamp)`,
		);
	}
	const of = await framesOf(scene, join === "timestamp", options);
	if (of.count === 0) return new Int32Array();
	if (join === "row")
		return Int32Array.from({ length: of.count }, (_, i) => of.begin + i);
	return join === "frame_index"
		? rowsByIndex(table, of, options)
		: rowsByTime(table, of, options);
}

async function framesOf(
	scene: number,
	timed: boolean,
	{ frames: dataset, signal }: JoinOptions,
): Promise<SceneFrames> {
	const [row] = await sceneRows(dataset, scene, 1, signal);
	const { frameBegin: begin = 0, frameEnd: end = 0 } = row ?? {};
	const count = end - begin;
	if (!timed || count === 0) return { begin, count, times: new BigInt64Array() };
	const fields = ["timestamp"];
	const rows = await dataset.frames.rows(begin, end, { fields, signal });
	const times = BigInt64Array.from(Array.from(rows.column("timestamp").data, BigInt));
	return { begin, count, times };
}

/** Calls `take` with each value of `column` from `first` to `last`, and its row. */
async function readColumn(
	table: SensorTable,
	column: Join,
	[first, last]: readonly [bigint, bigint],
	{ tables, signal }: JoinOptions,
	take: (value: bigint, row: number) => void,
): Promise<void> {
	const reader = tables.reader?.({
		from: table.name,
		where: `${column} >= ${first} and ${column} <= ${last}`,
		fields: [column, "row"],
		batch: BATCH,
	});
	if (!reader) return;
	try {
		for await (const batch of reader.batches({ signal })) {
			const values = batch.column(column).data;
			const rows = batch.column("row").data;
			for (let i = 0; i < batch.length; i += 1)
				take(BigInt(values[i] ?? 0), Number(rows[i]));
			batch.release();
		}
	} finally {
		reader.close();
	}
}

async function rowsByIndex(
	table: SensorTable,
	{ begin, count }: SceneFrames,
	options: JoinOptions,
): Promise<Int32Array> {
	const found = new Int32Array(count).fill(NO_ROW);
	const range = [BigInt(begin), BigInt(begin + count - 1)] as const;
	await readColumn(table, "frame_index", range, options, (value, row) => {
		const frame = Number(value) - begin;
		found[frame] = found[frame] === NO_ROW ? row : SEVERAL_ROWS;
	});
	return found;
}

/** Returns the row of each frame whose time is nearest, within the tolerance. */
async function rowsByTime(
	table: SensorTable,
	{ times }: SceneFrames,
	options: JoinOptions,
): Promise<Int32Array> {
	const tolerance = BigInt(Math.round(options.tolerance * 1e9));
	const ordered = times.slice().sort();
	const [first = 0n, last = 0n] = [ordered[0], ordered.at(-1)];
	const range = [first - tolerance, last + tolerance] as const;
	const all: (readonly [time: bigint, row: number])[] = [];
	await readColumn(table, "timestamp", range, options, (time, row) => {
		if (all.push([time, row]) <= MAX_TIMES) return;
		const found = `found more than ${MAX_TIMES} within a scene`;
		throw new BevError("limit_exceeded", `${table.name}: too many rows (${found})`);
	});
	all.sort(([a], [b]) => Number(a - b));
	const sorted = BigInt64Array.from(all, ([time]) => time);
	return Int32Array.from(times, (time) => {
		const at = nearest(sorted, time);
		const distance = time - (sorted[at] ?? time - tolerance - 1n);
		const isNear = distance <= tolerance && -distance <= tolerance;
		return isNear ? (all[at]?.[1] ?? NO_ROW) : NO_ROW;
	});
}

/** Returns the index of the value nearest to `time`; the first of equal ones. */
function nearest(sorted: BigInt64Array, time: bigint): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0n) < time) low = middle + 1;
		else high = middle;
	}
	const [before, after] = [sorted[low - 1], sorted[low]];
	if (before === undefined) return low;
	return after !== undefined && after - time < time - before ? low : low - 1;
}
