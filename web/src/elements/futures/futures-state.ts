import type {
	FuturesCurves,
	ModelCard,
	SceneFutures,
} from "../../reviewing/remote-futures.js";
import type { PicturePart } from "../scene-view/picture-part.js";
import type { ScoreSource } from "./score-source.js";

/** Colours of two submissions. */
export const SET_COLOURS = ["#c026d3", "#0891b2"] as const;

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
	/** How far ahead measures go; undefined: to the end. */
	readonly seconds: FuturesHorizon | undefined;
	/** Whether each submission has a picture of its own. */
	readonly split: boolean;
}

/** Horizons of measures, in seconds. */
export const HORIZONS = [1, 3, 5, 8] as const;
export type FuturesHorizon = (typeof HORIZONS)[number];

/** A future to show once a scene's futures are measured. */
export interface FuturesPick {
	/** Index among what is ranked. */
	readonly of: number;
	/** Undefined: the chosen one. */
	readonly measure: FuturesMeasure | undefined;
	/** Its number; undefined: `which` by the measure. */
	readonly rollout: number | undefined;
	readonly which: "worst" | "best";
}

/** An open submission. */
export interface FuturesSet {
	/** Its key among what can be ranked. */
	readonly key: string;
	readonly name: string;
	/** Its files in links: addresses, or `localEntry`. */
	readonly entries: readonly string[];
	/** Undefined while the files are indexed. */
	readonly about:
		| { readonly kind: string; readonly card: ModelCard; readonly scenarios: number }
		| undefined;
	/** Share of the bytes that are indexed. */
	readonly progress: number;
	/** The futures of the displayed scene; null: the submission lacks it. */
	readonly here: SceneFutures | null | undefined;
	/** Distances over time of the displayed scene, once they are measured. */
	readonly curves: FuturesCurves | undefined;
	/** Why reading failed. */
	readonly problem: string | undefined;
}

/** The open submissions. */
export interface FuturesState {
	readonly sets: readonly FuturesSet[];
	readonly view: FuturesView;
	/** What can be ranked: the submissions, and files of scores. */
	readonly sources: readonly ScoreSource[];
	/** What is ranked of it: A, or A and B. */
	readonly scored: readonly ScoreSource[];
	/** The files of scores. */
	readonly files: readonly ScoreSource[];
	/** What is open without a problem, as in links. */
	readonly open: readonly string[];
	/** All submissions and files of scores in links, also awaited ones. */
	readonly address: string | undefined;
	/** Names of those that links have no address of. */
	readonly local: readonly string[];
	/** The notice that asks for the local files of a link. */
	readonly asked: string | undefined;
	/** The view in links, and A and B. */
	readonly link: string | undefined;
	/** A and B in links; undefined if they are the usual ones. */
	readonly compared: string | undefined;
	/** Submissions with a picture of their own. */
	readonly parts: readonly PicturePart[];
	/** Shows the next future (1) or the one before (-1) in the list. */
	readonly step: (direction: -1 | 1) => void;
}
