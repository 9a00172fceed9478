import { COLLIDING, LEAVING, SET_COLOURS, TIME_COLOURS } from "./futures-drawing.js";
import type { FuturesView } from "./futures-state.js";

/** A colour of the picture, and its meaning. */
export interface FuturesKey {
	readonly name: string;
	readonly colour: string;
}

/** A drawn submission. */
interface Named {
	readonly name: string;
	readonly index: number;
}

/** Returns what the colours of drawn submissions mean. */
export function futuresLegend(
	sets: readonly Named[],
	{ rollout, active, colour }: FuturesView,
): readonly FuturesKey[] {
	const shown =
		rollout === undefined ? sets : sets.filter(({ index }) => index === active);
	const named = shown.map(({ name, index }) => ({
		name: rollout === undefined ? name : `${name}, future ${rollout}`,
		colour: SET_COLOURS[index] ?? SET_COLOURS[0],
	}));
	const [first] = named;
	if (colour === "time" && sets.length === 1 && first)
		return [
			{ name: `${first.name}: first step`, colour: TIME_COLOURS[0] },
			{ name: "last step", colour: TIME_COLOURS[TIME_COLOURS.length - 1] ?? "" },
		];
	if (colour === "time" || named.length === 0) return named;
	return [
		...named,
		{ name: "collides", colour: COLLIDING },
		{ name: "leaves the lanes", colour: LEAVING },
	];
}
