import type { AbortOptions, ArrayDescription, RowsOptions, ZarrDtype } from "./api.js";
import { Columns } from "./columns.js";
import type { CoreRows } from "./core.js";
import { type Field, fieldsOf } from "./fields.js";
import type { ResultArrays } from "./result.js";
import { askArrays, type Client } from "./worker/client.js";

/** Records as stored, packed one after another. */
export interface Records {
	readonly length: number;
	/** Bytes of one record. */
	readonly recordSize: number;
	readonly bytes: Uint8Array;
}

/** One array of a data set. Reading is lazy: the chunks that hold the rows, and no others. */
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

	constructor(name: string, description: ArrayDescription, client: Client) {
		this.name = name;
		this.shape = description.shape;
		this.length = description.shape[0] ?? 1;
		this.chunks = description.chunks;
		this.dtype = description.dtype;
		this.fields = fieldsOf(description.dtype);
		this.#client = client;
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
		const query = { kind: "rows", rows: { array: this.name, ...rows } } as const;
		return askArrays(this.#client, query, { signal });
	}
}

function given(fields: readonly string[] | undefined): Pick<CoreRows, "fields"> {
	return fields ? { fields } : {};
}
