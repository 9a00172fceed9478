/**
 * Columnar copies (docs/format.md) of uncompressed data sets in L5Kit's format: a group
 * per table, an array per field.
 */
type Objects = ReadonlyMap<string, Uint8Array>;
type Field = readonly [name: string, dtype: string, shape?: readonly number[]];

interface Zarray {
	readonly shape: readonly number[];
	readonly chunks: readonly number[];
	readonly dtype: readonly Field[] | string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function json(value: unknown): Uint8Array {
	return encoder.encode(JSON.stringify(value));
}

function itemBytes(dtype: string): number {
	const size = Number(dtype.slice(2));
	return dtype[1] === "U" ? 4 * size : size;
}

/** Returns a string's code points as UTF-8, zero-padded to the same size. */
function utf8(points: Uint8Array): Uint8Array {
	const { buffer, byteOffset, byteLength } = points.slice();
	const codes = new Uint32Array(buffer, byteOffset, byteLength / 4);
	const out = new Uint8Array(byteLength);
	out.set(encoder.encode(String.fromCodePoint(...codes.filter((code) => code !== 0))));
	return out;
}

/** Returns the bytes of a field at `offset` of each record of a chunk. */
function columnOf(chunk: Uint8Array, offset: number, field: Field, record: number) {
	const [, dtype, shape = []] = field;
	const size = shape.reduce((a, b) => a * b, itemBytes(dtype));
	const out = new Uint8Array((chunk.length / record) * size);
	for (let row = 0; row * record < chunk.length; row++) {
		const begin = row * record + offset;
		const value = chunk.subarray(begin, begin + size);
		out.set(dtype[1] === "U" ? utf8(value) : value, row * size);
	}
	return out;
}

/** Returns the objects of the columnar copy, with consolidated metadata. */
export function columnarCopy(objects: Objects): Map<string, Uint8Array> {
	const out = new Map<string, Uint8Array>();
	const tables: Record<string, readonly Field[]> = {};
	const metadata: Record<string, unknown> = { ".zgroup": { zarr_format: 2 } };
	for (const [key, text] of objects) {
		if (!key.endsWith("/.zarray")) continue;
		const table = key.slice(0, -"/.zarray".length);
		const zarray = JSON.parse(decoder.decode(text)) as Zarray;
		if (typeof zarray.dtype === "string") continue;
		tables[table] = zarray.dtype;
		metadata[`${table}/.zgroup`] = { zarr_format: 2 };
		const sizes = zarray.dtype.map(([, dtype, shape = []]) =>
			shape.reduce((a, b) => a * b, itemBytes(dtype)),
		);
		const record = sizes.reduce((a, b) => a + b, 0);
		let offset = 0;
		zarray.dtype.forEach((field, i) => {
			const [name, dtype, shape = []] = field;
			metadata[`${table}/${name}/.zarray`] = {
				...zarray,
				shape: [...zarray.shape, ...shape],
				chunks: [...zarray.chunks, ...shape],
				dtype: dtype[1] === "U" ? `|S${itemBytes(dtype)}` : dtype,
				fill_value: null,
			};
			for (let chunk = 0; objects.has(`${table}/${chunk}`); chunk++) {
				const bytes = objects.get(`${table}/${chunk}`) ?? new Uint8Array();
				const column = columnOf(bytes, offset, field, record);
				out.set(`${table}/${name}/${chunk}${".0".repeat(shape.length)}`, column);
			}
			offset += sizes[i] ?? 0;
		});
	}
	const attrs = objects.get(".zattrs");
	metadata[".zattrs"] = {
		...(attrs === undefined ? {} : JSON.parse(decoder.decode(attrs))),
		bevscope_columns: { version: 1, tables },
	};
	for (const [key, value] of Object.entries(metadata)) out.set(key, json(value));
	out.set(".zmetadata", json({ metadata, zarr_consolidated_format: 1 }));
	return out;
}
