import type { Motion } from "../../timeline.js";

/** A quantity plotted over time. */
export type Quantity = "speed" | "yaw" | "rate" | "acceleration";

export interface QuantityInfo {
	readonly name: string;
	readonly unit: string;
	readonly digits: number;
	readonly of: keyof Motion;
	/** Factor from the unit of `Motion` to `unit`. */
	readonly factor: number;
}

const DEGREES = 180 / Math.PI;

export const QUANTITIES: Readonly<Record<Quantity, QuantityInfo>> = {
	speed: { name: "Speed", unit: "m/s", digits: 1, of: "speed", factor: 1 },
	acceleration: {
		name: "Acceleration",
		unit: "m/s²",
		digits: 1,
		of: "acceleration",
		factor: 1,
	},
	yaw: { name: "Yaw", unit: "°", digits: 0, of: "yaw", factor: DEGREES },
	rate: { name: "Yaw rate", unit: "°/s", digits: 1, of: "yaw_rate", factor: DEGREES },
};
