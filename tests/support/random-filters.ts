import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

/** A filter of a table, and the rows that pass it as bits of a hexadecimal number. */
export type ExpectedFilter = readonly [table: string, where: string, rows: string];

const FILE = new URL("../fixtures/random_filters.zip", import.meta.url);

/** Returns the archive with the data set, see tests/fixtures/make_random_filters.py. */
export function randomFiltersZip(): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(readFileSync(FILE));
}

/** Returns its member filters.json, which is the first. */
export function randomFilters(): readonly ExpectedFilter[] {
	const zip = Buffer.from(randomFiltersZip());
	const begin = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
	const packed = zip.subarray(begin, begin + zip.readUInt32LE(18));
	return JSON.parse(inflateRawSync(packed).toString("utf8")) as ExpectedFilter[];
}
