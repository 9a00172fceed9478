/** What is plotted over time. */
export type Quantity = "speed" | "yaw" | "rate" | "acceleration";

export interface QuantityInfo {
	readonly name: string;
	readonly unit: string;
	readonly digits: number;
}

export const QUANTITIES: Readonly<Record<Quantity, QuantityInfo>> = {
	speed: { name: "Speed", unit: "m/s", digits: 1 },
	acceleration: { name: "Acceleration", unit: "m/s²", digits: 1 },
	yaw: { name: "Yaw", unit: "°", digits: 0 },
	rate: { name: "Yaw rate", unit: "°/s", digits: 1 },
};
