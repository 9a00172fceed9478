import type { AbortOptions } from "../api.js";
import type { MapView } from "../dataset/map-view.js";
import type { Progress } from "../worker/protocol.js";
import type { FactTableName } from "./fact-table.js";

/** Options of facts. */
export interface FactsOptions {
	/** Default `scenes`. */
	readonly table?: FactTableName | undefined;
	/** Filter in the language of readers, e.g. `turn == 'left' and min_ttc < 2`. */
	readonly where?: string | undefined;
	/**
	 * Map for the light at the stop line, read with `dataset.map`; without it, the light
	 * is `unknown`.
	 */
	readonly map?: MapView | undefined;
}

/** Options of reading facts. */
export interface FactsReadOptions extends AbortOptions {
	/** Called after each scene, with the number of examined scenes. */
	onProgress?: ((progress: Progress) => void) | undefined;
	/**
	 * Called if facts that `bevscope index` wrote beside the data set are not used, or not
	 * those of all scenes, with the reason.
	 */
	onNotice?: ((notice: string) => void) | undefined;
	/**
	 * Allows facts beside the data set to be used before they are compared with it, which
	 * takes a request per object. Called with `pending` if they are; after the search they
	 * are compared, a few requests at a time, and `same` or `changed` follows. After
	 * `changed`, search again: facts of what has changed are then computed. Without it,
	 * facts are compared first.
	 */
	onCheck?: ((state: FactsCheck) => void) | undefined;
}

/** Whether facts beside the data set were compared with it, and with which result. */
export type FactsCheck = "pending" | "same" | "changed";

/** Options of the viewer, which reads no more than it shows, and tells which conditions of the filter hold in a row. */
export interface ClausedReadOptions extends FactsReadOptions {
	/** Conditions that each part is also filtered with. */
	readonly clauses?: readonly string[] | undefined;
	/** Columns that parts have. Default: all. */
	readonly columns?: readonly string[] | undefined;
}
