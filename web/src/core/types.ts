/**
 * A byte range that a query needs. If `begin` is -1: the whole object, or only its last
 * `tail` bytes if `tail` is not 0.
 */
export interface CoreRequest {
	readonly key: string;
	readonly begin: number;
	readonly end: number;
	/** False for keys that may be absent. */
	readonly required: boolean;
	readonly tail: number;
}

/** Values of an array in a result. */
export type TypedArray =
	| Int8Array
	| Uint8Array
	| Int16Array
	| Uint16Array
	| Int32Array
	| Uint32Array
	| Float32Array
	| Float64Array
	| BigInt64Array
	| BigUint64Array;

/**
 * One array of a result. `data` is a view of WebAssembly memory, valid until the next
 * call.
 */
export interface CoreArray {
	readonly name: string;
	/** NumPy's little-endian code, e.g. `<f8`; `utf8` for text. */
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly data: TypedArray;
}

/** The number of an object in the core. */
export type Handle<Name extends string> = number & { readonly of?: Name };

/** An outcome's arrays by name, and its numbers: arrays without axes. */
export type Arrays = Readonly<Record<string, TypedArray | number>>;
