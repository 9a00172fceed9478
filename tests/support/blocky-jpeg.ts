/** A colour per block of 8 by 8 pixels: red, green and blue from 0 to 255. */
export type BlockColour = (
	column: number,
	row: number,
) => readonly [red: number, green: number, blue: number];

/** Codes of the categories of DC differences (ITU-T T.81, table K.3). */
const DC_CODES = "00 010 011 100 101 110 1110 11110 111110 1111110".split(" ");

const word = (value: number): number[] => [value >> 8, value & 255];

function segment(marker: number, body: readonly number[]): number[] {
	return [0xff, marker, ...word(body.length + 2), ...body];
}

/** Returns the bits of a difference from the previous block, and the end of the block. */
function bitsOf(difference: number): string {
	const size = difference === 0 ? 0 : 1 + Math.floor(Math.log2(Math.abs(difference)));
	const value = difference < 0 ? difference + 2 ** size - 1 : difference;
	const bits = size === 0 ? "" : value.toString(2).padStart(size, "0");
	return `${DC_CODES[size]}${bits}0`;
}

/**
 * Encodes a baseline JPEG of blocks of one colour each. Its tables have codes for the
 * mean of a block, and one for its end.
 */
export function blockyJpeg(
	columns: number,
	rows: number,
	colour: BlockColour,
): Uint8Array {
	let bits = "";
	const before = [0, 0, 0];
	for (let row = 0; row < rows; row += 1)
		for (let column = 0; column < columns; column += 1) {
			const [r, g, b] = colour(column, row);
			const y = 0.299 * r + 0.587 * g + 0.114 * b;
			const values = [y - 128, 0.564 * (b - y), 0.713 * (r - y)].map(Math.round);
			for (const [i, value] of values.entries()) {
				bits += bitsOf(value - (before[i] ?? 0));
				before[i] = value;
			}
		}
	bits = bits.padEnd(8 * Math.ceil(bits.length / 8), "1");
	const scan = (bits.match(/.{8}/g) ?? []).flatMap((byte) => {
		const value = Number.parseInt(byte, 2);
		return value === 255 ? [255, 0] : [value];
	});
	const size = [...word(8 * rows), ...word(8 * columns)];
	const components = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
	return Uint8Array.from([
		...[0xff, 0xd8],
		...segment(0xdb, [0, ...Array<number>(64).fill(8)]),
		...segment(0xc0, [8, ...size, 3, ...components]),
		...segment(
			0xc4,
			[0, 0, 1, 5, 1, 1, 1, 1, 1, 1, ...Array<number>(7).fill(0)].concat([
				...Array(12).keys(),
			]),
		),
		...segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
		...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
		...scan,
		...[0xff, 0xd9],
	]);
}

/** Returns a JPEG that ends before its pixels begin. */
export function withoutPixels(jpeg: Uint8Array): Uint8Array {
	const scan = jpeg.findIndex((byte, i) => byte === 0xff && jpeg[i + 1] === 0xda);
	return jpeg.slice(0, scan);
}
