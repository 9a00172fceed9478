import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DirectorySource } from "../../../tests/support/directory-source.js";
import type { DataConfig } from "../../src/save.js";

/** A data set of small objects, so that a few rows make several chunks. */
export const CONFIG: DataConfig = {
	name: "digits",
	attributes: {
		image: { dtype: "|u1", shape: [7, 9] },
		label: "<i4",
		mark: { dtype: "|S3" },
	},
	additional: { source: "made" },
	compressor: { id: "blosc", cname: "lz4", clevel: 5, shuffle: 1 },
	maxObjectSize: 2048,
};

/** Returns rows `begin` to `end - 1` of every attribute, which depend on their number. */
export function rowsOf(begin: number, end: number) {
	const count = end - begin;
	const image = new Uint8Array(count * 63).map((_, i) => {
		const at = begin * 63 + i;
		return at % 3 === 0 ? (Math.imul(at, 2654435761) >>> 13) & 255 : (at / 63) % 7;
	});
	const label = new Int32Array(count).map((_, i) => (begin + i) * 3 - 50);
	const text = Array.from({ length: count }, (_, i) => `r${(begin + i) % 90}`);
	const mark = new TextEncoder().encode(
		text.map((each) => each.padEnd(3, "\0")).join(""),
	);
	return { image, label, mark };
}

/** Returns a file's keys below a folder with their bytes. */
export async function contentOf(
	path: string,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
	const source = new DirectorySource(path);
	const out = new Map<string, Uint8Array<ArrayBuffer>>();
	for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const key = join(entry.parentPath, entry.name).slice(path.length + 1);
		out.set(key, new Uint8Array((await source.read(key)) ?? []));
	}
	return out;
}
