import { hash, type Validator } from "../validator.js";

/** Describes a record's bytes. */
export interface RecordHead {
	/** The object's URL without its query. */
	readonly of: string;
	/** Range of the bytes in the object. */
	readonly begin: number;
	readonly end: number;
	readonly validator: Validator;
	/** Hash of the store's metadata, for servers that send no validator. */
	readonly metadata: number | undefined;
	/** Hash of the bytes. */
	readonly hash: number;
}

/** A record, and the offset of its bytes in the file. */
export interface Placed {
	readonly head: RecordHead;
	readonly at: number;
}

/** A record to append to a file. */
export interface Encoded {
	readonly head: RecordHead;
	readonly record: Uint8Array<ArrayBuffer>;
	/** Offset of the bytes in `record`. */
	readonly start: number;
}

const MAGIC = 0x31564542; // "BEV1"
/** Size of the prefix: magic, length of the JSON head, length of the bytes. */
const PREFIX = 12;
/** Bytes that `parse` reads at a time: covers the heads of several small records. */
const WINDOW = 2 ** 14;

export function encode(
	given: Omit<RecordHead, "hash" | "end">,
	bytes: Uint8Array,
): Encoded {
	const head = { ...given, end: given.begin + bytes.length, hash: hash(bytes) };
	const json = new TextEncoder().encode(JSON.stringify(head));
	const start = PREFIX + json.length;
	const record = new Uint8Array(start + bytes.length);
	const view = new DataView(record.buffer);
	view.setUint32(0, MAGIC, true);
	view.setUint32(4, json.length, true);
	view.setUint32(8, bytes.length, true);
	record.set(json, PREFIX);
	record.set(bytes, start);
	return { head, record, start };
}

/**
 * Returns all complete records of a file. Anything else, such as a torn write, ends the
 * list.
 */
export async function parse(file: Blob): Promise<Placed[]> {
	const found: Placed[] = [];
	let window = new Uint8Array();
	let from = 0;
	const peek = async (at: number, length: number): Promise<Uint8Array> => {
		if (at < from || at + length > from + window.length) {
			const end = at + Math.max(length, WINDOW);
			window = new Uint8Array(await file.slice(at, end).arrayBuffer());
			from = at;
		}
		return window.subarray(at - from, at - from + length);
	};
	for (let at = 0; at + PREFIX <= file.size; ) {
		const prefix = await peek(at, PREFIX);
		const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX);
		const [json, bytes] = [view.getUint32(4, true), view.getUint32(8, true)];
		const begin = at + PREFIX + json;
		if (view.getUint32(0, true) !== MAGIC || begin + bytes > file.size) break;
		const head = headOf(await peek(at + PREFIX, json), bytes);
		if (!head) break;
		found.push({ head, at: begin });
		at = begin + bytes;
	}
	return found;
}

function headOf(json: Uint8Array, bytes: number): RecordHead | undefined {
	try {
		const head = JSON.parse(new TextDecoder().decode(json)) as RecordHead;
		return head.end - head.begin === bytes ? head : undefined;
	} catch {
		return undefined;
	}
}

/** Returns a record's bytes, or undefined if their hash does not match. */
export async function bytesOf(
	file: Blob,
	{ head, at }: Placed,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const part = file.slice(at, at + head.end - head.begin);
	const bytes = new Uint8Array(await part.arrayBuffer());
	return hash(bytes) === head.hash ? bytes : undefined;
}
