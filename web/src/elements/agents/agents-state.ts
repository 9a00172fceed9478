import type { Slice } from "../session/store.js";
import { type Minima, NO_MINIMA } from "./track-lengths.js";

/** Which agents are displayed, and which match the search. */
export interface AgentsSlice extends Minima {
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	readonly threshold: number;
	/** Maximum distance to the ego in metres of displayed agents; Infinity for all. */
	readonly distance: number;
	/** Whether `trackLengths` are being read. */
	readonly trackLengthsDue: boolean;
	/** Search query: agents that do not match are dimmed, and hidden in the table. */
	readonly query: string;
}

export const AGENTS_SLICE: Slice<AgentsSlice> = {
	empty: {
		threshold: 0.5,
		distance: Number.POSITIVE_INFINITY,
		...NO_MINIMA,
		trackLengthsDue: false,
		query: "",
	},
	kept: ({ threshold, distance, minHistory, minFuture }) => ({
		threshold,
		distance,
		minHistory,
		minFuture,
	}),
};
