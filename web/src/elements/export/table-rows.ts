import type { FrameView } from "../../dataset/frame-view.js";
import { agentIndex } from "../agents/summary.js";
import { labelName } from "../layers/layer-set.js";
import type { Selection } from "../scene-view/picking.js";

/** One agent, or the ego, in one frame. Unknown values are null. */
export interface TableRow {
	readonly scene: number;
	readonly frame: number;
	/** Nanoseconds. */
	readonly timestamp: string;
	/** A track id, or `ego`. */
	readonly track: string;
	/** World metres and radians. */
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
	/** As recorded, metres per second in world; null for the ego. */
	readonly velocity_x: number | null;
	readonly velocity_y: number | null;
	/** By finite differences, metres per second. */
	readonly speed: number | null;
	readonly length: number | null;
	readonly width: number | null;
	readonly height: number | null;
	readonly label: string | null;
	/** Probability of the label. */
	readonly probability: number | null;
	/** Sum over the known classes, which is compared with the threshold. */
	readonly known_probability: number | null;
}

export const COLUMNS = [
	"scene",
	"frame",
	"timestamp",
	"track",
	"x",
	"y",
	"yaw",
	"velocity_x",
	"velocity_y",
	"speed",
	"length",
	"width",
	"height",
	"label",
	"probability",
	"known_probability",
] as const satisfies readonly (keyof TableRow)[];

function known(value: number | undefined): number | null {
	return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Returns the row of the ego, none if there is no ego vehicle. */
function egoRows({ scene, frame, timestamp, ego }: FrameView): TableRow[] {
	if (ego.is_virtual) return [];
	const [x = 0, y = 0] = ego.centroid;
	return [
		{
			...{ scene, frame, timestamp: String(timestamp), track: "ego" },
			...{ x, y, yaw: ego.yaw, velocity_x: null, velocity_y: null },
			...{ speed: known(ego.speed), length: null, width: null, height: null },
			...{ label: null, probability: null, known_probability: null },
		},
	];
}

function agentRow(
	{ scene, frame, timestamp, agents }: FrameView,
	i: number,
	labels: readonly string[],
): TableRow {
	const [x = 0, y = 0] = agents.centroid.subarray(2 * i, 2 * i + 2);
	const [vx, vy] = agents.velocity.subarray(2 * i, 2 * i + 2);
	const [length, width, height] = agents.extent.subarray(3 * i, 3 * i + 3);
	const label = agents.label[i] ?? 0;
	return {
		...{ scene, frame, timestamp: String(timestamp) },
		track: String(agents.track_id[i]),
		...{ x, y, yaw: agents.yaw[i] ?? 0 },
		...{ velocity_x: known(vx), velocity_y: known(vy), speed: known(agents.speed[i]) },
		...{ length: known(length), width: known(width), height: known(height) },
		label: labelName(labels[label] ?? `LABEL_${label}`),
		probability: known(agents.probability[i]),
		known_probability: known(agents.known_probability[i]),
	};
}

/**
 * Returns the rows of one frame: the selection if present, or the ego and all agents.
 */
export function rowsOf(
	view: FrameView,
	who: Selection | "all",
	labels: readonly string[],
): TableRow[] {
	if (who === "ego") return egoRows(view);
	if (who === "all") {
		const agents = Array.from({ length: view.agents.length }, (_, i) =>
			agentRow(view, i, labels),
		);
		return [...egoRows(view), ...agents];
	}
	const i = agentIndex(view, who);
	return i === undefined ? [] : [agentRow(view, i, labels)];
}
