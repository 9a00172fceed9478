import type { LoadOptions } from "../api.js";
import { Core } from "../core/core.js";
import { compile } from "../loading/compile.js";
import { instantiate } from "../worker/core-module.js";

const KEY = "dataset-toolkit.unischema.v1";

/** A field of Petastorm's schema, as the core reads it. */
export interface UnischemaField {
	readonly name: string;
	/** NumPy's name of the type: "int32", "str_"; "Decimal". */
	readonly dtype: string;
	/** Lengths of axes; null for those that vary. */
	readonly shape: readonly (number | null)[];
	/** "" or the class of the codec. */
	readonly codec: string;
	/** "png", "jpeg"; "" if it is no image. */
	readonly image: string;
	readonly nullable: boolean;
}

/**
 * Returns the fields of Petastorm's schema, a pickle that the core reads.
 *
 * @param wasm the module that reads every format
 * @throws BevError: `invalid_metadata` for anything else
 */
export async function parseUnischema(
	pickled: Uint8Array,
	wasm?: LoadOptions["streamWasm"],
): Promise<readonly UnischemaField[]> {
	// A response can be read once, and the data set's engine reads it, too.
	const given = wasm instanceof Response ? wasm.clone() : wasm;
	const { module } = await compile(given, "every");
	const core = new Core(await instantiate(module));
	return JSON.parse(core.run("unischema", { pickled }));
}

/**
 * Returns the pickled schema in a footer; undefined if there is none. hyparquet decodes
 * values as UTF-8, which a pickle is not: the bytes after the key are its value, as a
 * field of Thrift's compact protocol.
 */
export function pickledSchema(footer: Uint8Array): Uint8Array | undefined {
	const key = new TextEncoder().encode(KEY);
	for (
		let at = footer.indexOf(key[0] ?? 0);
		at >= 0;
		at = footer.indexOf(key[0] ?? 0, at + 1)
	) {
		if (!key.every((byte, i) => footer[at + i] === byte)) continue;
		let next = at + key.length;
		if (footer[next] !== 0x18) continue; // binary, the next field
		let [length, shift, byte] = [0, 0, 0x80];
		while (byte & 0x80 && shift < 35) {
			next += 1;
			byte = footer[next] ?? 0;
			length += (byte & 0x7f) * 2 ** shift;
			shift += 7;
		}
		const value = footer.subarray(next + 1, next + 1 + length);
		if (value.length === length) return value;
	}
	return undefined;
}
