import type { Slice } from "../session/store.js";

/** Tables that can be searched: of facts, and of the data set. */
export const FIND_TABLES = ["scenes", "tracks", "agents", "frames"] as const;

export type FindTable = (typeof FIND_TABLES)[number];

/** Whether a table consists of facts. */
export function isOfFacts(table: FindTable): table is "scenes" | "tracks" {
	return table === "scenes" || table === "tracks";
}

/** A filter over a table. */
export interface FindFilter {
	readonly table: FindTable;
	readonly where: string;
	/** Name that the filter was saved with. */
	readonly name?: string | undefined;
}

export interface FindSlice {
	/** The filter last searched for, or given by a link; empty text for none. */
	readonly find: FindFilter;
}

export const FIND_SLICE: Slice<FindSlice> = {
	empty: { find: { table: "agents", where: "" } },
	kept: () => ({}),
};
