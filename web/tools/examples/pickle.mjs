// Pickles of protocol 4: texts, numbers, null, lists, dicts and float32 arrays of NumPy.

const little = (value, size) =>
	Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256);

function text(value) {
	const bytes = [...new TextEncoder().encode(value)];
	return [0x58, ...little(bytes.length, 4), ...bytes]; // BINUNICODE
}

const global = (module, name) => [...text(module), ...text(name), 0x93];

/** A float32 array in C order. */
export class Float32 {
	constructor(shape, values) {
		this.shape = shape;
		this.values = Float32Array.from(values);
	}
}

/** _reconstruct(ndarray, (0,), b"b"), with the state (1, shape, dtype, False, bytes). */
function array({ shape, values }) {
	const none = [0x4e, 0x4e, 0x4e];
	const minusOne = [0x4a, 255, 255, 255, 255];
	const dtype = [
		...[...global("numpy", "dtype"), ...text("f4"), 0x89, 0x88, 0x87, 0x52],
		...[0x28, 0x4b, 3, ...text("<"), ...none, ...minusOne, ...minusOne],
		...[0x4b, 0, 0x74, 0x62],
	];
	const bytes = new Uint8Array(values.buffer);
	return [
		...global("numpy.core.multiarray", "_reconstruct"),
		...global("numpy", "ndarray"),
		...[0x4b, 0, 0x85, 0x43, 1, 0x62, 0x87, 0x52],
		...[0x28, 0x4b, 1, 0x28, ...shape.flatMap((n) => [0x4d, ...little(n, 2)]), 0x74],
		...[...dtype, 0x89, 0x42, ...little(bytes.length, 4), ...bytes, 0x74, 0x62],
	];
}

function value(of) {
	if (of === null) return [0x4e];
	if (typeof of === "string") return text(of);
	if (typeof of === "boolean") return [of ? 0x88 : 0x89];
	if (typeof of === "number" && Number.isInteger(of)) return [0x4a, ...little(of, 4)];
	if (typeof of === "number") {
		const bytes = new Uint8Array(8);
		new DataView(bytes.buffer).setFloat64(0, of);
		return [0x47, ...bytes];
	}
	if (of instanceof Float32) return array(of);
	if (Array.isArray(of)) return [0x5d, 0x28, ...of.flatMap(value), 0x65];
	return [
		...[0x7d, 0x28],
		...Object.entries(of).flatMap(([key, one]) => [...text(key), ...value(one)]),
		0x75,
	];
}

/** Returns a value as a pickle. */
export function pickled(of) {
	return Uint8Array.from([0x80, 4, ...value(of), 0x2e]);
}
