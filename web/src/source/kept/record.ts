import type { Validator } from "../validator.js";
import { hash } from "./hash.js";

/** What a file of the shelf is a list of: bytes of one object, and what is known of them. */
export interface RecordHead {
	/** The object's address, without what signs it. */
	readonly of: string;
	/** Where the bytes begin in the object, and where they end. */
	readonly begin: number;
	readonly end: number;
	readonly validator: Validator;
	/** Of the store's metadata, where the server tells nothing of the object. */
	readonly metadata: number | undefined;
	/** Of the bytes. */
	readonly hash: number;
}

/** A record, and where its bytes are in the file. */
export interface Placed {
	readonly head: RecordHead;
	readonly at: number;
}

const MAGIC = 0x31564542; // "BEV1"
/** Magic, bytes of the head as JSON, bytes of the object. */
const PREFIX = 12;

export function encode(
	head: Omit<RecordHead, "hash" | "end">,
	bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
	const end = head.begin + bytes.length;
	const text = JSON.stringify({ ...head, end, hash: hash(bytes) });
	const json = new TextEncoder().encode(text);
	const record = new Uint8Array(PREFIX + json.length + bytes.length);
	const view = new DataView(record.buffer);
	view.setUint32(0, MAGIC, true);
	view.setUint32(4, json.length, true);
	view.setUint32(8, bytes.length, true);
	record.set(json, PREFIX);
	record.set(bytes, PREFIX + json.length);
	return record;
}

/** Every whole record of a file. What is no record, as a write cut short, ends the list. */
export async function parse(file: Blob): Promise<Placed[]> {
	const found: Placed[] = [];
	for (let at = 0; at + PREFIX <= file.size; ) {
		const prefix = new DataView(await file.slice(at, at + PREFIX).arrayBuffer());
		const [head, bytes] = [prefix.getUint32(4, true), prefix.getUint32(8, true)];
		const begin = at + PREFIX + head;
		const sound = prefix.getUint32(0, true) === MAGIC && begin + bytes <= file.size;
		const text = sound ? await file.slice(at + PREFIX, begin).text() : "";
		const parsed = headOf(text, bytes);
		if (!parsed) break;
		found.push({ head: parsed, at: begin });
		at = begin + bytes;
	}
	return found;
}

function headOf(text: string, bytes: number): RecordHead | undefined {
	try {
		const head = JSON.parse(text) as RecordHead;
		return head.end - head.begin === bytes ? head : undefined;
	} catch {
		return undefined;
	}
}

/** The bytes of a record, or undefined where they are not those that were written. */
export async function bytesOf(
	file: Blob,
	{ head, at }: Placed,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const part = file.slice(at, at + head.end - head.begin);
	const bytes = new Uint8Array(await part.arrayBuffer());
	return hash(bytes) === head.hash ? bytes : undefined;
}
