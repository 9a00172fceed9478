import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";

const VIEWS = {
	Int8Array,
	Uint8Array,
	Int16Array,
	Uint16Array,
	Int32Array,
	Uint32Array,
	Float32Array,
	Float64Array,
	BigInt64Array,
	BigUint64Array,
} as const;

export type ViewName = keyof typeof VIEWS;

/** One array of a packed result. */
export interface PackedArray {
	readonly name: string;
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly view: ViewName;
	readonly byteOffset: number;
	/** Number of elements. */
	readonly length: number;
}

/** Returns the length of a packed array's data in bytes. */
export function byteLengthOf({ view, length }: PackedArray): number {
	return VIEWS[view].BYTES_PER_ELEMENT * length;
}

/** All arrays of a result in one buffer, so that a single transfer moves them. */
export interface PackedResult {
	readonly arrays: readonly PackedArray[];
	readonly buffer: ArrayBuffer;
}

export interface ResultArray {
	readonly data: TypedArray;
	readonly shape: readonly number[];
	readonly dtype: string;
}

const OFFSETS = ".offsets";
const utf8 = new TextDecoder();

/** A packed result's arrays by name. */
export class ResultArrays {
	readonly names: readonly string[];
	readonly #arrays = new Map<string, ResultArray>();
	#buffer: ArrayBuffer | undefined;
	readonly #recycle: (buffer: ArrayBuffer) => void;

	constructor(packed: PackedResult, recycle: (buffer: ArrayBuffer) => void) {
		this.names = packed.arrays.map((array) => array.name);
		this.#buffer = packed.buffer;
		this.#recycle = recycle;
		for (const { name, dtype, shape, view, byteOffset, length } of packed.arrays) {
			const data = new VIEWS[view](packed.buffer, byteOffset, length);
			this.#arrays.set(name, { data, shape, dtype });
		}
	}

	array(name: string): ResultArray {
		const found = this.#arrays.get(name);
		if (!found) throw new BevError("internal", `result: array ${name} not found`);
		return found;
	}

	/** Returns an array's data. Throws `internal` if it is not of class `View`. */
	view<T extends TypedArray>(
		name: string,
		View: { new (): T; readonly name: string },
	): T {
		const { data } = this.array(name);
		if (data instanceof View) return data;
		throw new BevError(
			"internal",
			`result: unexpected type of ${name} (found ${data.constructor.name}, expected ${View.name})`,
		);
	}

	/** Whether `name` is the offsets array of a column of text, or of variable length. */
	isOffsets(name: string): boolean {
		const isList = this.#arrays.get(name)?.data instanceof Uint32Array;
		return (
			isList &&
			name.endsWith(OFFSETS) &&
			this.#arrays.has(name.slice(0, -OFFSETS.length))
		);
	}

	/** Whether a column has an array of offsets. */
	hasOffsets(name: string): boolean {
		return this.#arrays.has(name + OFFSETS);
	}

	/** Returns string `i` of a text column. */
	text(name: string, i: number): string {
		const bytes = this.view(name, Uint8Array);
		const offsets = offsetsOf(this, name);
		return utf8.decode(bytes.subarray(offsets[i], offsets[i + 1]));
	}

	/** Recycles the buffer; if that transfers it, the arrays are empty afterwards. */
	release(): void {
		const buffer = this.#buffer;
		this.#buffer = undefined;
		if (buffer) this.#recycle(buffer);
	}
}

/**
 * Returns the byte offset at which each string of a text column begins, and the end of
 * the last.
 */
export function offsetsOf(arrays: ResultArrays, name: string): Uint32Array {
	return arrays.view(name + OFFSETS, Uint32Array);
}

/** Returns all strings of a text column. */
export function stringsOf(arrays: ResultArrays, name: string): string[] {
	const count = offsetsOf(arrays, name).length - 1;
	return Array.from({ length: count }, (_, i) => arrays.text(name, i));
}
