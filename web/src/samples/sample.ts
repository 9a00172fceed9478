import "../base/dispose.js";
import type { ResultArrays } from "../arrays/result.js";
import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";
import type { ImageForm } from "./options.js";

/** One value of a sample or a batch, in C order; a scalar has shape (). */
export interface SampleArray<T extends TypedArray = TypedArray> {
	/** Values of all elements, row-major. */
	readonly data: T;
	/** Length of each axis. */
	readonly shape: readonly number[];
	/** NumPy's little-endian code, e.g. `<f4`, `|u1`. */
	readonly dtype: string;
}

/** Typed array of `image` by its form. */
export interface ImageTypes {
	/** Values from 0 to 1. */
	readonly f32: Float32Array;
	/** Bytes. */
	readonly u8: Uint8Array;
	/** Colours. */
	readonly rgba: Uint8Array;
}

/** Keys of both kinds of samples. */
interface CommonTypes {
	readonly agent_from_world: Float64Array;
	readonly world_from_agent: Float64Array;
	readonly target_positions: Float32Array;
	readonly target_yaws: Float32Array;
	readonly history_positions: Float32Array;
	readonly history_yaws: Float32Array;
	readonly history_extents: Float32Array;
	readonly centroid: Float64Array;
	readonly yaw: Float64Array;
	/** Of the ego vehicle a Float64Array, of an agent a Float32Array. */
	readonly extent: Float32Array | Float64Array;
	readonly scene_index: BigInt64Array;
	readonly host_id: Uint8Array;
	readonly timestamp: BigInt64Array;
	readonly track_id: BigInt64Array;
}

/** Keys of rasterized samples, apart from `image`. */
export interface RasterTypes extends CommonTypes {
	readonly frame_index: BigInt64Array;
	readonly target_velocities: Float32Array;
	readonly target_availabilities: Float32Array;
	readonly history_velocities: Float32Array;
	readonly history_availabilities: Float32Array;
	readonly future_extents: Float32Array;
	readonly world_to_image: Float64Array;
	readonly raster_from_agent: Float64Array;
	readonly raster_from_world: Float64Array;
	readonly curr_speed: Float32Array;
}

/** Keys of vectorized samples. Booleans are bytes of 0 and 1. */
export interface VectorTypes extends CommonTypes {
	readonly type: BigInt64Array;
	readonly speed: Float32Array;
	readonly target_extents: Float32Array;
	readonly target_availabilities: Uint8Array;
	readonly history_availabilities: Uint8Array;
	readonly all_other_agents_history_positions: Float32Array;
	readonly all_other_agents_history_yaws: Float32Array;
	readonly all_other_agents_history_extents: Float32Array;
	readonly all_other_agents_history_availability: Uint8Array;
	readonly all_other_agents_future_positions: Float32Array;
	readonly all_other_agents_future_yaws: Float32Array;
	readonly all_other_agents_future_extents: Float32Array;
	readonly all_other_agents_future_availability: Uint8Array;
	readonly all_other_agents_types: BigInt64Array;
	readonly all_other_agents_track_ids: BigInt64Array;
	readonly agent_trajectory_polyline: Float32Array;
	readonly agent_polyline_availability: Uint8Array;
	readonly other_agents_polyline: Float32Array;
	readonly other_agents_polyline_availability: Uint8Array;
	readonly lanes: Float32Array;
	readonly lanes_availabilities: Uint8Array;
	readonly lanes_mid: Float32Array;
	readonly lanes_mid_availabilities: Uint8Array;
	readonly crosswalks: Float32Array;
	readonly crosswalks_availabilities: Uint8Array;
}

/** Keys of rasterized samples whose images have the form `F`. */
export type RasterColumns<F extends ImageForm> = RasterTypes &
	(F extends keyof ImageTypes ? { readonly image: ImageTypes[F] } : unknown);

/** An array of each type of `T`, by key. */
export type SampleArrays<T> = {
	readonly [K in keyof T]: T[K] extends TypedArray ? SampleArray<T[K]> : never;
};

/** Keys of rasterized samples, with L5Kit's names. */
export type SampleKey = keyof RasterTypes | "image";

/**
 * A rasterized sample, or a batch whose arrays have a leading dimension. `F` is the form
 * of its image; without an image (`none`), `image` is undefined.
 */
export type Sample<F extends ImageForm = keyof ImageTypes> =
	SampleArrays<RasterTypes> & {
		/** (C, h, w), or (h, w, 4) of the form `rgba`. */
		readonly image: F extends keyof ImageTypes ? SampleArray<ImageTypes[F]> : undefined;
	} & Released;

/** A vectorized sample, or a batch whose arrays have a leading dimension. */
export type VectorizedSample = SampleArrays<VectorTypes> & Released;

/** A result whose memory can be recycled. */
export interface Released extends Disposable {
	/** Recycles the memory for later results; the arrays are empty afterwards. */
	release(): void;
}

/** A vectorized sample of `EgoAgentDatasetVectorized`. */
export type EgoAgentSample = VectorizedSample & {
	/** Track ids of the agents that the sample contains. */
	readonly all_valid_agents_track_ids: SampleArray<Float64Array>;
};

/** Converts a result to a sample, whose enumerable keys are L5Kit's. */
export function sampleOf(arrays: ResultArrays): Sample {
	const sample: Record<string, SampleArray> = {};
	for (const name of arrays.names) sample[name] = arrays.array(name);
	const value = (): void => arrays.release();
	Object.defineProperties(sample, { release: { value }, [Symbol.dispose]: { value } });
	return sample as unknown as Sample;
}

/** @deprecated Use `sample.release()`; removed in 0.4. */
export function release(sample: Disposable): void {
	(sample as Partial<Released>).release?.();
}

/** Converts a sample's `rgba` image to ImageData for a canvas. */
export function imageData({ image }: { readonly image: SampleArray }): ImageData {
	const [height, width, channels] = image.shape;
	const { data } = image;
	if (!(data instanceof Uint8Array) || channels !== 4 || !height || !width) {
		throw new BevError(
			"invalid_argument",
			`image: unexpected array (found ${image.dtype} (${image.shape}), expected rgba of one sample, |u1 (h, w, 4))`,
		);
	}
	return new ImageData(new Uint8ClampedArray(data), width, height);
}
