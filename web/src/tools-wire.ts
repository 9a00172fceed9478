import type { CoreArray, CoreView } from "./core.js";
import { BevError, toBevError } from "./errors.js";

export type AnyFunction = (...args: unknown[]) => unknown;

/** `call`, whose errors are BevErrors. */
export function guard(call: AnyFunction): AnyFunction {
	return (...args) => {
		try {
			return call(...args);
		} catch (error) {
			throw toBevError(error);
		}
	};
}

/** The bytes of an array, uncopied. */
export function bytesOf({
	buffer,
	byteOffset,
	byteLength,
}: ArrayBufferView): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The array of that name, checked to be of the class the caller relies on. */
export function pick<T extends CoreView>(
	arrays: readonly CoreArray[],
	name: string,
	View: new () => T,
): T {
	const data = arrays.find((array) => array.name === name)?.data;
	if (data instanceof View) return data;
	throw new BevError("internal", `tools: no ${name}`);
}
