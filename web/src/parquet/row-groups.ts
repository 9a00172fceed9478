import { type FileMetaData, parquetRead, type SchemaElement } from "hyparquet";
import { BevError, messageOf } from "../base/errors.js";
import { COMPRESSORS } from "../converting/pages.js";
import type { Source } from "../source/source.js";
import { type Column, elementBytes } from "./columns.js";
import { type DataFile, fileError, type Group } from "./files.js";
import { MAX_BYTES, type Values, valuesOf } from "./values.js";

const CODECS = ["UNCOMPRESSED", ...Object.keys(COMPRESSORS)];

/** Decoded columns of row groups that are kept, in bytes. */
const HELD_BYTES = 2 ** 26;

/** A row group of the data set. */
export interface FileGroup {
	readonly file: DataFile;
	readonly group: Group;
	/** Its number in the file. */
	readonly number: number;
	readonly rows: number;
}

/** Returns the bytes of a column without compression, as the footer tells them. */
export function decodedBytes({ group }: FileGroup, { name }: Column): number {
	let size = 0;
	for (const { meta_data: chunk } of group.columns) {
		if (chunk?.path_in_schema[0] === name)
			size += Math.max(0, Number(chunk.total_uncompressed_size));
	}
	return size;
}

function bytesOf({ bytes, offsets, valid }: Values): number {
	return bytes.length + (offsets?.byteLength ?? 0) + (valid?.length ?? 0);
}

/** Times as they are stored. */
const RAW = { timestampFromNanoseconds: (value: bigint) => value };

/** Returns an element without its meaning, so that values stay as they are stored. */
function physical(element: SchemaElement): SchemaElement {
	const { converted_type: _, logical_type: __, ...rest } = element;
	// The type says whether a column has lists.
	return element.type === undefined ? element : rest;
}

/** Reads and decodes columns of row groups; keeps the last ones. */
export class RowGroups {
	readonly #source: Source;
	readonly #schemas = new Map<FileMetaData, SchemaElement[]>();
	readonly #kept = new Map<string, Values>();
	readonly #reading = new Map<string, Promise<Values>>();
	#heldBytes = 0;

	constructor(source: Source) {
		this.#source = source;
	}

	/** Returns the values of a column, which is read once at a time. */
	async values(id: number, from: FileGroup, column: Column): Promise<Values> {
		const name = `${id}/${column.name}`;
		const kept = this.#kept.get(name);
		if (kept) {
			this.#kept.delete(name); // the last one is dropped last
			this.#kept.set(name, kept);
			return kept;
		}
		const reading = this.#reading.get(name) ?? this.#read(from, column);
		this.#reading.set(name, reading);
		try {
			const values = await reading;
			this.#keep(name, values);
			return values;
		} finally {
			this.#reading.delete(name);
		}
	}

	#keep(name: string, values: Values): void {
		if (this.#kept.has(name)) return;
		this.#kept.set(name, values);
		this.#heldBytes += bytesOf(values);
		for (const [oldest, dropped] of this.#kept) {
			// Of fields of variable length, values are asked for after the intervals.
			if (this.#heldBytes <= HELD_BYTES || oldest === name) return;
			this.#kept.delete(oldest);
			this.#heldBytes -= bytesOf(dropped);
		}
	}

	async #read(from: FileGroup, column: Column): Promise<Values> {
		const { file, number, rows } = from;
		const where = `row group ${number}, column ${column.name}`;
		try {
			check(from, column);
			const decoded = await this.#decode(from, column);
			if (decoded.length === rows) return valuesOf(column, decoded);
			const found = `(found ${decoded.length}, expected ${rows})`;
			throw new BevError("corrupt_chunk", `wrong number of rows ${found}`);
		} catch (error) {
			if (error instanceof BevError && error.key !== undefined) throw error;
			const code = error instanceof BevError ? error.code : "corrupt_chunk";
			throw fileError(file.key, `${where}: ${messageOf(error)}`, code, error);
		}
	}

	async #decode(
		{ file, group, rows }: FileGroup,
		{ name }: Column,
	): Promise<ArrayLike<unknown>> {
		const { key, metadata } = file;
		const schema = this.#schemas.get(metadata) ?? metadata.schema.map(physical);
		this.#schemas.set(metadata, schema);
		const slice = async (begin: number, end = begin): Promise<ArrayBuffer> => {
			const bytes = await this.#source.read(key, { range: { begin, end } });
			if (bytes?.length === end - begin) return bytes.slice().buffer;
			throw new BevError("corrupt_chunk", `truncated (expected ${end - begin} bytes)`);
		};
		const parts: ArrayLike<unknown>[] = [];
		await parquetRead({
			file: { byteLength: Number.MAX_SAFE_INTEGER, slice },
			metadata: { ...metadata, schema, num_rows: BigInt(rows), row_groups: [group] },
			columns: [name],
			compressors: COMPRESSORS,
			parsers: RAW,
			utf8: false,
			geoparquet: false,
			onChunk: ({ columnData }) => parts.push(columnData),
		});
		const [only, ...more] = parts;
		if (more.length === 0) return only ?? [];
		return parts.flatMap((part) => Array.from(part));
	}
}

/** Throws for columns that are not read, before anything is allocated. */
function check({ group, rows }: FileGroup, column: Column): void {
	const decoded = rows * (column.kind === "" ? elementBytes(column) : 16);
	for (const { meta_data: chunk } of group.columns) {
		if (!chunk || chunk.path_in_schema[0] !== column.name) continue;
		if (!CODECS.includes(chunk.codec)) {
			const said = `unsupported codec (found ${chunk.codec}, expected ${CODECS.join(", ")})`;
			throw new BevError("unsupported", said);
		}
		const { total_compressed_size: packed, total_uncompressed_size: size } = chunk;
		const begin = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
		if (begin < 0 || chunk.data_page_offset < 4n || packed < 0n)
			throw new BevError(
				"corrupt_chunk",
				`invalid position (found ${packed} bytes at ${begin})`,
			);
		const largest = Math.max(Number(packed), Number(size), decoded);
		if (largest <= MAX_BYTES) continue;
		const limit = `(found ${largest} bytes, limit ${MAX_BYTES})`;
		throw new BevError("limit_exceeded", `too large ${limit}`);
	}
}
