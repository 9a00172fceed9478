import type { AbortOptions } from "../../api.js";
import { BevError, toBevError } from "../../errors.js";
import type { FrameView } from "../../frame-view.js";
import type { ViewerDataset } from "../dataset.js";
import { labelName } from "../pure/layers.js";
import type { Selection } from "../pure/link.js";
import { agentIndex } from "../summary.js";

/** What is selected, in one frame; what is not known is null. */
export interface TrackRow {
	readonly frame: number;
	/** Nanoseconds. */
	readonly timestamp: string;
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
	readonly speed: number | null;
	readonly length: number | null;
	readonly width: number | null;
	readonly height: number | null;
	readonly label: string | null;
	readonly probability: number | null;
}

const COLUMNS = [
	"frame",
	"timestamp",
	"x",
	"y",
	"yaw",
	"speed",
	"length",
	"width",
	"height",
	"label",
	"probability",
] as const;

function known(value: number | undefined): number | null {
	return value !== undefined && Number.isFinite(value) ? value : null;
}

function egoRow({ frame, timestamp, ego }: FrameView): TrackRow {
	const [x = 0, y = 0] = ego.centroid;
	const size = { length: null, width: null, height: null };
	const place = { frame, timestamp: String(timestamp), x, y, yaw: ego.yaw };
	return { ...place, speed: known(ego.speed), ...size, label: null, probability: null };
}

function agentRow(
	{ frame, timestamp, agents }: FrameView,
	i: number,
	labels: readonly string[],
): TrackRow {
	const [x = 0, y = 0] = agents.centroid.subarray(2 * i, 2 * i + 2);
	const [length, width, height] = agents.extent.subarray(3 * i, 3 * i + 3);
	const label = agents.label[i] ?? 0;
	return {
		frame,
		timestamp: String(timestamp),
		...{ x, y, yaw: agents.yaw[i] ?? 0, speed: known(agents.speed[i]) },
		...{ length: known(length), width: known(width), height: known(height) },
		label: labelName(labels[label] ?? `LABEL_${label}`),
		probability: known(agents.probability[i]),
	};
}

/** A track, or the ego, over a whole scene: fixed before the first frame is read. */
export interface SceneTrack {
	readonly dataset: Pick<ViewerDataset, "frame" | "labels">;
	readonly scene: number;
	/** Frames of the scene. */
	readonly count: number;
	readonly selection: Selection;
}

export interface TrackOptions extends AbortOptions {
	/** Frames read, and frames of the scene. */
	readonly onProgress?: ((done: number, all: number) => void) | undefined;
	/** A frame of the data set that is in memory already. */
	readonly held?: ((frame: number) => FrameView | undefined) | undefined;
}

/** Reads under way at a time. */
const READS = 4;

function rowOf(
	view: FrameView,
	{ dataset, selection }: SceneTrack,
): TrackRow | undefined {
	if (selection === "ego") return egoRow(view);
	const i = agentIndex(view, selection);
	return i === undefined ? undefined : agentRow(view, i, dataset.labels);
}

async function readRow(
	of: SceneTrack,
	frame: number,
	{ signal, held }: TrackOptions,
): Promise<TrackRow | undefined> {
	const { dataset, scene } = of;
	const known = held?.(frame);
	if (known?.scene === scene) return rowOf(known, of);
	try {
		const options = { past: 0, future: 0, sequential: true, signal };
		const view = await dataset.frame(scene, frame, options);
		const row = rowOf(view, of);
		view.release();
		return row;
	} catch (error) {
		signal?.throwIfAborted();
		const { code, message, url, key, status } = toBevError(error);
		const what = `scene ${scene}, frame ${frame}: ${message}`;
		throw new BevError(code, what, { url, key, status, cause: error });
	}
}

/**
 * Reads the track in every frame of the scene that has it, in frame order. It is all of them
 * or none.
 *
 * Throws what reading a frame throws, naming the frame; the reason of `signal`.
 */
export async function readTrack(
	of: SceneTrack,
	{ signal, onProgress, held }: TrackOptions = {},
): Promise<TrackRow[]> {
	signal?.throwIfAborted();
	const reading = new AbortController();
	const onAbort = () => reading.abort(signal?.reason);
	signal?.addEventListener("abort", onAbort);
	const rows: (TrackRow | undefined)[] = new Array(of.count);
	let [next, done] = [0, 0];
	const readOn = async (): Promise<void> => {
		while (next < of.count) {
			const frame = next;
			next += 1;
			rows[frame] = await readRow(of, frame, { signal: reading.signal, held });
			reading.signal.throwIfAborted();
			done += 1;
			onProgress?.(done, of.count);
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
	return rows.filter((row) => row !== undefined);
}

/**
 * Text out of the data, which spreadsheets must not take for a formula. `'` is how they mark
 * text themselves.
 */
function plainText(words: string): string {
	return /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
}

function cell(value: string | number | null): string {
	const words = value === null ? "" : String(value);
	return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

/** With a heading line; lines end as RFC 4180 has them. */
export function csvOf(rows: readonly TrackRow[]): string {
	const safe = rows.map((row) => ({
		...row,
		label: row.label && plainText(row.label),
	}));
	const lines = safe.map((row) => COLUMNS.map((name) => cell(row[name])).join(","));
	return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

export function jsonOf(
	{ scene, selection }: Pick<SceneTrack, "scene" | "selection">,
	rows: readonly TrackRow[],
): string {
	return `${JSON.stringify({ scene, track: String(selection), frames: rows }, null, 1)}\n`;
}
