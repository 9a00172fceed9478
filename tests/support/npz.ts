import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

/** An array of a .npz, with numbers as JavaScript numbers and strings decoded. */
export interface NpyArray {
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly data: ArrayLike<number | bigint | string>;
}

/** Reads the arrays of a .npz by name. */
export function readNpz(path: string): Map<string, NpyArray> {
	const arrays = new Map<string, NpyArray>();
	for (const [name, bytes] of zipEntries(readFileSync(path))) {
		arrays.set(name.replace(/\.npy$/, ""), parseNpy(bytes));
	}
	return arrays;
}

/** Uses the central directory, which has the sizes even of streamed entries. */
function zipEntries(zip: Buffer): [string, Buffer][] {
	const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
	const entries: [string, Buffer][] = [];
	let at = zip.readUInt32LE(end + 16);
	for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
		const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
		const [nameSize, extra] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
		const name = zip.toString("utf8", at + 46, at + 46 + nameSize);
		const local = zip.readUInt32LE(at + 42);
		const begin =
			local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
		const bytes = zip.subarray(begin, begin + size);
		entries.push([name, method === 8 ? inflateRawSync(bytes) : bytes]);
		at += 46 + nameSize + extra + zip.readUInt16LE(at + 32);
	}
	return entries;
}

function parseNpy(npy: Buffer): NpyArray {
	const wide = (npy[6] ?? 1) >= 2;
	const headerSize = wide ? npy.readUInt32LE(8) : npy.readUInt16LE(8);
	const begin = (wide ? 12 : 10) + headerSize;
	const header = npy.toString("latin1", wide ? 12 : 10, begin);
	const dtype = /'descr': '([^']+)'/.exec(header)?.[1] ?? "";
	const shape = [...(/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? "").matchAll(/\d+/g)];
	const body = Uint8Array.from(npy.subarray(begin)).buffer; // aligned for any view
	return { dtype, shape: shape.map(([side]) => Number(side)), data: view(dtype, body) };
}

const VIEWS: Record<string, (body: ArrayBuffer) => ArrayLike<number | bigint>> = {
	"<f4": (body) => new Float32Array(body),
	"<f8": (body) => new Float64Array(body),
	"<i8": (body) => new BigInt64Array(body),
	"<u8": (body) => new BigUint64Array(body),
	"<i4": (body) => new Int32Array(body),
	"<u4": (body) => new Uint32Array(body),
	"|b1": (body) => new Uint8Array(body),
	"|u1": (body) => new Uint8Array(body),
};

function view(dtype: string, body: ArrayBuffer): NpyArray["data"] {
	const numeric = VIEWS[dtype];
	if (numeric) return numeric(body);
	const width = Number(/^<U(\d+)$/.exec(dtype)?.[1]);
	if (!width) throw new Error(`npy: dtype ${dtype} is not read here`);
	const points = new Uint32Array(body);
	return Array.from({ length: points.length / width }, (_, i) => {
		const used = points
			.subarray(i * width, (i + 1) * width)
			.filter((point) => point > 0);
		return String.fromCodePoint(...used);
	});
}
