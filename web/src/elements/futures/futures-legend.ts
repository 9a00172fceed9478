import type { SceneFutures } from "../../reviewing/remote-futures.js";
import { COLLIDING, LEAVING, TIME_COLOURS } from "./futures-drawing.js";
import { type FuturesView, SET_COLOURS } from "./futures-state.js";
import { shownFuture } from "./futures-view.js";

/** A colour of the picture, and its meaning. */
export interface FuturesKey {
	readonly name: string;
	readonly colour: string;
}

/** A drawn submission. */
interface Named {
	readonly name: string;
	readonly index: number;
	/** Needed where a future is shown beside one of another submission. */
	readonly here?: SceneFutures | null | undefined;
}

/** Returns what the colours of drawn submissions mean. */
export function futuresLegend(
	sets: readonly Named[],
	view: FuturesView,
): readonly FuturesKey[] {
	const { colour } = view;
	const drawn = sets.flatMap(({ here, index }) =>
		here ? [{ futures: here, index }] : [],
	);
	const named = sets.flatMap(({ name, index }) => {
		const future = shownFuture(drawn, index, view);
		if (future === null) return [];
		return [
			{
				name: future === undefined ? name : `${name}, future ${future}`,
				colour: SET_COLOURS[index] ?? SET_COLOURS[0],
			},
		];
	});
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
