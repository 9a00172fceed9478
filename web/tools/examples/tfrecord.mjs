// Writes protobuf messages and TFRecord files, as far as the examples and tests need them.

export function varint(value) {
	const out = [];
	let rest = value;
	for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
	return [...out, rest];
}

/** A field of bytes: text, a message, or packed numbers. */
export function bytes(number, content) {
	const list = [...content];
	return [...varint(number * 8 + 2), ...varint(list.length), ...list];
}

export const integer = (number, value) => [...varint(number * 8), ...varint(value)];

export const double = (number, value) => [
	...varint(number * 8 + 1),
	...new Uint8Array(Float64Array.of(value).buffer),
];

export const float = (number, value) => [
	...varint(number * 8 + 5),
	...new Uint8Array(Float32Array.of(value).buffer),
];

function crc32c(content) {
	let crc = 0xffffffff;
	for (const byte of content) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit += 1) {
			crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
		}
	}
	return (crc ^ 0xffffffff) >>> 0;
}

function masked(content) {
	const crc = crc32c(content);
	const rotated = ((crc >>> 15) | (crc << 17)) >>> 0;
	return new Uint8Array(Uint32Array.of(rotated + 0xa282ead8).buffer);
}

/** Returns a TFRecord file of these records. */
export function tfrecords(...records) {
	const parts = records.flatMap((content) => {
		const length = new Uint8Array(BigUint64Array.of(BigInt(content.length)).buffer);
		return [length, masked(length), content, masked(content)];
	});
	return Uint8Array.from(parts.flatMap((part) => [...part]));
}
