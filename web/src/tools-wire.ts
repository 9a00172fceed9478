import type { CoreArray, CoreView } from "./core.js";
import type { CoreEvaluationTable } from "./core-tools.js";
import { BevError, toBevError } from "./errors.js";

export type AnyFunction = (...args: unknown[]) => unknown;

/** `call`, whose errors are BevErrors. */
export function guard(call: AnyFunction): AnyFunction {
	return (...args) => {
		try {
			return call(...args);
		} catch (error) {
			throw toBevError(error);
		}
	};
}

/** The bytes of an array, uncopied. */
export function bytesOf({
	buffer,
	byteOffset,
	byteLength,
}: ArrayBufferView): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The array of that name, checked to be of the class the caller relies on. */
export function pick<T extends CoreView>(
	arrays: readonly CoreArray[],
	name: string,
	View: new () => T,
): T {
	const data = arrays.find((array) => array.name === name)?.data;
	if (data instanceof View) return data;
	throw new BevError("internal", `tools: no ${name}`);
}

/** Records of evaluation: 64-bit integers, one a record, and metres. */
export interface EvaluationRecords {
	readonly timestamps: BigInt64Array;
	readonly track_ids: BigInt64Array;
	readonly coords: Float64Array;
}

/** The same as the module takes them. */
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
