import "../base/dispose.js";
import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";
import { RaggedColumn } from "./ragged.js";
import { offsetsOf, type ResultArrays, stringsOf } from "./result.js";
import type { AnyFields, FieldDtypes } from "./schema.js";

/**
 * One field of consecutive records: row i starts at `data[i * stride]`; stride is the
 * product of `shape[1..]`.
 */
export interface Column<T extends TypedArray = TypedArray> {
	/** Values of all rows, row by row. */
	readonly data: T;
	/** Number of rows, followed by the shape of the field. */
	readonly shape: readonly number[];
	/**
	 * NumPy's little-endian code of the elements of `data`, e.g. `<f8`; `utf8` for text.
	 */
	readonly dtype: string;
}

/** Typed arrays by field name. */
export type FieldsOf<F> = { readonly [K in keyof F]: TypedArray };

/**
 * Rows of an array, one column per field. `F` has the type of each column; by default,
 * any name is allowed and columns have any type.
 */
export class Columns<F extends FieldsOf<F> = AnyFields> implements Disposable {
	/** Number of rows. */
	readonly length: number;
	/** Names of the fields. */
	readonly names: readonly string[];
	readonly #arrays: ResultArrays;

	/** @internal Throws `unsupported` if a column has another dtype than `dtypes` says. */
	constructor(arrays: ResultArrays, dtypes: FieldDtypes = {}) {
		this.#arrays = arrays;
		const names = arrays.names.filter((name) => !arrays.isOffsets(name));
		for (const name of names) checkDtype(name, arrays.array(name).dtype, dtypes[name]);
		const [first] = names;
		this.names = names;
		this.length = first === undefined ? 0 : this.#count(first);
	}

	#count(name: string): number {
		const { dtype, shape } = this.#arrays.array(name);
		const isRagged = dtype !== "utf8" && this.#arrays.hasOffsets(name);
		return isRagged ? offsetsOf(this.#arrays, name).length - 1 : (shape[0] ?? 0);
	}

	/** Returns a field's values; text as UTF-8 bytes, see `strings`. */
	column<K extends keyof F & string>(name: K): Column<F[K]> {
		if (!this.names.includes(name)) {
			throw new BevError(
				"not_found",
				`column ${name}: not read (found ${this.names.join(", ")})`,
			);
		}
		return this.#arrays.array(name) as Column<F[K]>;
	}

	/**
	 * Returns the byte offset at which each string of a text field begins, and the end of
	 * the last.
	 */
	offsets(name: keyof F & string): Uint32Array {
		this.#text(name);
		return offsetsOf(this.#arrays, name);
	}

	/** Returns the strings of a text field. */
	strings(name: keyof F & string): string[] {
		this.#text(name);
		return stringsOf(this.#arrays, name);
	}

	/**
	 * Returns a field of variable length: points, or bytes of images.
	 *
	 * @throws invalid_argument for other fields
	 */
	ragged<K extends keyof F & string>(name: K): RaggedColumn<F[K]> {
		const { data, shape, dtype } = this.column(name);
		if (dtype === "utf8" || !this.#arrays.hasOffsets(name)) {
			throw new BevError(
				"invalid_argument",
				`column ${name}: unexpected dtype (found ${dtype} of fixed shape, expected variable length)`,
			);
		}
		const width = shape.slice(1).reduce((product, length) => product * length, 1);
		const valid = this.#arrays.names.includes(`${name}.valid`)
			? this.#arrays.view(`${name}.valid`, Uint8Array)
			: undefined;
		return new RaggedColumn(data, offsetsOf(this.#arrays, name), width, valid);
	}

	/** Returns row `i` by field name: numbers, bigints, strings, or arrays of them. */
	record(i: number): Record<string, unknown> {
		if (!Number.isInteger(i) || i < 0 || i >= this.length) {
			throw new BevError(
				"out_of_range",
				`record ${i} is out of range (count ${this.length})`,
			);
		}
		return Object.fromEntries(this.names.map((name) => [name, this.#value(name, i)]));
	}

	/** Recycles the memory for later reads; the arrays are empty afterwards. */
	release(): void {
		this.#arrays.release();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}

	#text(name: keyof F & string): void {
		const { dtype } = this.column(name);
		if (dtype === "utf8") return;
		throw new BevError(
			"invalid_argument",
			`column ${name}: unexpected dtype (found ${dtype}, expected text)`,
		);
	}

	/** Returns a string, or the strings of a row if the field has further axes. */
	#texts(name: string, i: number): string | string[] {
		if (this.#arrays.array(name).shape.length === 1) return this.#arrays.text(name, i);
		const width = (offsetsOf(this.#arrays, name).length - 1) / this.length;
		return Array.from({ length: width }, (_, k) =>
			this.#arrays.text(name, i * width + k),
		);
	}

	#value(name: string, i: number): unknown {
		const { data, shape, dtype } = this.#arrays.array(name);
		if (dtype === "utf8") return this.#texts(name, i);
		if (this.#arrays.hasOffsets(name)) {
			const row = this.ragged(name as keyof F & string).at(i);
			return row && Array.from<unknown>(row);
		}
		const width = data.length / this.length; // 2 for a complex scalar
		if (shape.length === 1 && width === 1) return data[i];
		return Array.from<unknown>(data.subarray(i * width, (i + 1) * width));
	}
}

function checkDtype(name: string, found: string, expected: string | undefined): void {
	if (expected === undefined || found === expected) return;
	throw new BevError(
		"unsupported",
		`column ${name}: unexpected dtype (found ${found}, expected ${expected}); dataset.array() reads any`,
	);
}

/** Rows [begin, end) of the next array. */
export interface RowSlice {
	/** First row. */
	readonly begin: number;
	/** Row after the last one. */
	readonly end: number;
}

/** Rows with the intervals `K`. */
interface WithIntervals<K extends string> {
	column(name: K): Column;
}

/**
 * L5Kit's `get_frames_slice_from_scenes`: frames from the first given scene to the
 * last.
 */
export function framesSliceFromScenes(
	scenes: WithIntervals<"frame_index_interval">,
): RowSlice {
	return span(scenes.column("frame_index_interval"));
}

/** L5Kit's `get_agents_slice_from_frames`. */
export function agentsSliceFromFrames(
	frames: WithIntervals<"agent_index_interval">,
): RowSlice {
	return span(frames.column("agent_index_interval"));
}

/** L5Kit's `get_tl_faces_slice_from_frames`. */
export function facesSliceFromFrames(
	frames: WithIntervals<"traffic_light_faces_index_interval">,
): RowSlice {
	return span(frames.column("traffic_light_faces_index_interval"));
}

function span({ data }: Column): RowSlice {
	return { begin: Number(data.at(0) ?? 0), end: Number(data.at(-1) ?? 0) };
}
