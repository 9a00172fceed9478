import type { Slice } from "../session/store.js";
import type { SensorsView } from "./sensors-view.js";

/** State of the images and points of the frame. */
export interface SensorsSlice {
	/** Address of a data set with images and points; empty for those of the store. */
	readonly sensors: string;
	/** Shown and enlarged cameras as in a link; see camera-choice.ts. */
	readonly cameras: string;
	/** What the data has for the frame; undefined if it has no images and points. */
	readonly sensed: SensorsView | undefined;
}

export const SENSORS_SLICE: Slice<SensorsSlice> = {
	empty: { sensors: "", cameras: "*", sensed: undefined },
	kept: () => ({}),
};
