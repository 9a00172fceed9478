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
}

/** Options of the viewer, which reads no more than it shows, and tells which conditions of the filter hold in a row. */
export interface ClausedReadOptions extends FactsReadOptions {
	/** Conditions that each part is also filtered with. */
	readonly clauses?: readonly string[] | undefined;
	/** Columns that parts have. Default: all. */
	readonly columns?: readonly string[] | undefined;
}
