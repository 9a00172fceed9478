// Made-up Waymo scenarios: the schema of the data set, with content of our own.

const STEPS = 6;

function varint(value: number): number[] {
	const out: number[] = [];
	let rest = value;
	for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
	return [...out, rest];
}

const bytes = (number: number, content: Iterable<number>): number[] => {
	const list = [...content];
	return [...varint(number * 8 + 2), ...varint(list.length), ...list];
};

const integer = (number: number, value: number): number[] => [
	...varint(number * 8),
	...varint(value),
];

const double = (number: number, value: number): number[] => [
	...varint(number * 8 + 1),
	...new Uint8Array(Float64Array.of(value).buffer),
];

const float = (number: number, value: number): number[] => [
	...varint(number * 8 + 5),
	...new Uint8Array(Float32Array.of(value).buffer),
];

const point = (x: number, y: number): number[] => [
	...double(1, x),
	...double(2, y),
	...double(3, 0),
];

const line = (x: number, y: number, count = 21): number[][] =>
	Array.from({ length: count }, (_, i) => point(x + i, y));

function track(id: number, type: number, x: number, y: number): number[] {
	const states = Array.from({ length: STEPS }, (_, i) => [
		...double(2, x + i),
		...double(3, y),
		...double(4, 1),
		...float(5, 4.5),
		...float(6, 2),
		...float(7, 1.5),
		...float(8, 0),
		...float(9, 10),
		...float(10, 0),
		...integer(11, 1),
	]);
	return [
		...integer(1, id),
		...integer(2, type),
		...states.flatMap((state) => bytes(3, state)),
	];
}

/**
 * Returns a scenario of 6 frames with the vehicle 7 (to predict, of interest), the
 * pedestrian 8 (to predict), the vehicle 9, the lanes 1 and 2 and a red light.
 */
export function waymoScenario(id: string, x = 1000): Uint8Array<ArrayBuffer> {
	const lane = (start: number, more: number[] = []): number[] =>
		bytes(3, [
			...integer(2, 2),
			...line(start, 500).flatMap((one) => bytes(8, one)),
			...more,
		]);
	const features = [
		[...integer(1, 1), ...lane(x, bytes(10, varint(2)))],
		[...integer(1, 2), ...lane(x + 20)],
		[
			...integer(1, 3),
			...bytes(
				8,
				[point(x + 8, 495), point(x + 11, 495), point(x + 11, 505)].flatMap((one) =>
					bytes(1, one),
				),
			),
		],
	];
	const light = bytes(1, [
		...integer(1, 1),
		...integer(2, 4),
		...bytes(3, point(x + 20, 500)),
	]);
	const steps = Array.from({ length: STEPS }, (_, i) => i);
	return Uint8Array.from([
		...steps.flatMap((i) => double(1, i / 10)),
		...bytes(2, track(7, 1, x + 12, 500)),
		...bytes(2, track(20, 1, x, 500)),
		...bytes(2, track(8, 2, x + 9, 505)),
		...bytes(2, track(9, 1, x + 15, 510)),
		...integer(4, 7),
		...bytes(5, new TextEncoder().encode(id)),
		...integer(6, 1),
		...steps.flatMap(() => bytes(7, light)),
		...features.flatMap((one) => bytes(8, one)),
		...integer(10, 2),
		...bytes(11, integer(1, 0)),
		...bytes(11, integer(1, 2)),
	]);
}

function crc32c(content: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of content) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit += 1) {
			crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
		}
	}
	return (crc ^ 0xffffffff) >>> 0;
}

function masked(content: Uint8Array): Uint8Array {
	const crc = crc32c(content);
	const rotated = ((crc >>> 15) | (crc << 17)) >>> 0;
	return new Uint8Array(Uint32Array.of(rotated + 0xa282ead8).buffer);
}

/** Returns a TFRecord file of these records. */
export function tfrecords(
	...records: readonly Uint8Array<ArrayBuffer>[]
): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(
		records.flatMap((content) => {
			const length = new Uint8Array(BigUint64Array.of(BigInt(content.length)).buffer);
			return [...length, ...masked(length), ...content, ...masked(content)];
		}),
	);
}
