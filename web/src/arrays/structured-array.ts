import type {
	AbortOptions,
	ArrayDescription,
	AxisSelection,
	RowsOptions,
	SelectOptions,
	ZarrDtype,
} from "../api.js";
import { asNumbers, check, checkOptions, type Kinds } from "../base/arguments.js";
import type { Given } from "../core/core.js";
import type { Engines } from "../dataset/engines.js";
import { arraysOf, askArrays, type Client } from "../worker/client.js";
import { arraysBy, type Query } from "../worker/protocol.js";
import { Columns, type FieldsOf } from "./columns.js";
import { NdArray } from "./nd-array.js";
import type { AnyFields, FieldDtypes } from "./schema.js";

/** Packed records, as stored. */
export interface Records {
	/** Number of rows. */
	readonly length: number;
	/** Size of one record in bytes. */
	readonly recordSize: number;
	/** The rows, one after the other. */
	readonly bytes: Uint8Array;
}

/** What reads an array. */
export interface ArrayReading {
	readonly client: Client;
	readonly engines: Pick<Engines, "ask">;
	/** Expected dtypes of the fields. Default: any. */
	readonly dtypes?: FieldDtypes | undefined;
}

/**
 * One array of a data set. Reads are lazy: only chunks with requested rows are read.
 * Sequential reads that cover at least half a chunk trigger read-ahead of up to eight
 * chunks.
 *
 * `F` has the type of each field: of the arrays of a `ChunkedDataset`, those of L5Kit's
 * format. If another dtype is stored, reading fails with `unsupported`. An array from
 * `dataset.array()` has any fields and types.
 */
export class StructuredArray<F extends FieldsOf<F> = AnyFields> {
	/** Path of the array in the data set. */
	readonly name: string;
	/** Number of rows; 1 for an array without axes. */
	readonly length: number;
	/** Length of each axis. */
	readonly shape: readonly number[];
	/** Length of a chunk along each axis. */
	readonly chunks: readonly number[];
	/** The dtype in the notation of `.zarray`. */
	readonly dtype: ZarrDtype;
	/**
	 * Leaf fields; nested names are joined by dots. A single field "" if records have no
	 * fields.
	 */
	readonly fields: readonly Field[];
	readonly #client: Client;
	readonly #engines: ArrayReading["engines"];
	readonly #dtypes: FieldDtypes;

	/** @internal `client` is the client of `engines` that reads the array's rows. */
	constructor(
		name: string,
		description: ArrayDescription,
		{ client, engines, dtypes = {} }: ArrayReading,
	) {
		this.name = name;
		this.shape = description.shape;
		this.length = description.shape[0] ?? 1;
		this.chunks = description.chunks;
		this.dtype = description.dtype;
		this.fields = fieldsOf(description.dtype);
		this.#client = client;
		this.#engines = engines;
		this.#dtypes = dtypes;
	}

	/**
	 * Returns every `step`th of the rows `begin` to `end - 1` as columns. A negative step
	 * goes down from `begin` to `end + 1`. A bound left out is that end of the array.
	 */
	async rows<K extends keyof F & string = keyof F & string>(
		begin?: number,
		end?: number,
		options: RowsOptions<K> = {},
	): Promise<Columns<Pick<F, K>>> {
		const { step, fields, signal } = options;
		this.#checkBounds("rows", begin, end);
		checkOptions(`${this.name}: rows`, options, { ...CHOICE, step: "integer" });
		return this.#columns({ begin, end, step, ...given(fields) }, signal);
	}

	/** Returns the rows at `indices`, in this order; repeats are allowed. */
	async take<K extends keyof F & string = keyof F & string>(
		indices: Iterable<number>,
		options: Omit<RowsOptions<K>, "step"> = {},
	): Promise<Columns<Pick<F, K>>> {
		checkOptions(`${this.name}: take`, options, CHOICE);
		check(`${this.name}: take: indices`, indices ?? null, "list");
		const { fields, signal } = options;
		return this.#columns({ indices: asNumbers(indices), ...given(fields) }, signal);
	}

	/** Returns the rows whose value in `mask` is not false or 0. */
	async where<K extends keyof F & string = keyof F & string>(
		mask: Uint8Array | readonly boolean[],
		options: Omit<RowsOptions<K>, "step"> = {},
	): Promise<Columns<Pick<F, K>>> {
		checkOptions(`${this.name}: where`, options, CHOICE);
		check(`${this.name}: where: mask`, mask ?? null, "list");
		const { fields, signal } = options;
		return this.#columns(
			{ mask: Uint8Array.from(mask, Number), ...given(fields) },
			signal,
		);
	}

	/**
	 * Returns a box of the array, like NumPy's basic indexing: `select([0, { step: -1
	 * }])` is `z[0, ::-1]`. Axes left out are selected entirely. Those of a field follow
	 * the array's: `select([{ step: 2 }, 0], { field: "centroid" })` is
	 * `z["centroid"][::2, 0]`.
	 */
	async select(
		selection: readonly AxisSelection[] = [],
		options: SelectOptions = {},
	): Promise<NdArray> {
		check(`${this.name}: select`, selection, "list");
		checkOptions(`${this.name}: select`, options, { field: "text", signal: "any" });
		const { field, signal } = options;
		const axes = axesOf(selection);
		const fields = field === undefined ? undefined : [field];
		const query = this.#query({ axes, ...given(fields) });
		const { client, answer } = await this.#engines.ask(query, { signal });
		return new NdArray(arraysOf(client, query, answer));
	}

	/** Returns rows `begin` to `end - 1` as stored. */
	async records(
		begin = 0,
		end = this.length,
		{ signal }: AbortOptions = {},
	): Promise<Records> {
		this.#checkBounds("records", begin, end);
		const query = this.#query({ begin, end, layout: "records" });
		const arrays = await askArrays(this.#client, query, { signal });
		const { data, shape } = arrays.array(arrays.names[0] ?? "");
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		const length = shape[0] ?? 0;
		return { length, recordSize: length > 0 ? bytes.length / length : 0, bytes };
	}

	#checkBounds(of: string, begin: unknown, end: unknown): void {
		check(`${this.name}: ${of}: begin`, begin, "integer");
		check(`${this.name}: ${of}: end`, end, "integer");
	}

	async #columns<K extends keyof F & string>(
		rows: Chosen,
		signal: AbortSignal | undefined,
	): Promise<Columns<Pick<F, K>>> {
		const arrays = await askArrays(this.#client, this.#query(rows), { signal });
		return new Columns<Pick<F, K>>(arrays, this.#dtypes);
	}

	#query(rows: Chosen): Query {
		return arraysBy("rows", { array: this.name, ...rows });
	}
}

/** Rows of an array, or a box of it. */
type Chosen = Omit<Given<"rows">, "engine" | "array">;

const CHOICE: Kinds = { fields: "texts", signal: "any" };

function given(fields: readonly string[] | undefined): Pick<Chosen, "fields"> {
	return fields ? { fields } : {};
}

/** Returns a box as the core's numbers: four per axis. */
export function axesOf(selection: readonly AxisSelection[]): Float64Array {
	return Float64Array.from([...selection].flatMap(numbersOf));
}

/** Returns the core's four numbers per axis: begin, end, step, index. */
function numbersOf(axis: AxisSelection): number[] {
	if (typeof axis === "number") return [Number.NaN, Number.NaN, Number.NaN, axis];
	const { begin, end, step } = axis ?? {};
	return [begin, end, step, undefined].map((number) => number ?? Number.NaN);
}

/** A leaf of a record. */
export interface Field {
	/** Nested names joined by dots; "" where records have no fields. */
	readonly name: string;
	/** NumPy's code as stored, e.g. `<f8`. */
	readonly dtype: string;
	/** Of one record's value; empty for a scalar. */
	readonly shape: readonly number[];
}

/** The leaves of a dtype in order. */
export function fieldsOf(
	dtype: ZarrDtype,
	name = "",
	shape: readonly number[] = [],
): Field[] {
	if (typeof dtype === "string") return [{ name, dtype, shape }];
	return dtype.flatMap(([field, inner, own = []]) =>
		fieldsOf(inner, name ? `${name}.${field}` : field, shape.concat(own)),
	);
}
