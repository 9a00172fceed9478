import type { SampleArray } from "../../samples/sample.js";
import type { Problem } from "../session/problem.js";
import type { Slice } from "../session/store.js";
import type { NamedConfig, RasterAt, RasterChoice } from "./rasters.js";

/** A displayed raster. */
export interface RasterPicture extends RasterAt {
	readonly channel: number | undefined;
	readonly pixels: ImageData;
	/** (3, 3), row-major: world metres to pixels. */
	readonly fromWorld: Float64Array;
	/** The sample's arrays by name, except the image. */
	readonly arrays: Readonly<Record<string, SampleArray>>;
}

/** State of the raster panel. */
export interface RasterState {
	/** `idle`: not watched, or the data set cannot be sampled. */
	readonly phase: "idle" | "opening" | "ready" | "failed";
	/** Undefined until the available configs are known. */
	readonly choice: RasterChoice | undefined;
	/** The config beside the data. */
	readonly found: NamedConfig | undefined;
	readonly channels: readonly string[];
	/** The single channel that is displayed. */
	readonly channel: number | undefined;
	/** Whether the raster's outline is drawn in the picture. */
	readonly footprint: boolean;
	/** Undefined if the frame does not contain the selected agent. */
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

export interface RasterSlice {
	/** State of the raster panel. */
	readonly raster: RasterState;
}

export const RASTER_SLICE: Slice<RasterSlice> = {
	empty: { raster: NO_RASTER },
	// The controller clears what belongs to the previous data set.
	kept: ({ raster }) => ({ raster }),
};
