/** Measures of a rollout over time, in the order of the list. */
export const ROLLOUT_MEASURES = [
	"displacement",
	"agents_displacement",
	"reference_distance",
	"yaw_error",
	"speed_difference",
	"time_to_collision",
] as const;
export type RolloutMeasure = (typeof ROLLOUT_MEASURES)[number];

/** Sides of a collision, by their numbers in the core. */
export const SIDES = ["none", "front", "rear", "side"] as const;

const DEGREES = 180 / Math.PI;

/** Name, unit and explanation of each measure; `scale` converts to the unit. */
export const MEASURE_TEXTS: Readonly<
	Record<
		RolloutMeasure,
		{
			readonly name: string;
			readonly unit: string;
			readonly scale: number;
			readonly title: string;
		}
	>
> = {
	displacement: {
		...{ name: "Displacement", unit: "m", scale: 1 },
		title: "Distance of the simulated ego vehicle from the recorded one in this frame",
	},
	agents_displacement: {
		...{ name: "Agents", unit: "m", scale: 1 },
		title: "Mean distance of the simulated agents from the recorded ones",
	},
	reference_distance: {
		...{ name: "To reference", unit: "m", scale: 1 },
		title: "Distance of the simulated ego vehicle from its recorded path",
	},
	yaw_error: {
		...{ name: "Yaw error", unit: "°", scale: DEGREES },
		title: "Difference of the simulated and the recorded heading",
	},
	speed_difference: {
		...{ name: "Speed", unit: "m/s", scale: 1 },
		title: "Simulated minus recorded speed of the ego vehicle",
	},
	time_to_collision: {
		...{ name: "To collision", unit: "s", scale: 1 },
		title: "Time to collision with road users ahead, as nuPlan defines it; up to 2.9 s",
	},
};
