import type { MapState } from "../map/map-state.js";
import type { Slice } from "../session/store.js";
import type { AerialView } from "./aerial.js";

/** State of the aerial image. */
export interface AerialSlice {
	/** The aerial image; undefined unless it is present. */
	readonly aerial: AerialView | undefined;
	/** `unknown` until the layer is switched on. */
	readonly aerialState: MapState;
}

export const AERIAL_SLICE: Slice<AerialSlice> = {
	empty: { aerial: undefined, aerialState: "unknown" },
	kept: () => ({}),
};
