/**
 * Returns a 53-bit hash of the bytes, made of two multiplicative hashes, the second
 * mixed with the first. Not collision-resistant against deliberate input.
 */
export function hash(bytes: Uint8Array): number {
	let [low, high] = [0x811c9dc5, bytes.length];
	for (const byte of bytes) {
		low = Math.imul(low ^ byte, 0x01000193);
		high = Math.imul(high ^ (low >>> 15), 0x85ebca6b);
	}
	return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

export function hashOfText(text: string): number {
	return hash(new TextEncoder().encode(text));
}
