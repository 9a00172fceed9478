/** Largest float32 that is a subnormal half or 0, exclusive: 2^-14, as bits. */
const FIRST_NORMAL = 0x38800000;
/** 65,536 as bits: larger ones overflow. */
const OVERFLOW = 0x47800000;
const INFINITY = 0x7f800000;

/** Returns the nearest IEEE 754 halves, ties to even, as bits; infinity on overflow. */
export function halvesOf(values: Float32Array): Uint16Array {
	const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
	const halves = new Uint16Array(values.length);
	for (const [i, all] of bits.entries()) {
		const sign = (all >>> 16) & 0x8000;
		const size = all & 0x7fffffff;
		halves[i] = sign | halfOf(size, Math.abs(values[i] ?? 0));
	}
	return halves;
}

/** Returns a half's bits without its sign. */
function halfOf(size: number, value: number): number {
	if (size > INFINITY) return 0x7e00;
	if (size >= OVERFLOW) return 0x7c00;
	if (size < FIRST_NORMAL) return evenOf(value * 2 ** 24);
	const even = (size >>> 13) & 1;
	return (size - 0x38000000 + 0xfff + even) >>> 13;
}

function evenOf(value: number): number {
	const below = Math.floor(value);
	const rest = value - below;
	return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

/** Returns the values of halves that are given as bits. */
export function floatsOf(halves: Uint16Array): Float32Array {
	return Float32Array.from(halves, (half) => {
		const sign = half & 0x8000 ? -1 : 1;
		const exponent = (half >>> 10) & 31;
		const fraction = (half & 1023) / 1024;
		if (exponent === 0) return sign * fraction * 2 ** -14;
		if (exponent === 31) return fraction === 0 ? sign / 0 : Number.NaN;
		return sign * (1 + fraction) * 2 ** (exponent - 15);
	});
}
