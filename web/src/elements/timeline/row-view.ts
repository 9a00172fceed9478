import type { Series } from "./axis.js";

/** A line of a row. */
export interface RowLine {
	/** Its style; see trackStyle. */
	readonly style: number;
	/** Whose values they are: `ego`, `selected` or a track's number. */
	readonly whose: string;
	/** In the displayed unit; undefined while being read. */
	readonly values: Series | undefined;
}

/** A mark of a row, at the frame where a fact happens. */
export interface RowMark {
	readonly frame: number;
	/** The fact's value. */
	readonly text: string;
}

/** What a row shows. */
export interface RowView {
	readonly name: string;
	readonly unit: string;
	readonly digits: number;
	readonly lines: readonly RowLine[];
	readonly marks: readonly RowMark[];
	/** Minimum length of the axis, in the displayed unit. */
	readonly least: number;
	readonly fromZero: boolean;
	/** Why there are no values; empty if there are or they are being read. */
	readonly problem: string;
}
