import { Buffers } from "../../src/arrays/buffers.js";
import type { PackedResult } from "../../src/arrays/result.js";
import type { CoreArray, TypedArray } from "../../src/core/types.js";
import { pack } from "../../src/worker/pack.js";

const utf8 = new TextEncoder();

export function array(
	name: string,
	data: TypedArray,
	shape = [data.length],
): CoreArray {
	return { name, dtype: "", shape, data };
}

/** Returns a text column: its UTF-8 bytes and the offset of each string. */
export function text(
	name: string,
	strings: readonly string[],
	shape = [strings.length],
): CoreArray[] {
	const parts = strings.map((one) => utf8.encode(one));
	const offsets = [0];
	for (const part of parts) offsets.push((offsets.at(-1) ?? 0) + part.length);
	const data = Uint8Array.from(parts.flatMap((part) => [...part]));
	return [
		{ name, dtype: "utf8", shape, data },
		array(`${name}.offsets`, Uint32Array.from(offsets)),
	];
}

export function packed(...arrays: CoreArray[]): PackedResult {
	return pack(arrays, new Buffers());
}
