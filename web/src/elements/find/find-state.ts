import type { Slice } from "../session/store.js";

export type FindTable = "agents" | "frames";

/** A filter over a table of the data set. */
export interface FindFilter {
	readonly table: FindTable;
	readonly where: string;
}

export interface FindSlice {
	/** The filter last searched for, or given by a link; empty text for none. */
	readonly find: FindFilter;
}

export const FIND_SLICE: Slice<FindSlice> = {
	empty: { find: { table: "agents", where: "" } },
	kept: () => ({}),
};
