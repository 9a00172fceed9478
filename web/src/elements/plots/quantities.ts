import { labelName } from "../layers/layer-set.js";

/** A plotted quantity. */
export interface SeriesInfo {
	readonly name: string;
	/** Displayed unit; empty if there is none. */
	readonly unit: string;
	/** Digits after the decimal point in readouts. */
	readonly digits: number;
	/** Factor from the core's unit to `unit`. */
	readonly factor: number;
	/** Group in the list of quantities. */
	readonly group: string;
}

const DEGREES = 180 / Math.PI;

function info(
	group: string,
	name: string,
	unit: string,
	digits: number,
	factor = 1,
): SeriesInfo {
	return { name, unit, digits, factor, group };
}

const [MOTION, AROUND, PLACE] = ["Motion", "Surroundings", "Position"];

/** Quantities that the core computes, by its names; see docs/quantities.md. */
export const SERIES: Readonly<Record<string, SeriesInfo>> = {
	speed: info(MOTION, "Speed", "m/s", 2),
	acceleration: info(MOTION, "Acceleration", "m/s²", 2),
	jerk: info(MOTION, "Jerk", "m/s³", 2),
	yaw: info(MOTION, "Yaw", "°", 1, DEGREES),
	yaw_rate: info(MOTION, "Yaw rate", "°/s", 2, DEGREES),
	curvature: info(MOTION, "Curvature", "1/m", 4),
	lead_gap: info(AROUND, "Gap to lead", "m", 2),
	time_to_collision: info(AROUND, "Time to collision", "s", 2),
	ego_distance: info(AROUND, "Distance to ego", "m", 2),
	lane_offset: info(AROUND, "Offset to lane", "m", 2),
	x: info(PLACE, "x", "m", 2),
	y: info(PLACE, "y", "m", 2),
};

/** A component of a numeric field of `agents` or `frames`. */
export interface FieldChart {
	readonly table: "agents" | "frames";
	readonly field: string;
	readonly component: number;
}

/** Parses `agents.velocity.0`; undefined for other quantities. */
export function fieldOf(chart: string): FieldChart | undefined {
	const [, table, field, component] =
		/^(agents|frames)\.(.+)\.(\d+)$/s.exec(chart) ?? [];
	if (!table || field === undefined) return undefined;
	return { table: table as FieldChart["table"], field, component: Number(component) };
}

/** Units of L5Kit's fields; other fields have none. */
const UNITS: Readonly<Record<string, string>> = {
	centroid: "m",
	extent: "m",
	yaw: "rad",
	velocity: "m/s",
	timestamp: "ns",
	ego_translation: "m",
};

const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
	centroid: ["x", "y"],
	velocity: ["x", "y"],
	ego_translation: ["x", "y", "z"],
	extent: ["length", "width", "height"],
	agent_index_interval: ["begin", "end"],
	traffic_light_faces_index_interval: ["begin", "end"],
};

/** Returns how a quantity is displayed. `labels` name the label probabilities. */
export function infoOf(chart: string, labels: readonly string[] = []): SeriesInfo {
	const known = Object.hasOwn(SERIES, chart) ? SERIES[chart] : undefined;
	if (known) return known;
	const of = fieldOf(chart);
	if (!of) return info("Unknown", chart, "", 3);
	const { table, field, component } = of;
	const label =
		field === "label_probabilities" && labels[component] !== undefined
			? labelName(labels[component])
			: undefined;
	const part = label ?? COMPONENTS[field]?.[component] ?? String(component);
	const name = field === "yaw" || field === "timestamp" ? field : `${field} ${part}`;
	return info(`Fields of ${table}`, name, UNITS[field] ?? "", 3);
}
