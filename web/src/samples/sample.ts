import "../dispose.js";
import { BevError } from "../errors.js";
import type { ResultArray, ResultArrays } from "../result.js";

/** One value of a sample or a batch, in C order; a scalar has shape (). */
export interface SampleArray {
	/** Values of all elements, row-major. */
	readonly data: ResultArray["data"];
	/** Length of each axis. */
	readonly shape: readonly number[];
	/** NumPy's little-endian code, e.g. `<f4`, `|u1`. */
	readonly dtype: string;
}

/** Keys of rasterized samples, with L5Kit's names and in its order. */
export type SampleKey =
	| "frame_index"
	| "image"
	| "target_positions"
	| "target_yaws"
	| "target_velocities"
	| "target_availabilities"
	| "history_positions"
	| "history_yaws"
	| "history_velocities"
	| "history_availabilities"
	| "history_extents"
	| "future_extents"
	| "world_to_image"
	| "raster_from_agent"
	| "raster_from_world"
	| "agent_from_world"
	| "world_from_agent"
	| "centroid"
	| "yaw"
	| "extent"
	| "curr_speed"
	| "scene_index"
	| "host_id"
	| "timestamp"
	| "track_id";

/**
 * A sample, or a batch whose arrays have a leading dimension. Other keys, such as
 * `type` and `lanes` of vectorized samples, are accessible by name.
 */
export type Sample = {
	readonly [key in SampleKey]: SampleArray;
} & {
	readonly [key: string]: SampleArray;
} & Disposable;

const results = new WeakMap<object, ResultArrays>();

/** Converts a result to a sample, whose enumerable keys are L5Kit's. */
export function sampleOf(arrays: ResultArrays): Sample {
	const sample: Record<string, SampleArray> = {};
	for (const name of arrays.names) sample[name] = arrays.array(name);
	Object.defineProperty(sample, Symbol.dispose, {
		value: () => arrays.release(),
		enumerable: false,
	});
	results.set(sample, arrays);
	return sample as Sample;
}

/** Recycles a sample's memory for later ones; its arrays are empty afterwards. */
export function release(sample: Sample): void {
	results.get(sample)?.release();
}

/** Converts a sample's `rgba` image to ImageData for a canvas. */
export function imageData({ image }: Pick<Sample, "image">): ImageData {
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
