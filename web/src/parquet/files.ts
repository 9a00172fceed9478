import { type FileMetaData, parquetMetadata } from "hyparquet";
import { BevError, messageOf } from "../base/errors.js";
import { FileSource } from "../source/file-source.js";
import { NodeSource } from "../source/node-source.js";
import { isHidden, isParquetName } from "../source/parquet-name.js";
import type { Source } from "../source/source.js";
import { pickledSchema } from "./unischema.js";

/** Files of a folder that describe others: all row groups, and the schema. */
const SUMMARY = "_metadata";
const COMMON = "_common_metadata";

/** Petastorm's numbers of row groups by file, in the metadata of COMMON. */
const GROUPS_PER_FILE = "dataset-toolkit.num_row_groups_per_file.v1";

/** Bytes that are read of a file's end at first. */
const TAIL = 2 ** 16;
const MAX_FOOTER = 2 ** 28;
const MAGIC = 0x31524150;

/** Footers that are read at the same time. */
const WIDTH = 16;

export type Group = FileMetaData["row_groups"][number];

/** A file of a data set. */
export interface DataFile {
	readonly key: string;
	readonly metadata: FileMetaData;
	readonly groups: readonly Group[];
	/** Keys and values of its folders `key=value`. */
	readonly partition: readonly (readonly [string, string])[];
}

/** Returns all files of a source; undefined if it cannot list them. */
export async function keysOf(source: Source): Promise<string[] | undefined> {
	if (!(source instanceof FileSource || source instanceof NodeSource)) return undefined;
	return (await source.keys()).sort();
}

function unquoted(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function partitionOf(key: string): [string, string][] {
	const folders = key.split("/").slice(0, -1);
	return folders.flatMap((folder) => {
		const at = folder.indexOf("=");
		const pair: [string, string] = [
			unquoted(folder.slice(0, at)),
			unquoted(folder.slice(at + 1)),
		];
		return at > 0 ? [pair] : [];
	});
}

/** Returns an error of a file. */
export function fileError(
	key: string,
	said: string,
	code: BevError["code"] = "corrupt_chunk",
	cause?: unknown,
): BevError {
	return new BevError(code, `${key}: ${said}`, { key, cause });
}

/** Returns where a file's metadata begins. */
function footerBegin(key: string, size: number, tail: Uint8Array): number {
	const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
	if (tail.length < 12 || view.getUint32(tail.length - 4, true) !== MAGIC)
		throw fileError(key, "not a Parquet file");
	const length = view.getUint32(tail.length - 8, true);
	if (length > size - 12) {
		const said = `metadata is longer than the file (found ${length} of ${size} bytes)`;
		throw fileError(key, said);
	}
	if (length > MAX_FOOTER) {
		const said = `metadata is too long (found ${length} bytes)`;
		throw fileError(key, said, "limit_exceeded");
	}
	return size - 8 - length;
}

/** Statistics stay as they are stored. */
const RAW = {
	timestampFromMilliseconds: (value: bigint) => value,
	timestampFromMicroseconds: (value: bigint) => value,
	timestampFromNanoseconds: (value: bigint) => value,
	dateFromDays: (value: number) => value,
	stringFromBytes: (value: Uint8Array) => value,
	uuidFromBytes: (value: Uint8Array) => value,
};

async function sizeOf(source: Source, key: string): Promise<number | undefined> {
	if (source.size) return source.size(key);
	return (await source.read(key))?.length;
}

/** Reads a file's footer; undefined if the file is absent and not required. */
async function footerBytes(
	source: Source,
	key: string,
	required: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const size = await sizeOf(source, key);
	if (size === undefined && !required) return undefined;
	if (size === undefined) throw fileError(key, "not found", "not_found");
	const read = async (begin: number): Promise<Uint8Array> =>
		(await source.read(key, { range: { begin, end: size } })) ?? new Uint8Array();
	let begin = Math.max(0, size - TAIL);
	let tail = await read(begin);
	const first = footerBegin(key, size, tail);
	if (first < begin) {
		begin = first;
		tail = await read(begin);
	}
	return tail.slice(footerBegin(key, size, tail) - begin);
}

/** Reads the metadata of a file; undefined if it is absent and not required. */
async function footer(
	source: Source,
	key: string,
	required: boolean,
): Promise<FileMetaData | undefined> {
	const bytes = await footerBytes(source, key, required);
	if (!bytes) return undefined;
	try {
		return parquetMetadata(bytes.buffer, { parsers: RAW, geoparquet: false });
	} catch (error) {
		const said = `not a readable Parquet file: ${messageOf(error)}`;
		throw fileError(key, said, "corrupt_chunk", error);
	}
}

async function footers(source: Source, keys: readonly string[]): Promise<DataFile[]> {
	const found: DataFile[] = [];
	for (let at = 0; at < keys.length; at += WIDTH) {
		const some = keys.slice(at, at + WIDTH);
		const read = await Promise.all(some.map((key) => footer(source, key, true)));
		for (const [i, metadata] of read.entries()) {
			const key = some[i] ?? "";
			if (!metadata) continue;
			const { row_groups: groups } = metadata;
			found.push({ key, metadata, groups, partition: partitionOf(key) });
		}
	}
	return found;
}

/** Returns the files of `_metadata`, which has all row groups. */
async function summarized(source: Source): Promise<DataFile[] | undefined> {
	const metadata = await footer(source, SUMMARY, false);
	if (!metadata || metadata.row_groups.length === 0) return undefined;
	const groups = new Map<string, Group[]>();
	for (const group of metadata.row_groups) {
		const key = group.columns[0]?.file_path ?? "";
		if (key === "" || key.startsWith("/") || key.split("/").includes(".."))
			return undefined; // not a summary
		groups.set(key, [...(groups.get(key) ?? []), group]);
	}
	return [...groups.keys()].sort().map((key) => {
		const partition = partitionOf(key);
		return { key, metadata, groups: groups.get(key) ?? [], partition };
	});
}

/** Returns Petastorm's pickled schema of a data set; undefined if it has none. */
export async function pickledIn(source: Source): Promise<Uint8Array | undefined> {
	const bytes = await footerBytes(source, COMMON, false);
	return bytes && pickledSchema(bytes);
}

/** Returns the files that Petastorm's metadata lists. */
async function petastorms(source: Source): Promise<string[]> {
	const common = await footer(source, COMMON, false);
	const text = common?.key_value_metadata?.find(({ key }) => key === GROUPS_PER_FILE);
	try {
		const listed = Object.keys(JSON.parse(text?.value ?? "{}"));
		return listed.filter((key) => !isHidden(key)).sort();
	} catch {
		const said = "Petastorm's list of row groups is not JSON";
		throw fileError(COMMON, said, "invalid_metadata");
	}
}

/**
 * Returns the files of a data set, with their metadata.
 *
 * @param given keys of files, in their order; undefined for all files of the source
 */
export async function dataFiles(
	source: Source,
	given?: readonly string[],
): Promise<DataFile[]> {
	if (given) return footers(source, given);
	const listed = (await keysOf(source))?.filter(
		(key) => key === SUMMARY || !isHidden(key),
	);
	const shown = listed?.filter((key) => key !== SUMMARY);
	const named = shown?.filter(isParquetName);
	const keys = named && named.length > 0 ? named : shown;
	if (!listed || listed.includes(SUMMARY)) {
		const found = await summarized(source);
		const same = !keys || found?.map(({ key }) => key).join("\n") === keys.join("\n");
		if (found && same) return found;
	}
	const all = keys ?? (await petastorms(source));
	if (all.length > 0) return footers(source, all);
	throw new BevError(
		"not_found",
		`no Parquet files (a folder that cannot be listed needs ${SUMMARY} or Petastorm's ${COMMON}, or a list of its files)`,
	);
}
