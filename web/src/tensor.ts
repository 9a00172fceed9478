/**
 * Entry `bevscope/tensor`: columns of batches as inputs of ONNX Runtime Web and
 * TensorFlow.js. Depends on neither.
 *
 * ```ts
 * const { type, data, dims } = onnxTensor(batch.column("centroid"));
 * const input = new ort.Tensor(type, data, dims);
 * const points = tf.tensor(...tfTensor(batch.column("centroid")));
 * ```
 */

import { BevError } from "./base/errors.js";
import type { TypedArray } from "./core/types.js";

/** A column of a batch, or an array of a sample. */
export interface TensorSource {
	/** Values, row by row. */
	readonly data: TypedArray;
	/** Length along each axis. */
	readonly shape: readonly number[];
	/** NumPy's code of the elements, e.g. `<f8`. */
	readonly dtype: string;
}

/** Element types of ONNX Runtime Web. */
export type OnnxType =
	| "float32"
	| "float64"
	| "int8"
	| "uint8"
	| "int16"
	| "uint16"
	| "int32"
	| "uint32"
	| "int64"
	| "uint64"
	| "bool";

/** The arguments of `new ort.Tensor`. */
export interface OnnxTensor {
	/** Element type. */
	readonly type: OnnxType;
	/** The values, not copied. */
	readonly data: TypedArray;
	/** Length along each axis. */
	readonly dims: readonly number[];
}

/** Element types of TensorFlow.js. */
export type TfType = "float32" | "int32" | "bool";

/** The arguments of `tf.tensor`. */
export type TfTensor = readonly [
	data: Float32Array | Int32Array | Uint8Array,
	shape: number[],
	dtype: TfType,
];

const ONNX: Readonly<Record<string, OnnxType>> = {
	f4: "float32",
	f8: "float64",
	i1: "int8",
	u1: "uint8",
	i2: "int16",
	u2: "uint16",
	i4: "int32",
	u4: "uint32",
	i8: "int64",
	u8: "uint64",
	b1: "bool",
};

/**
 * Returns a column as `type`, `data` and `dims` of an ONNX tensor, without copying: the
 * tensor is valid until the batch is released.
 *
 * Throws `unsupported` for text, times and complex numbers.
 */
export function onnxTensor({ data, shape, dtype }: TensorSource): OnnxTensor {
	const type = ONNX[dtype.slice(1)];
	if (type === undefined || data.length !== sizeOf(shape)) throw unsupported(dtype);
	return { type, data, dims: [...shape] };
}

/**
 * Returns a column as arguments of `tf.tensor`. TensorFlow.js has 32-bit numbers and
 * booleans: integers are copied to int32, 64-bit floats are rounded to float32, other
 * values are not copied.
 *
 * Throws `unsupported` for text, times and complex numbers, and `out_of_range` for an
 * integer that int32 cannot represent.
 */
export function tfTensor({ data, shape, dtype }: TensorSource): TfTensor {
	const type = ONNX[dtype.slice(1)];
	if (type === undefined || data.length !== sizeOf(shape)) throw unsupported(dtype);
	const dims = [...shape];
	if (type === "bool" && data instanceof Uint8Array) return [data, dims, "bool"];
	if (data instanceof Float32Array) return [data, dims, "float32"];
	if (data instanceof Float64Array) return [Float32Array.from(data), dims, "float32"];
	if (data instanceof Int32Array) return [data, dims, "int32"];
	return [integers(data), dims, "int32"];
}

function integers(data: TypedArray): Int32Array {
	const out = new Int32Array(data.length);
	for (let i = 0; i < data.length; i += 1) {
		const value = data[i] ?? 0;
		out[i] = Number(value);
		// As text, so that bigints beyond 2^53 are not rounded to an equal number.
		if (String(out[i]) !== String(value)) {
			throw new BevError(
				"out_of_range",
				`tensor: value ${value} is out of range (expected an int32)`,
			);
		}
	}
	return out;
}

function sizeOf(shape: readonly number[]): number {
	return shape.reduce((product, side) => product * side, 1);
}

function unsupported(dtype: string): BevError {
	return new BevError(
		"unsupported",
		`tensor: unsupported dtype (found ${dtype}, expected numbers or booleans)`,
	);
}
