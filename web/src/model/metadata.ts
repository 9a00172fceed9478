/** Field `metadata_props` of ONNX's ModelProto, and the key of our settings in it. */
const METADATA = 14;
const KEY = "bevscope";

/** Types of protobuf's values. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Returns the settings in the metadata of an ONNX file; undefined if it has none. */
export function settingsIn(bytes: Uint8Array): string | undefined {
	for (const [field, content] of fieldsOf(bytes)) {
		if (field !== METADATA) continue;
		const entry = new Map(fieldsOf(content));
		if (textOf(entry.get(1)) === KEY) return textOf(entry.get(2));
	}
	return undefined;
}

/**
 * Yields the fields of a message that are bytes, as views; skips others. Ends where the
 * message is damaged: the runtime refuses the file then.
 */
function* fieldsOf(bytes: Uint8Array): Generator<[field: number, content: Uint8Array]> {
	const cursor = { bytes, at: 0 };
	while (cursor.at < bytes.length) {
		const tag = varint(cursor);
		const kind = tag % 8;
		if (kind === VARINT) varint(cursor);
		else if (kind === FIXED64) cursor.at += 8;
		else if (kind === FIXED32) cursor.at += 4;
		else if (kind === BYTES) {
			const length = varint(cursor);
			const begin = cursor.at;
			cursor.at += length;
			if (cursor.at > bytes.length) return;
			yield [Math.floor(tag / 8), bytes.subarray(begin, cursor.at)];
		} else return;
	}
}

/** Reads an integer of up to 53 bits; larger ones are beyond every file. */
function varint(cursor: { readonly bytes: Uint8Array; at: number }): number {
	let value = 0;
	for (let shift = 0; shift < 10; shift += 1) {
		const byte = cursor.bytes[cursor.at] ?? 0;
		cursor.at += 1;
		value += (byte % 128) * 2 ** (7 * shift);
		if (byte < 128) break;
	}
	return value;
}

function textOf(content: Uint8Array | undefined): string | undefined {
	return content && new TextDecoder().decode(content);
}
