import { gunzipSync } from "fflate";
import { Decompress } from "fzstd";
import { snappyUncompress } from "hyparquet";
import { BevError } from "../base/errors.js";

/** Decoded length of a Parquet page; writers make pages of 1 to 100 MB. */
const MAX_PAGE_BYTES = 2 ** 28;

/** Window that decoders of Zstandard have to support (RFC 8878, 3.1.1.1.2). */
const MAX_WINDOW = 2 ** 23;

const MAX_BLOCK = 2 ** 17;

function corrupt(what: string): never {
	throw new BevError("corrupt_chunk", `Zstandard page: ${what}`);
}

function tooLong(found: number | bigint, length: number): never {
	const sizes = `(found ${found} bytes, expected ${length})`;
	return corrupt(`longer than its header says ${sizes}`);
}

/** Checks the sizes in a frame, without decoding it. Returns its end. */
function frameEnd(input: DataView, at: number, length: number): number {
	const magic = input.getUint32(at, true);
	if (magic >>> 4 === 0x184d2a5) return at + 8 + input.getUint32(at + 4, true);
	if (magic !== 0xfd2fb528) corrupt("no frame");
	const flags = input.getUint8(at + 4);
	const isSingle = (flags & 32) !== 0;
	let next = at + 5;
	if (!isSingle) {
		const descriptor = input.getUint8(next);
		const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
		const most = Math.max(MAX_WINDOW, length);
		if (window > most)
			corrupt(`window too large (found ${window}, expected at most ${most})`);
		next += 1;
	}
	next += [0, 1, 2, 4][flags & 3] ?? 0;
	const sizeBytes = flags >> 6 ? 2 ** (flags >> 6) : Number(isSingle);
	let size = flags >> 6 === 1 ? 256n : 0n;
	for (let k = 0; k < sizeBytes; k += 1)
		size += BigInt(input.getUint8(next + k)) << BigInt(8 * k);
	if (size > length) tooLong(size, length);
	return blocksEnd(input, next + sizeBytes, length) + (flags & 4);
}

/** Checks the sizes of a frame's blocks. Returns the end of the last one. */
function blocksEnd(input: DataView, at: number, length: number): number {
	let next = at;
	let known = 0;
	for (let isLast = false; !isLast; ) {
		const header = input.getUint16(next, true) | (input.getUint8(next + 2) << 16);
		const [kind, size] = [(header >> 1) & 3, header >> 3];
		isLast = (header & 1) === 1;
		if (size > MAX_BLOCK)
			corrupt(`block too large (found ${size}, expected at most ${MAX_BLOCK})`);
		if (kind < 2) known += size;
		if (known > length) tooLong(known, length);
		next += 3 + (kind === 1 ? 1 : size);
	}
	return next;
}

/** Decodes frames of Zstandard to at most `length` bytes. */
function unzstd(input: Uint8Array, length: number): Uint8Array {
	const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
	for (let at = 0; at < input.length; ) at = frameEnd(view, at, length);
	const out = new Uint8Array(length);
	let filled = 0;
	const decoder = new Decompress((piece) => {
		if (filled + piece.length > length) tooLong(filled + piece.length, length);
		out.set(piece, filled);
		filled += piece.length;
	});
	decoder.push(input, true);
	return out.subarray(0, filled);
}

type Decode = (input: Uint8Array, length: number) => Uint8Array;

function limited(decode: Decode): Decode {
	return (input, length) => {
		if (length >= 0 && length <= MAX_PAGE_BYTES) return decode(input, length);
		throw new BevError(
			"limit_exceeded",
			`page: too large (found ${length} bytes, expected at most ${MAX_PAGE_BYTES})`,
		);
	};
}

/** Decoders of a Parquet page; each returns at most the given length. */
export const COMPRESSORS = {
	SNAPPY: limited((input, length) => {
		const out = new Uint8Array(length);
		snappyUncompress(input, out);
		return out;
	}),
	GZIP: limited((input, length) => gunzipSync(input, { out: new Uint8Array(length) })),
	ZSTD: limited(unzstd),
};
