import { BevError } from "../base/errors.js";
import { type ReadOptions, type Source, slice } from "../source/source.js";
import {
	type Column,
	columnsOf,
	elementBytes,
	elementsOf,
	putValues,
	rowBytes,
} from "./columns.js";
import { type DataFile, dataFiles, fileError } from "./files.js";
import { chunkRowsOf, Layout } from "./layout.js";
import { type FileGroup, RowGroups } from "./row-groups.js";
import { type Known, limitsIn, statisticsOf } from "./statistics.js";

/** The table of a data set's rows. */
export const TABLE = "rows";

const STATISTICS = ".bevscope/statistics.json";

/** The value of a partition key that is null. */
const NULL_KEY = "__HIVE_DEFAULT_PARTITION__";

/**
 * A Parquet data set as a store with one table, whose chunks are decoded on demand.
 * docs/parquet.md describes it.
 */
export class ParquetSource implements Source {
	readonly #columns: ReadonlyMap<string, Column>;
	readonly #groups: readonly FileGroup[];
	readonly #layout: Layout;
	readonly #rowGroups: RowGroups;
	readonly #documents = new Map<string, Uint8Array>();

	/**
	 * Reads the footers of a data set's files.
	 *
	 * @param source contains the files
	 * @param keys of the files, in their order; all files of the source by default
	 */
	static async open(source: Source, keys?: readonly string[]): Promise<ParquetSource> {
		const files = await dataFiles(source, keys);
		return new ParquetSource(source, files);
	}

	private constructor(source: Source, files: readonly DataFile[]) {
		const columns = commonColumns(files);
		this.#groups = files.flatMap(groupsOf);
		const fields = [...columns.values()].filter(({ dtype }) => dtype !== "");
		if (fields.length === 0)
			throw new BevError("unsupported", "no column of a supported type");
		this.#columns = new Map(fields.map((one) => [`${TABLE}/${one.name}`, one]));
		const lengths = files.map((file) => groupsOf(file).map(({ rows }) => rows));
		const widest = Math.max(...fields.map(rowBytes));
		this.#layout = new Layout(lengths.flat(), chunkRowsOf(lengths, widest));
		this.#rowGroups = new RowGroups(source);
		this.#describe(files.length, [...columns.values()]);
	}

	async read(
		key: string,
		{ range, signal }: ReadOptions = {},
	): Promise<Uint8Array | undefined> {
		signal?.throwIfAborted();
		const cut = key.lastIndexOf("/");
		const column = this.#columns.get(key.slice(0, cut));
		const number = /^\d+/.exec(key.slice(cut + 1));
		const found =
			column && number
				? await this.#chunk(column, Number(number[0]))
				: this.#document(key);
		signal?.throwIfAborted();
		return found && slice(found, range).slice();
	}

	async size(key: string): Promise<number | undefined> {
		return (await this.read(key))?.length;
	}

	#document(key: string): Uint8Array | undefined {
		if (key === STATISTICS && !this.#documents.has(key)) {
			const known =
				(column: Column) =>
				(group: number): Known =>
					this.#known(column, group);
			const columns = [...this.#columns]
				.filter(([, { shape }]) => shape.length === 0)
				.map(([path, column]) => [path, column, known(column)] as const);
			const text = statisticsOf(this.#layout, columns);
			this.#documents.set(key, new TextEncoder().encode(text));
		}
		return this.#documents.get(key);
	}

	#known(column: Column, group: number): Known {
		const from = this.#groups[group];
		if (!from) return undefined;
		if (column.element) return limitsIn(column, from);
		const text = keyOf(from, column);
		if (column.dtype !== "<i8") return text;
		return { min: BigInt(text), max: BigInt(text) };
	}

	async #chunk(column: Column, number: number): Promise<Uint8Array | undefined> {
		if (number >= this.#layout.chunks) return undefined;
		const elements = elementsOf(column);
		const chunk = new Uint8Array(this.#layout.chunkRows * rowBytes(column));
		const parts = [...this.#layout.parts(number)];
		const all = await Promise.all(
			parts.map(({ group }) => this.#values(group, column)),
		);
		for (const [i, { begin, end, at, group }] of parts.entries()) {
			const from = this.#groups[group];
			const values = all[i];
			if (!from) continue;
			if (!values) putKey(column, keyOf(from, column), chunk, at, end - begin);
			else {
				try {
					const rows = part(values, begin, end);
					putValues(column, rows, chunk, at * elements);
				} catch (error) {
					const where = `row group ${from.number}, column ${column.name}`;
					throw fileError(from.file.key, `${where}: ${(error as Error).message}`);
				}
			}
		}
		return chunk;
	}

	async #values(
		group: number,
		column: Column,
	): Promise<ArrayLike<unknown> | undefined> {
		const from = this.#groups[group];
		if (!from || !column.element) return undefined;
		return this.#rowGroups.values(group, from, column);
	}

	#describe(files: number, columns: readonly Column[]): void {
		const fields = [...this.#columns];
		const { rows, chunkRows } = this.#layout;
		const record = fields.map(([, { name, dtype, shape }]) => [
			name,
			// Text is stored as UTF-8.
			dtype[1] === "S" ? `<U${Number(dtype.slice(2)) / 4}` : dtype,
			...(shape.length > 0 ? [shape] : []),
		]);
		const described = columns.map(({ element: _, lists: __, ...one }) => one);
		const metadata: Record<string, unknown> = {
			".zgroup": { zarr_format: 2 },
			".zattrs": {
				bevscope_columns: { version: 1, tables: { [TABLE]: record } },
				parquet: { files, row_groups: this.#groups.length, columns: described },
			},
		};
		for (const [path, { dtype, shape }] of fields) {
			metadata[`${path}/.zarray`] = {
				...{ zarr_format: 2, shape: [rows, ...shape], chunks: [chunkRows, ...shape] },
				...{ dtype, compressor: null, filters: null, fill_value: null, order: "C" },
			};
		}
		const listing = JSON.stringify({ zarr_consolidated_format: 1, metadata });
		this.#documents.set(".zmetadata", new TextEncoder().encode(listing));
	}
}

/** Returns rows of decoded values. */
function part(
	values: ArrayLike<unknown>,
	begin: number,
	end: number,
): ArrayLike<unknown> {
	if (begin === 0 && end === values.length) return values;
	if (Array.isArray(values)) return values.slice(begin, end);
	return (values as Float64Array).subarray(begin, end);
}

function groupsOf(file: DataFile): FileGroup[] {
	return file.groups.map((group, number) => {
		const rows = Number(group.num_rows);
		if (rows >= 0 && rows <= 2 ** 52) return { file, group, number, rows };
		const said = `row group ${number}: invalid number of rows (found ${group.num_rows})`;
		throw fileError(file.key, said);
	});
}

/** Returns the value of a partition key of a row group. */
function keyOf({ file }: FileGroup, { name }: Column): string {
	return file.partition.find(([key]) => key === name)?.[1] ?? "";
}

/** Writes a partition key to the rows of a chunk. */
function putKey(
	column: Column,
	text: string,
	chunk: Uint8Array<ArrayBuffer>,
	at: number,
	count: number,
): void {
	const size = elementBytes(column);
	if (column.dtype === "<i8") {
		new BigInt64Array(chunk.buffer).fill(BigInt(text), at, at + count);
		return;
	}
	const encoded = new TextEncoder().encode(text);
	for (let row = at; row < at + count; row += 1) chunk.set(encoded, row * size);
}

/** Returns what a column is, to compare those of two files. */
function identity(column: Column | undefined): string {
	if (!column) return "none";
	const { type, dtype, shape, unit, refused } = column;
	return JSON.stringify([type, dtype, shape, unit, refused]);
}

/** Returns the columns of all files, which must be the same, and the partition keys. */
function commonColumns(files: readonly DataFile[]): Map<string, Column> {
	const [first] = files;
	if (!first) throw new BevError("not_found", "no Parquet files");
	const columns = columnsOf(first.metadata);
	const names = (file: DataFile) => file.partition.map(([name]) => name);
	for (const file of files) {
		if (file.metadata !== first.metadata) {
			const found = columnsOf(file.metadata);
			for (const name of new Set([...columns.keys(), ...found.keys()])) {
				const [one, other] = [found.get(name), columns.get(name)];
				if (identity(one) === identity(other)) continue;
				const types = `(found ${one?.type ?? "none"}, expected ${other?.type ?? "none"})`;
				const said = `column ${name}: type differs from that of ${first.key} ${types}`;
				throw fileError(file.key, said, "invalid_metadata");
			}
		}
		const keys = names(file);
		const isSame = keys.join("/") === names(first).join("/");
		const isClear =
			new Set(keys).size === keys.length && !keys.some((key) => columns.has(key));
		if (isSame && isClear) continue;
		const expected = `(expected ${names(first).join(", ") || "none"}, and no columns of these names)`;
		const said = `partition keys ${keys.join(", ") || "none"} ${expected}`;
		throw fileError(file.key, said, "invalid_metadata");
	}
	for (const [at, name] of names(first).entries()) {
		const values = files.map(({ partition }) => partition[at]?.[1] ?? "");
		columns.set(name, partitionColumn(name, values));
	}
	return columns;
}

/** Returns a partition key's column: integers if all values are, otherwise text. */
function partitionColumn(name: string, values: readonly string[]): Column {
	const column = { name, type: "partition", shape: [], lists: [] };
	if (values.includes(NULL_KEY))
		return { ...column, dtype: "", refused: "a value is null" };
	if (values.every(isInteger)) return { ...column, dtype: "<i8" };
	const longest = Math.max(1, ...values.map((value) => Array.from(value).length));
	return { ...column, dtype: `|S${4 * longest}` };
}

function isInteger(text: string): boolean {
	if (!/^-?\d{1,19}$/.test(text)) return false;
	const value = BigInt(text);
	return String(value) === text && BigInt.asIntN(64, value) === value;
}
