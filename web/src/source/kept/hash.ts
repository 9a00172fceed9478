/**
 * 53 bits that tell apart byte strings which are not made to be alike: two running products,
 * of which the second is stirred by the first.
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
