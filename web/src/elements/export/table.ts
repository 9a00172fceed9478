import type { AbortOptions } from "../../api.js";
import { BevError, toBevError } from "../../base/errors.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerDataset } from "../session/dataset.js";
import type { FrameRange } from "../timeline/clock.js";
import { COLUMNS, rowsOf, type TableRow } from "./table-rows.js";

/** The content of a table, fixed before the first frame is read. */
export interface TableOf {
	readonly dataset: Pick<ViewerDataset, "frame" | "labels">;
	readonly scene: number;
	readonly frames: FrameRange;
	/** One track, or `all`: the ego and all agents. */
	readonly who: Selection | "all";
}

export interface TableOptions extends AbortOptions {
	/** Frames read, and frames to read. */
	readonly onProgress?: ((done: number, all: number) => void) | undefined;
	/** Returns a frame of the data set that is already in memory. */
	readonly held?: ((frame: number) => FrameView | undefined) | undefined;
}

/** Maximum number of concurrent reads. */
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
 * Reads every frame of the table and returns the results of `take` for each frame's
 * rows, in frame order. Fails as a whole.
 *
 * @throws errors of reading a frame, naming the frame; the reason of `signal`.
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
		reading.abort(error); // aborts the other reads
		throw error;
	} finally {
		signal?.removeEventListener("abort", onAbort);
	}
	return taken;
}

/** Escapes text that spreadsheets would evaluate as a formula, with a leading `'`. */
function plainText(words: string): string {
	return /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
}

function cell(value: string | number | null): string {
	const words = value === null ? "" : String(value);
	return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

/** Returns `rows` as CSV lines with the line ends of RFC 4180. */
export function csvLines(rows: readonly TableRow[]): string {
	return rows
		.map((row) => ({ ...row, label: row.label && plainText(row.label) }))
		.map((row) => `${COLUMNS.map((name) => cell(row[name])).join(",")}\r\n`)
		.join("");
}

/** Returns the table as a CSV file with a header line. Errors as `readFrames`. */
export async function csvOf(of: TableOf, options: TableOptions = {}): Promise<Blob> {
	const parts = await readFrames(of, csvLines, options);
	return new Blob([`${COLUMNS.join(",")}\r\n`, ...parts], { type: "text/csv" });
}

/**
 * Returns the table as JSON: its description and its `rows`. Errors as `readFrames`.
 */
export async function jsonOf(of: TableOf, options: TableOptions = {}): Promise<Blob> {
	const text = (rows: TableRow[]) => rows.map((row) => JSON.stringify(row)).join(",\n");
	const parts = (await readFrames(of, text, options)).filter((part) => part !== "");
	const { begin, end } = of.frames;
	const about = { scene: of.scene, frames: [begin, end - 1], track: String(of.who) };
	const head = `${JSON.stringify(about).slice(0, -1)},"rows":[\n`;
	const rows = parts.flatMap((part, i) => (i === 0 ? [part] : [",\n", part]));
	return new Blob([head, ...rows, "\n]}\n"], { type: "application/json" });
}
