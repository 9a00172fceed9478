import type { ModelCard, SceneFutures } from "../../reviewing/remote-futures.js";

/** What lines are coloured by. */
export type FuturesColour = "time" | "outcome";

/** The measure that orders futures. */
export type FuturesMeasure = "ade" | "fde" | "colliding" | "leaving";

/** How futures are listed: by number, or by the measure. */
export type FuturesOrder = "number" | "worst" | "best";

/** What is shown of the futures. */
export interface FuturesView {
	/** The future that is shown alone; undefined: all of them. */
	readonly rollout: number | undefined;
	readonly colour: FuturesColour;
	readonly measure: FuturesMeasure;
	readonly order: FuturesOrder;
	/** Which submission `rollout` and the list are of. */
	readonly active: number;
}

/** An open submission. */
export interface FuturesSet {
	readonly name: string;
	/** Address in links. */
	readonly address: string | undefined;
	/** Undefined while the files are indexed. */
	readonly about:
		| { readonly kind: string; readonly card: ModelCard; readonly scenarios: number }
		| undefined;
	/** Share of the bytes that are indexed. */
	readonly progress: number;
	/** The futures of the displayed scene; null: the submission lacks it. */
	readonly here: SceneFutures | null | undefined;
	/** Why reading failed. */
	readonly problem: string | undefined;
}

/** The open submissions. */
export interface FuturesState {
	readonly sets: readonly FuturesSet[];
	readonly view: FuturesView;
	/** Addresses of all sets in links; undefined if one has none. */
	readonly address: string | undefined;
	/** The view in links. */
	readonly link: string | undefined;
	/** Shows the next future (1) or the one before (-1) in the list. */
	readonly step: (direction: -1 | 1) => void;
}
