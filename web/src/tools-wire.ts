import type { CoreArray, CoreView } from "./core.js";
import type { CoreEvaluationTable } from "./core-tools.js";
import { BevError, toBevError } from "./errors.js";

export type AnyFunction = (...args: unknown[]) => unknown;

/** Wraps `call` so that it throws BevErrors only. */
export function guard(call: AnyFunction): AnyFunction {
	return (...args) => {
		try {
			return call(...args);
		} catch (error) {
			throw toBevError(error);
		}
	};
}

/** Returns an array's bytes, without copying. */
export function bytesOf({
	buffer,
	byteOffset,
	byteLength,
}: ArrayBufferView): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the data of array `name`. Throws `internal` if it is not of class `View`. */
export function pick<T extends CoreView>(
	arrays: readonly CoreArray[],
	name: string,
	View: new () => T,
): T {
	const data = arrays.find((array) => array.name === name)?.data;
	if (data instanceof View) return data;
	throw new BevError("internal", `tools: function ${name} not found`);
}

/**
 * Evaluation records: one 64-bit timestamp and track id per record; `coords` in metres.
 */
export interface EvaluationRecords {
	readonly timestamps: BigInt64Array;
	readonly track_ids: BigInt64Array;
	readonly coords: Float64Array;
}

/** Returns the records in the module's layout. */
export function tableOf(
	records: EvaluationRecords,
	weights: Float64Array,
): CoreEvaluationTable {
	return {
		timestamps: bytesOf(records.timestamps),
		track_ids: bytesOf(records.track_ids),
		weights,
		coords: records.coords,
	};
}
