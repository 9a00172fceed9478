import type { LoadOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { type ReadOptions, type Source, slice } from "../source/source.js";
import { type Column, rowBytes } from "./columns.js";
import { type DataFile, dataFiles, pickledIn } from "./files.js";
import { chunkRowsOf, Layout } from "./layout.js";
import { decodedBytes, type FileGroup, RowGroups } from "./row-groups.js";
import {
	commonColumns,
	groupsOf,
	keyOf,
	NULL_KEY,
	nullsIn,
	type TextLengths,
	withNulls,
} from "./schema.js";
import { type Known, limitsIn, statisticsOf } from "./statistics.js";
import {
	arraysOf,
	documentOf,
	fieldOf,
	rowBytesOf,
	STRIDE,
	type StoredArray,
	TABLE,
} from "./stored-arrays.js";
import { parseUnischema } from "./unischema.js";
import type { Values } from "./values.js";

const STATISTICS = ".bevscope/statistics.json";

/** What a data set is opened with. */
export interface ParquetFiles {
	/** Keys of the files, in their order; all files of the source by default. */
	readonly keys?: readonly string[] | undefined;
	readonly text?: TextLengths | undefined;
	/** The module that reads Petastorm's schema. */
	readonly wasm?: LoadOptions["streamWasm"];
}

/**
 * A Parquet data set as a store with one table, whose chunks are decoded on demand.
 * docs/parquet.md describes it.
 */
export class ParquetSource implements Source {
	readonly #arrays = new Map<string, StoredArray>();
	readonly #groups: readonly FileGroup[];
	readonly #layout: Layout;
	readonly #rowGroups: RowGroups;
	readonly #documents = new Map<string, Uint8Array>();

	/** Reads the footers of a data set's files in `source`. */
	static async open(
		source: Source,
		{ keys, text = {}, wasm }: ParquetFiles = {},
	): Promise<ParquetSource> {
		const files = await dataFiles(source, keys);
		const pickled = keys ? undefined : await pickledIn(source);
		const schema = pickled ? await parseUnischema(pickled, wasm) : [];
		return new ParquetSource(source, files, commonColumns(files, schema, text));
	}

	private constructor(
		source: Source,
		files: readonly DataFile[],
		columns: ReadonlyMap<string, Column>,
	) {
		this.#groups = files.flatMap(groupsOf);
		const all = Array.from(columns.values(), (one) => withNulls(one, this.#groups));
		const fields = all.filter(({ dtype }) => dtype !== "");
		if (fields.length === 0)
			throw new BevError("unsupported", "no column of a supported type");
		const lengths = files.map((file) => groupsOf(file).map(({ rows }) => rows));
		const chunkRows = chunkRowsOf(
			lengths,
			fields.reduce((most, one) => Math.max(most, rowBytes(one)), 0),
		);
		this.#layout = new Layout(lengths.flat(), chunkRows);
		const ragged = fields.filter(({ kind }) => kind !== "");
		let largest = 0;
		for (const group of this.#groups)
			for (const column of ragged)
				largest = Math.max(largest, decodedBytes(group, column));
		const size = { rows: this.#layout.rows, groups: this.#groups.length, chunkRows };
		for (const column of fields)
			for (const array of arraysOf(column, size, largest))
				this.#arrays.set(array.path, array);
		this.#rowGroups = new RowGroups(source);
		this.#describe(files.length, all, fields);
	}

	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const cut = key.lastIndexOf("/");
		const array = this.#arrays.get(key.slice(0, cut));
		const number = /^\d+/.exec(key.slice(cut + 1));
		const found =
			array && number
				? await this.#chunk(array, Number(number[0]))
				: this.#document(key);
		signal?.throwIfAborted();
		return found && slice(found, range).slice();
	}

	async size(key: string): Promise<number | undefined> {
		return (await this.read(key))?.length;
	}

	#document(key: string): Uint8Array | undefined {
		if (key === STATISTICS && !this.#documents.has(key)) {
			const arrays = [...this.#arrays.values()].filter(
				({ role, shape }) => role !== "values" && shape.length === 0,
			);
			const known = arrays.map(
				(array) => [array, (group: number) => this.#known(array, group)] as const,
			);
			const text = statisticsOf(this.#layout, known);
			this.#documents.set(key, new TextEncoder().encode(text));
		}
		return this.#documents.get(key);
	}

	/** Returns what is known of an array in a row group. */
	#known({ column, role }: StoredArray, group: number): Known {
		const from = this.#groups[group];
		if (!from) return undefined;
		const key = column.element ? undefined : keyOf(from, column);
		if (role === "valid") {
			const isNull = key === NULL_KEY ? from.rows : 0;
			const nulls = key === undefined ? nullsIn(from, column) : isNull;
			if (nulls === undefined) return undefined;
			return { min: nulls === 0 ? 1 : 0, max: nulls === from.rows ? 0 : 1 };
		}
		if (key === undefined) return limitsIn(column, from);
		if (key === NULL_KEY || column.dtype !== "<i8")
			return key === NULL_KEY ? undefined : key;
		return { min: BigInt(key), max: BigInt(key) };
	}

	async #chunk(array: StoredArray, number: number): Promise<Uint8Array> {
		const { column, chunk: elements } = array;
		const size = rowBytesOf(array);
		const chunk = new Uint8Array(elements * size);
		if (array.role === "values") {
			const first = number * elements;
			const found = await this.#values(Math.floor(first / STRIDE), column);
			const begin = (first % STRIDE) * size;
			chunk.set(found?.bytes.subarray(begin, begin + chunk.length) ?? []);
			return chunk;
		}
		const parts = [...this.#layout.parts(number)];
		const all = await Promise.all(
			parts.map(({ group }) => this.#values(group, column)),
		);
		for (const [i, { group, begin, end, at }] of parts.entries()) {
			const rows = chunk.subarray(at * size, (at + end - begin) * size);
			const [values, from] = [all[i], this.#groups[group]];
			if (values) putRows(array, values, { group, begin, end }, rows);
			else if (from) putKey(array, keyOf(from, column), rows);
		}
		return chunk;
	}

	async #values(group: number, column: Column): Promise<Values | undefined> {
		const from = this.#groups[group];
		if (!from || !column.element) return undefined;
		return this.#rowGroups.values(group, from, column);
	}

	#describe(
		files: number,
		columns: readonly Column[],
		fields: readonly Column[],
	): void {
		const described = columns.map(
			({ element: _, lists: __, npy: ___, codec: ____, kind, ...one }) =>
				kind === "" ? one : { ...one, kind },
		);
		const tables = { [TABLE]: fields.map(fieldOf) };
		const metadata: Record<string, unknown> = {
			".zgroup": { zarr_format: 2 },
			".zattrs": {
				bevscope_fields: { version: 1, tables },
				parquet: { files, row_groups: this.#groups.length, columns: described },
			},
		};
		for (const [path, array] of this.#arrays)
			metadata[`${path}/.zarray`] = documentOf(array);
		const listing = JSON.stringify({ zarr_consolidated_format: 1, metadata });
		this.#documents.set(".zmetadata", new TextEncoder().encode(listing));
	}
}

/** Rows of a row group. */
interface Rows {
	readonly group: number;
	readonly begin: number;
	readonly end: number;
}

/** Writes rows of a column to those of a chunk. */
function putRows(
	array: StoredArray,
	{ bytes, offsets, valid }: Values,
	{ group, begin, end }: Rows,
	out: Uint8Array,
): void {
	if (array.role === "valid") {
		if (valid) out.set(valid.subarray(begin, end));
		else out.fill(1);
		return;
	}
	if (!offsets) {
		const size = rowBytesOf(array);
		out.set(bytes.subarray(begin * size, end * size));
		return;
	}
	const view = new DataView(out.buffer, out.byteOffset, out.length);
	const base = group * STRIDE;
	for (let row = begin; row < end; row += 1) {
		const at = 16 * (row - begin);
		view.setBigInt64(at, BigInt(base + (offsets[row] ?? 0)), true);
		view.setBigInt64(at + 8, BigInt(base + (offsets[row + 1] ?? 0)), true);
	}
}

/** Writes a partition key to rows of a chunk. */
function putKey(array: StoredArray, key: string, out: Uint8Array): void {
	const size = rowBytesOf(array);
	const shown = key === NULL_KEY ? "" : key;
	const row = new Uint8Array(size);
	const view = new DataView(row.buffer);
	if (array.role === "valid") row[0] = key === NULL_KEY ? 0 : 1;
	else if (array.dtype === "<i8") view.setBigInt64(0, BigInt(shown || 0), true);
	else {
		for (const [i, letter] of Array.from(shown).entries())
			view.setUint32(4 * i, letter.codePointAt(0) ?? 0, true);
	}
	for (let at = 0; at < out.length; at += size) out.set(row, at);
}
