import type {
	AbortOptions,
	ArrayDescription,
	AxisSelection,
	RowsOptions,
	SelectOptions,
	ZarrDtype,
} from "./api.js";
import { Columns } from "./columns.js";
import type { CoreRows } from "./core.js";
import type { Engines } from "./engines.js";
import { type Field, fieldsOf } from "./fields.js";
import { NdArray } from "./nd-array.js";
import type { ResultArrays } from "./result.js";
import { arraysOf, askArrays, type Client } from "./worker/client.js";
import type { Query } from "./worker/protocol.js";

/** Records as stored, packed one after another. */
export interface Records {
	readonly length: number;
	/** Bytes of one record. */
	readonly recordSize: number;
	readonly bytes: Uint8Array;
}

/**
 * One array of a data set. Reading is lazy: the chunks that hold the rows, and no others. But
 * who reads much of a chunk where the call before ended has up to eight that follow fetched
 * meanwhile.
 */
export class StructuredArray {
	readonly name: string;
	/** Rows; an array of no axes has one. */
	readonly length: number;
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
	/** As `.zarray` spells it. */
	readonly dtype: ZarrDtype;
	/** Leaves, nested names joined by dots; one named "" where records have no fields. */
	readonly fields: readonly Field[];
	readonly #client: Client;
	readonly #engines: Engines;

	/** `client` is the one of `engines` that reads the array by rows. */
	constructor(
		name: string,
		description: ArrayDescription,
		client: Client,
		engines: Engines,
	) {
		this.name = name;
		this.shape = description.shape;
		this.length = description.shape[0] ?? 1;
		this.chunks = description.chunks;
		this.dtype = description.dtype;
		this.fields = fieldsOf(description.dtype);
		this.#client = client;
		this.#engines = engines;
	}

	/**
	 * Rows `begin` to `end - 1`, every `step`th of them, as columns. A step below 0 goes
	 * down from `begin` to `end + 1`. What is left out is that end of the array.
	 */
	rows(begin?: number, end?: number, options: RowsOptions = {}): Promise<Columns> {
		const { step, fields, signal } = options;
		return this.#columns({ begin, end, step, ...given(fields) }, signal);
	}

	/** The rows at `indices`, in that order, repeats allowed. */
	take(
		indices: Iterable<number>,
		{ fields, signal }: Omit<RowsOptions, "step"> = {},
	): Promise<Columns> {
		return this.#columns(
			{ indices: Float64Array.from(indices), ...given(fields) },
			signal,
		);
	}

	/** The rows where `mask`, which has a value for each, is not false or 0. */
	where(
		mask: Uint8Array | readonly boolean[],
		{ fields, signal }: Omit<RowsOptions, "step"> = {},
	): Promise<Columns> {
		return this.#columns(
			{ mask: Uint8Array.from(mask, Number), ...given(fields) },
			signal,
		);
	}

	/**
	 * A box of the array, as NumPy's basic indexing takes it: `select([0, { step: -1 }])`
	 * is `z[0, ::-1]`. Axes that are not named are taken whole.
	 */
	async select(
		selection: readonly AxisSelection[] = [],
		{ field, signal }: SelectOptions = {},
	): Promise<NdArray> {
		const axes = Float64Array.from(selection.flatMap(numbersOf));
		const fields = field === undefined ? undefined : [field];
		const query = this.#query({ axes, ...given(fields) });
		const { client, answer } = await this.#engines.ask(query, { signal });
		return new NdArray(arraysOf(client, query, answer));
	}

	/** Rows `begin` to `end - 1` as stored. */
	async records(
		begin = 0,
		end = this.length,
		{ signal }: AbortOptions = {},
	): Promise<Records> {
		const arrays = await this.#ask({ begin, end, layout: "records" }, signal);
		const { data, shape } = arrays.array(arrays.names[0] ?? "");
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		const length = shape[0] ?? 0;
		return { length, recordSize: length > 0 ? bytes.length / length : 0, bytes };
	}

	async #columns(
		rows: Omit<CoreRows, "array">,
		signal: AbortSignal | undefined,
	): Promise<Columns> {
		return new Columns(await this.#ask(rows, signal));
	}

	#ask(
		rows: Omit<CoreRows, "array">,
		signal: AbortSignal | undefined,
	): Promise<ResultArrays> {
		return askArrays(this.#client, this.#query(rows), { signal });
	}

	#query(rows: Omit<CoreRows, "array">): Query {
		return { kind: "rows", rows: { array: this.name, ...rows } };
	}
}

function given(fields: readonly string[] | undefined): Pick<CoreRows, "fields"> {
	return fields ? { fields } : {};
}

/** As the core takes them. */
function numbersOf(axis: AxisSelection): number[] {
	if (typeof axis === "number") return [Number.NaN, Number.NaN, Number.NaN, axis];
	const { begin, end, step } = axis ?? {};
	return [begin, end, step, undefined].map((number) => number ?? Number.NaN);
}
