export function varint(value: number): number[];
export function bytes(number: number, content: Iterable<number>): number[];
export function integer(number: number, value: number): number[];
export function double(number: number, value: number): number[];
export function float(number: number, value: number): number[];
export function tfrecords(
	...records: readonly Uint8Array<ArrayBuffer>[]
): Uint8Array<ArrayBuffer>;
