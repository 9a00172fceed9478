/** Bytes of a file, as parts that are not copied together. */
export type Parts = readonly (Uint8Array<ArrayBuffer> | Parts)[];

/** Returns the number of bytes in parts. */
export function sizeOfParts(parts: Parts): number {
	return parts.reduce<number>(
		(sum, part) => sum + (part instanceof Uint8Array ? part.length : sizeOfParts(part)),
		0,
	);
}

/** Returns the parts as a file. */
export function fileOf(parts: Parts, type: string): Blob {
	return new Blob(flat(parts), { type });
}

/** Returns the parts without nesting. */
function flat(parts: Parts): Uint8Array<ArrayBuffer>[] {
	return parts.flatMap((part) => (part instanceof Uint8Array ? [part] : flat(part)));
}

/** Returns an integer's `size` bytes, the most significant first: `uint(258, 2)` is 1, 2. */
export function uint(value: number, size: number): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(size);
	for (let i = size - 1, rest = value; i >= 0; i -= 1) {
		bytes[i] = rest % 256;
		rest = Math.floor(rest / 256);
	}
	return bytes;
}

/** Returns the bytes of ASCII text. */
export function ascii(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
