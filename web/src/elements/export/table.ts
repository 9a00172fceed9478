import type { AbortOptions } from "../../api.js";
import { BevError, toBevError } from "../../errors.js";
import type { FrameView } from "../../frame-view.js";
import type { ViewerDataset } from "../dataset.js";
import type { FrameRange } from "../pure/clock.js";
import type { Selection } from "../pure/link.js";
import { COLUMNS, rowsOf, type TableRow } from "./table-rows.js";

/** What a table holds: fixed before the first frame is read. */
export interface TableOf {
	readonly dataset: Pick<ViewerDataset, "frame" | "labels">;
	readonly scene: number;
	readonly frames: FrameRange;
	/** One track, or the ego and all agents. */
	readonly who: Selection | "all";
}

export interface TableOptions extends AbortOptions {
	/** Frames read, and frames to read. */
	readonly onProgress?: ((done: number, all: number) => void) | undefined;
	/** A frame of the data set that is in memory already. */
	readonly held?: ((frame: number) => FrameView | undefined) | undefined;
}

/** Reads under way at a time. */
const READS = 4;

async function readFrame<T>(
	{ dataset, scene, who }: TableOf,
	frame: number,
	{ signal, held, take }: TableOptions & { take: (rows: TableRow[]) => T },
): Promise<T> {
	const known = held?.(frame);
	if (known?.scene === scene) return take(rowsOf(known, who, dataset.labels));
	try {
		const options = { past: 0, future: 0, sequential: true, signal };
		const view = await dataset.frame(scene, frame, options);
		const taken = take(rowsOf(view, who, dataset.labels));
		view.release();
		return taken;
	} catch (error) {
		signal?.throwIfAborted();
		const { code, message, url, key, status } = toBevError(error);
		const what = `scene ${scene}, frame ${frame}: ${message}`;
		throw new BevError(code, what, { url, key, status, cause: error });
	}
}

/**
 * Reads every frame of the table and returns what `take` makes of each frame's rows, in frame
 * order. It is all of them or none.
 *
 * Throws what reading a frame throws, naming the frame; the reason of `signal`.
 */
async function readFrames<T>(
	of: TableOf,
	take: (rows: TableRow[]) => T,
	{ signal, onProgress, held }: TableOptions,
): Promise<T[]> {
	signal?.throwIfAborted();
	const { begin, end } = of.frames;
	const reading = new AbortController();
	const onAbort = () => reading.abort(signal?.reason);
	signal?.addEventListener("abort", onAbort);
	const taken: T[] = new Array(end - begin);
	let [next, done] = [begin, 0];
	const readOn = async (): Promise<void> => {
		while (next < end) {
			const frame = next;
			next += 1;
			const options = { signal: reading.signal, held, take };
			taken[frame - begin] = await readFrame(of, frame, options);
			reading.signal.throwIfAborted();
			done += 1;
			onProgress?.(done, end - begin);
		}
	};
	try {
		await Promise.all(Array.from({ length: READS }, readOn));
	} catch (error) {
		reading.abort(error); // the other reads
		throw error;
	} finally {
		signal?.removeEventListener("abort", onAbort);
	}
	return taken;
}

/**
 * Escapes text of the data that spreadsheets would take for a formula. They mark text with
 * `'` themselves.
 */
function plainText(words: string): string {
	return /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
}

function cell(value: string | number | null): string {
	const words = value === null ? "" : String(value);
	return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

/** Returns the lines of `rows`, each ended as RFC 4180 has it. */
export function csvLines(rows: readonly TableRow[]): string {
	return rows
		.map((row) => ({ ...row, label: row.label && plainText(row.label) }))
		.map((row) => `${COLUMNS.map((name) => cell(row[name])).join(",")}\r\n`)
		.join("");
}

/** As `readFrames` reads them, as a CSV file with a heading line. */
export async function csvOf(of: TableOf, options: TableOptions = {}): Promise<Blob> {
	const parts = await readFrames(of, csvLines, options);
	return new Blob([`${COLUMNS.join(",")}\r\n`, ...parts], { type: "text/csv" });
}

/** As `readFrames` reads them, as JSON: what the table is of, and its `rows`. */
export async function jsonOf(of: TableOf, options: TableOptions = {}): Promise<Blob> {
	const text = (rows: TableRow[]) => rows.map((row) => JSON.stringify(row)).join(",\n");
	const parts = (await readFrames(of, text, options)).filter((part) => part !== "");
	const { begin, end } = of.frames;
	const about = { scene: of.scene, frames: [begin, end - 1], track: String(of.who) };
	const head = `${JSON.stringify(about).slice(0, -1)},"rows":[\n`;
	const rows = parts.flatMap((part, i) => (i === 0 ? [part] : [",\n", part]));
	return new Blob([head, ...rows, "\n]}\n"], { type: "application/json" });
}
