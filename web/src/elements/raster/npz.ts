import { Zip, ZipPassThrough } from "fflate";
import type { Sample, SampleArray } from "../../samples/sample.js";

/** Alignment of the data in a .npy file, in bytes. */
const ALIGNED = 64;
/** Length of the magic number, the version (1.0) and the header length. */
const PREAMBLE = 10;
/** ZIP's number of the deflate method. */
const DEFLATE = 8;

/** Returns an array in NumPy's .npy format. */
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

async function deflated(
	bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
	const stream = new Blob([bytes])
		.stream()
		.pipeThrough(new CompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A zip member compressed by the platform, off the calling thread. */
class DeflatedMember extends ZipPassThrough {
	readonly #bytes: Uint8Array<ArrayBuffer>;

	constructor(name: string, bytes: Uint8Array<ArrayBuffer>) {
		super(name);
		this.compression = DEFLATE;
		this.#bytes = bytes;
	}

	/** Computes size and checksum, then passes the bytes to `process`. */
	write(): void {
		this.push(this.#bytes, true);
	}

	protected override process(chunk: Uint8Array<ArrayBuffer>): void {
		deflated(chunk).then(
			(bytes) => this.ondata(null, bytes, true),
			(error) => this.ondata(error, new Uint8Array(), true),
		);
	}
}

/** Returns a sample in the format of `numpy.savez_compressed`: its arrays by name. */
export function npzOf(sample: Sample): Promise<Blob> {
	return new Promise((resolve, reject) => {
		const parts: Uint8Array<ArrayBuffer>[] = [];
		const zip = new Zip((error, part, final) => {
			if (error) return reject(error);
			parts.push(part as Uint8Array<ArrayBuffer>);
			if (final) resolve(new Blob(parts, { type: "application/zip" }));
		});
		for (const [name, array] of Object.entries(sample)) {
			const member = new DeflatedMember(`${name}.npy`, npyOf(array));
			zip.add(member);
			member.write();
		}
		zip.end();
	});
}
