import type { SampleArray } from "../samples/sample.js";
import type { Problem } from "./pure/problem.js";
import type { NamedConfig, RasterAt, RasterChoice } from "./rasters.js";

/** An image as it is on show. */
export interface RasterPicture extends RasterAt {
	readonly channel: number | undefined;
	readonly pixels: ImageData;
	/** (3, 3), rows first: pixels from metres of world. */
	readonly fromWorld: Float64Array;
	/** The arrays of the sample by name, all but the image. */
	readonly arrays: Readonly<Record<string, SampleArray>>;
}

/** What is known of the images that a model sees. */
export interface RasterState {
	/** `idle`: nobody looks, or the data cannot be sampled. */
	readonly phase: "idle" | "opening" | "ready" | "failed";
	/** Undefined until it is found out what there is. */
	readonly choice: RasterChoice | undefined;
	/** The config beside the data. */
	readonly found: NamedConfig | undefined;
	readonly channels: readonly string[];
	/** On show alone. */
	readonly channel: number | undefined;
	/** Whether its edge is drawn in the picture. */
	readonly footprint: boolean;
	/** Undefined where whose view it would be is not in the frame. */
	readonly picture: RasterPicture | undefined;
	readonly problem: Problem | undefined;
}

export const NO_RASTER: RasterState = {
	phase: "idle",
	choice: undefined,
	found: undefined,
	channels: [],
	channel: undefined,
	footprint: false,
	picture: undefined,
	problem: undefined,
};
