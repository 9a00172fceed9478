import { html, nothing, type TemplateResult } from "lit";
import type { Motion } from "../../dataset/timeline.js";
import { formatNumber } from "../agents/describe.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { formatTime } from "./clock.js";
import type { QualityMark } from "./quality.js";
import { type Row, rowOf } from "./rows.js";
import type { RowKey } from "./timeline-state.js";

/** A quantity plotted over time. */
export type Quantity = "speed" | "yaw" | "yaw_rate" | "acceleration";

export interface QuantityInfo {
	readonly name: string;
	readonly unit: string;
	readonly digits: number;
	readonly of: keyof Motion;
	/** Factor from the unit of `Motion` to `unit`. */
	readonly factor: number;
	/** Whether the axis begins at 0. */
	readonly fromZero?: boolean | undefined;
}

const DEGREES = 180 / Math.PI;

export const QUANTITIES: Readonly<Record<Quantity, QuantityInfo>> = {
	speed: {
		...{ name: "Speed", unit: "m/s", digits: 1, of: "speed", factor: 1 },
		fromZero: true,
	},
	acceleration: {
		name: "Acceleration",
		unit: "m/s²",
		digits: 1,
		of: "acceleration",
		factor: 1,
	},
	yaw: { name: "Yaw", unit: "°", digits: 0, of: "yaw", factor: DEGREES },
	yaw_rate: {
		...{ name: "Yaw rate", unit: "°/s", digits: 1, of: "yaw_rate", factor: DEGREES },
	},
};

/** A row of a quantity that the timeline has. */
type UsualRow = Extract<Row, { kind: "quantity" }> & { readonly name: Quantity };

/** What a row of the ego vehicle says in data without one. */
export const NO_EGO = "No ego vehicle: select an agent";

/** Returns whether the timeline has the row's values: nothing else is read for it. */
export function isUsual(row: Row): row is UsualRow {
	return (
		row.kind === "quantity" &&
		typeof row.who !== "bigint" &&
		Object.hasOwn(QUANTITIES, row.name)
	);
}

/** Returns the quantities of the rows that the timeline has. */
export function usualQuantities(rows: readonly RowKey[]): readonly Quantity[] {
	const names = rows.flatMap((key) => {
		const row = rowOf(key);
		return row && isUsual(row) ? [row.name] : [];
	});
	return [...new Set(names)];
}

/** The frame at the pointer over the timeline. */
export interface Pointed {
	readonly frame: number;
	/** The traffic light whose row is under the pointer. */
	readonly light: string | undefined;
}

/** What the tooltip shows in addition to the time. */
export interface PointedFacts {
	readonly marks: readonly QualityMark[];
	/** State of the light under the pointer. */
	readonly light: string | undefined;
	/** A picture of the frame. */
	readonly picture: TemplateResult | typeof nothing;
}

function valuesAt(state: ViewerState, frame: number, quantity: Quantity): string {
	const { timeline, selection } = state;
	const { name, unit, digits, factor, of } = QUANTITIES[quantity];
	const value = (series: Float64Array | undefined) =>
		formatNumber(factor * (series?.[frame] ?? Number.NaN), digits);
	const track = timeline?.of === selection ? timeline?.track : undefined;
	if (timeline?.ego_is_virtual)
		return track ? `${name} ${value(track[of])} ${unit}` : "";
	const ego = `${name} ${value(timeline?.ego[of])} ${unit}`;
	return track ? `${ego}, selected ${value(track[of])} ${unit}` : ego;
}

/**
 * Renders a line through all lanes at the pointer, and a tooltip with time, frame and
 * values.
 */
export function pointedFrame(
	state: ViewerState,
	{ frame }: Pointed,
	{ marks, light, picture }: PointedFacts,
): TemplateResult | typeof nothing {
	const count = frameCount(state);
	const seconds = state.sceneInfo?.seconds[frame];
	if (seconds === undefined || frame >= count) return nothing;
	const isLate = frame > (count - 1) * 0.6;
	const values = usualQuantities(state.rows).flatMap(
		(one) => valuesAt(state, frame, one) || [],
	);
	const odd = marks.filter((mark) => mark.frame === frame).map(({ what }) => what);
	const lines = [...values, ...(light ? [light] : []), ...odd];
	return html`<div class="pointed" aria-hidden="true"></div>
		<div class="tip ${isLate ? "late" : ""}" aria-hidden="true">
			<b class="mono">${formatTime(seconds)}</b> <span class="mono">frame ${frame}</span>
			${lines.map((line) => html`<div>${line}</div>`)}
			${picture}
		</div>`;
}
