import "../dispose.js";
import { BevError } from "../errors.js";
import type { ResultArray, ResultArrays } from "../result.js";

/** One value of a sample, or of a batch of them: in C order; shape () is a scalar. */
export interface SampleArray {
	readonly data: ResultArray["data"];
	readonly shape: readonly number[];
	/** NumPy's little-endian code, e.g. `<f4`, `|u1`. */
	readonly dtype: string;
}

/** What samples of a rasterized data set hold, with L5Kit's names, in its order. */
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
 * A sample, or a batch of them where every array has one dimension more in front. What a
 * data set has besides L5Kit's rasterized keys (`type`, `lanes` ... of vectorized ones) is
 * found by name all the same.
 */
export type Sample = {
	readonly [key in SampleKey]: SampleArray;
} & {
	readonly [key: string]: SampleArray;
} & Disposable;

const results = new WeakMap<object, ResultArrays>();

/** The arrays of a result as a sample, whose enumerable keys are L5Kit's. */
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

/** Gives a sample's memory back for a later one; its arrays are empty afterwards. */
export function release(sample: Sample): void {
	results.get(sample)?.release();
}

/** A sample's `image` of the form `rgba` as what a canvas draws. */
export function imageData({ image }: Pick<Sample, "image">): ImageData {
	const [height, width, channels] = image.shape;
	const { data } = image;
	if (!(data instanceof Uint8Array) || channels !== 4 || !height || !width) {
		throw new BevError(
			"invalid_argument",
			`image: ${image.dtype} (${image.shape}), expected rgba of one sample, |u1 (h, w, 4)`,
		);
	}
	return new ImageData(new Uint8ClampedArray(data), width, height);
}
