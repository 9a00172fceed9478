import { check, checkOptions, type Kinds } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { checkPlain } from "../base/plain.js";

/** The type of an attribute: NumPy's code, e.g. `<f4`, and the shape of an item. */
export interface AttributeType {
	/**
	 * NumPy's code with byte order, e.g. `<f4`; or a record's fields as NumPy lists them.
	 * None of the kinds `bytes`, `text` and `image`.
	 */
	readonly dtype?: string | readonly unknown[] | undefined;
	/**
	 * Shape of an item; default: a scalar. If its first length is null, it varies from row
	 * to row.
	 */
	readonly shape?: readonly (number | null)[] | undefined;
	/** Of variable length; `array` follows from the shape, `npy` are files of NumPy's. */
	readonly kind?: "array" | "bytes" | "text" | "image" | "npy" | undefined;
	/** Whether rows may be null: `NAME.valid` says which are not. */
	readonly nullable?: boolean | undefined;
	/** Type of images and bytes, e.g. `image/jpeg`. */
	readonly contentType?: string | undefined;
}

/**
 * A codec as zarr version 2 spells it in metadata: `{ id: "zstd", level: 3 }`,
 * `{ id: "blosc", cname: "lz4", clevel: 5, shuffle: 1 }`, `{ id: "lz4", acceleration: 1 }`,
 * `{ id: "zlib", level: 1 }`, `{ id: "gzip", level: 1 }`.
 */
export interface Codec {
	/** Name of the codec. */
	readonly id: string;
	/** Parameters of the codec. */
	readonly [parameter: string]: string | number;
}

/** The schema of a data set, and how it is stored. */
export interface DataConfig {
	/** Name of the data set. */
	readonly name: string;
	/** Types of the arrays by name; a string is the dtype of scalars. */
	readonly attributes: Readonly<Record<string, string | AttributeType>>;
	/** JSON to keep with the data set. */
	readonly additional?: Readonly<Record<string, unknown>> | undefined;
	/** Codec of the chunks; default: none. */
	readonly compressor?: Codec | null | undefined;
	/** Limit of every object's stored size in bytes; default 8 MiB. */
	readonly maxObjectSize?: number | undefined;
	/** Version of the zarr format; default 2. */
	readonly zarrFormat?: 2 | 3 | undefined;
	/**
	 * Version 3: an object holds so many chunks, each of them so many times smaller; 0, the
	 * default, for one chunk per object.
	 */
	readonly chunksPerShard?: number | undefined;
}

const CONFIG: Kinds = {
	...{ name: "text", attributes: "options", additional: "any", compressor: "any" },
	...{ maxObjectSize: "index", zarrFormat: "index", chunksPerShard: "index" },
};

/** Checks a config for what JSON would drop, or write as another value. */
export function checkConfig(config: DataConfig): void {
	checkOptions("config", config ?? null, CONFIG);
	check("config: name", config.name ?? null, "text");
	check("config: attributes", config.attributes ?? null, "options");
	for (const [name, type] of Object.entries(config.attributes)) {
		checkPlain(`config: attributes: ${name}`, withoutNull(type));
	}
}

/** Returns a type with 0 for lengths that vary: null would be refused. */
function withoutNull(type: unknown): unknown {
	const { shape } = Object(type) as AttributeType;
	if (!Array.isArray(shape)) return type;
	return { ...Object(type), shape: shape.map((length) => length ?? 0) };
}

function typeJson(type: string | AttributeType): object {
	if (typeof type === "string") return { dtype: type };
	const { contentType, ...others } = type;
	return { ...others, content_type: contentType };
}

/** Returns a config as the core's JSON. */
export function configJson(config: DataConfig): string {
	const { name, attributes, additional, compressor } = config;
	return JSON.stringify({
		name,
		attributes: Object.entries(attributes).map(([key, type]) => ({
			name: key,
			...typeJson(type),
		})),
		additional,
		compressor: compressor ?? null,
		max_object_size: config.maxObjectSize,
		zarr_format: config.zarrFormat,
		chunks_per_shard: config.chunksPerShard,
	});
}

/** The core's JSON of a config. */
interface ConfigJson {
	readonly name: string;
	readonly additional: Readonly<Record<string, unknown>>;
	readonly attributes: readonly (Omit<AttributeType, "contentType"> & {
		readonly name: string;
		readonly content_type?: string;
	})[];
	readonly compressor: Codec | null;
	readonly max_object_size: number;
	readonly zarr_format?: 2 | 3;
	readonly chunks_per_shard?: number;
}

/** Returns a config with all members. */
export function configFrom(text: string): Required<DataConfig> {
	const json = JSON.parse(text) as ConfigJson;
	const { name, additional, compressor } = json;
	const attributes = Object.fromEntries(
		json.attributes.map(({ name, content_type: contentType, ...type }) => [
			name,
			contentType === undefined ? type : { ...type, contentType },
		]),
	);
	return {
		name,
		attributes,
		additional,
		compressor,
		maxObjectSize: json.max_object_size,
		zarrFormat: json.zarr_format ?? 2,
		chunksPerShard: json.chunks_per_shard ?? 0,
	};
}

/**
 * Returns the dtype of an array of a batch: of an attribute, or of the offsets or
 * validity of one.
 */
export function dtypeIn(
	attributes: DataConfig["attributes"],
	name: string,
): string | readonly unknown[] {
	const type = attributes[name];
	if (typeof type === "string") return type;
	if (type) return type.kind === "npy" ? "|u1" : (type.dtype ?? "|u1");
	return name.endsWith(".valid") ? "|b1" : "";
}

/** Values of an attribute: one after the other, row by row. */
export type BatchData =
	| Int8Array
	| Uint8Array
	| Uint8ClampedArray
	| Int16Array
	| Uint16Array
	| Int32Array
	| Uint32Array
	| Float32Array
	| Float64Array
	| BigInt64Array
	| BigUint64Array;

const CODES: readonly (readonly [new (length: number) => BatchData, string])[] = [
	[Int8Array, "|i1"],
	[Uint8Array, "|u1"],
	[Uint8ClampedArray, "|u1"],
	[Int16Array, "<i2"],
	[Uint16Array, "<u2"],
	[Int32Array, "<i4"],
	[Uint32Array, "<u4"],
	[Float32Array, "<f4"],
	[Float64Array, "<f8"],
	[BigInt64Array, "<i8"],
	[BigUint64Array, "<u8"],
];

/** Types whose arrays have other classes than their own: complex numbers and times. */
const RELATED: Readonly<Record<string, string>> = {
	c8: "<f4",
	c16: "<f8",
	M8: "<i8",
	m8: "<i8",
};

/**
 * Returns the dtype of a batch's array for an attribute; "" for bytes of the
 * attribute's.
 */
export function dtypeOf(
	name: string,
	data: BatchData,
	expected: string | readonly unknown[],
): string {
	const own = CODES.find(([type]) => data instanceof type)?.[1];
	if (own === undefined) {
		throw new BevError("invalid_argument", `${name}: not a typed array`);
	}
	const code = typeof expected === "string" ? expected : "|V";
	const related = RELATED[code.slice(1).replace(/\[.*/, "")];
	if (code.startsWith("<") && related === own) return "";
	const isPlain = CODES.some(([, known]) => known === code);
	return own === "|u1" && !isPlain && (related === undefined || code.startsWith(">"))
		? ""
		: own;
}

/** Returns the bytes of a typed array, without copying. */
export function bytesOf(data: ArrayBufferView): Uint8Array {
	return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
