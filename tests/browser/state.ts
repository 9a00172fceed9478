import type { Page } from "playwright-core";

/** What the viewer shows to a person. */
export interface State {
	readonly name: string;
	/** Keys of the link after `src`; undefined if no data set is open. */
	readonly link?: string;
	/** Tab of the right panel, which is a sheet in narrow windows. */
	readonly tab?:
		| "agents"
		| "selected"
		| "raster"
		| "predictions"
		| "distributions"
		| "plots"
		| "notes"
		| "edits";
	/** Objects that the server has besides, by path. */
	readonly objects?: () => Promise<ReadonlyMap<string, Uint8Array>>;
	/** Brings the page into the state, once the data set is open. */
	readonly enter?: (page: Page) => Promise<void>;
	/** Text that is visible then. */
	readonly shows?: string | RegExp;
}
