import type { Slice } from "../session/store.js";

/** The distributions' settings. Their code, with the results, is loaded on first use. */
export interface DistributionsSlice {
	/** Table, brushes and views as in links; see `Settings`. Empty: the usual ones. */
	readonly distributions: string;
}

export const DISTRIBUTIONS_SLICE: Slice<DistributionsSlice> = {
	empty: { distributions: "" },
	kept: ({ distributions }) => ({ distributions }),
};
