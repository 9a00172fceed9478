import { type Zippable, zipSync } from "fflate";
import type { Sample, SampleArray } from "../../samples/sample.js";

/** Bytes that a .npy's header is filled up to. */
const ALIGNED = 64;
/** Magic, version 1.0, and the length of what follows. */
const PREAMBLE = 10;

/** An array as NumPy saves it. */
export function npyOf({ data, shape, dtype }: SampleArray): Uint8Array<ArrayBuffer> {
	const sides = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
	const words = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${sides}), }`;
	const room = ALIGNED - ((PREAMBLE + words.length + 1) % ALIGNED);
	const header = `${words}${" ".repeat(room % ALIGNED)}\n`;
	const npy = new Uint8Array(PREAMBLE + header.length + data.byteLength);
	npy.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
	new DataView(npy.buffer).setUint16(8, header.length, true);
	npy.set(new TextEncoder().encode(header), PREAMBLE);
	const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	npy.set(bytes, PREAMBLE + header.length);
	return npy;
}

/** A sample as `numpy.savez` writes one: its arrays by name, not compressed. */
export function npzOf(sample: Sample): Blob {
	const files: Zippable = {};
	for (const [name, array] of Object.entries(sample)) {
		files[`${name}.npy`] = [npyOf(array), { level: 0 }];
	}
	return new Blob([zipSync(files) as Uint8Array<ArrayBuffer>], {
		type: "application/zip",
	});
}
