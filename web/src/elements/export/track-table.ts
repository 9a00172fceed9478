import type { FrameView } from "../../frame-view.js";
import { labelName } from "../pure/layers.js";
import type { Selection } from "../pure/link.js";
import type { ViewerState } from "../state.js";
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

/** The selected track, or the ego, in every frame held that has it, in frame order. */
export function trackRows(
	state: ViewerState,
	frames: ReadonlyMap<number, FrameView>,
	selection: Selection,
): TrackRow[] {
	const views = [...frames.values()].sort((a, b) => a.frame - b.frame);
	const labels = state.dataset?.labels ?? [];
	return views.flatMap((view) => {
		if (selection === "ego") return [egoRow(view)];
		const i = agentIndex(view, selection);
		return i === undefined ? [] : [agentRow(view, i, labels)];
	});
}

function cell(value: string | number | null): string {
	const words = value === null ? "" : String(value);
	return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

/** With a heading line; lines end as RFC 4180 has them. */
export function csvOf(rows: readonly TrackRow[]): string {
	const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(","));
	return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

export function jsonOf(
	state: ViewerState,
	selection: Selection,
	rows: readonly TrackRow[],
): string {
	const { scene } = state;
	return `${JSON.stringify({ scene, track: String(selection), frames: rows }, null, 1)}\n`;
}
