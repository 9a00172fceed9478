import type { ReaderOptions } from "../../web/src/index.js";

/** A plan, and the hash of each column of its items. */
export interface StreamVector {
	readonly plan: ReaderOptions;
	readonly items: number;
	/** FNV-1a of 64 bits of the column's bytes, in hexadecimal. */
	readonly columns: Readonly<Record<string, string>>;
}

/** The used part of a reader's batch. */
interface Batch {
	readonly length: number;
	readonly names: readonly string[];
	column(name: string): { readonly data: ArrayBufferView };
}

/** Hashes the columns of a stream; independent of the size of its batches. */
export async function hashOf(
	batches: AsyncIterable<Batch>,
): Promise<Omit<StreamVector, "plan">> {
	const hashes = new Map<string, bigint>();
	let items = 0;
	for await (const batch of batches) {
		items += batch.length;
		for (const name of batch.names) {
			const { data } = batch.column(name);
			let hash = hashes.get(name) ?? 0xcbf29ce484222325n;
			for (const byte of new Uint8Array(
				data.buffer,
				data.byteOffset,
				data.byteLength,
			)) {
				hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
			}
			hashes.set(name, hash);
		}
	}
	const hex = [...hashes].map(([name, hash]) => [name, hash.toString(16)]);
	return { items, columns: Object.fromEntries(hex) };
}
