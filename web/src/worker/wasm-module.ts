import { BevError, messageOf } from "../base/errors.js";
import type { CoreFactory } from "../wasm/bev_core.mjs";

/**
 * Creates an instance of a compiled module with its own memory. Rejects with
 * `invalid_argument` if the module does not belong to the factory's script.
 */
export function instantiateWith<T>(
	factory: CoreFactory<T>,
	module: WebAssembly.Module,
): Promise<T> {
	return new Promise((resolve, reject) => {
		factory({
			instantiateWasm(imports, receive) {
				WebAssembly.instantiate(module, imports)
					.then(receive)
					.catch((cause) => reject(foreign(cause)));
				return {};
			},
		}).then(resolve, reject);
	});
}

function foreign(cause: unknown): BevError {
	return new BevError(
		"invalid_argument",
		`module: does not match the script (found ${messageOf(cause)}, expected the file of the same package and version)`,
		{ cause },
	);
}

/**
 * Whether a module stopped during a call, so that its memory may be inconsistent: a
 * WebAssembly trap, `abort()`, or a stack overflow.
 */
export function isTrap(thrown: unknown): thrown is Error {
	if (thrown instanceof WebAssembly.RuntimeError) return true;
	if (!(thrown instanceof Error)) return false;
	// Engines report a stack overflow as RangeError or InternalError.
	const overflow = thrown instanceof RangeError || thrown.name === "InternalError";
	return overflow && /call stack|recursion/i.test(thrown.message);
}

/** Returns the trap that an error of the core tells of, if any. */
export function trapOf(thrown: unknown): Error | undefined {
	if (isTrap(thrown)) return thrown;
	const cause = thrown instanceof BevError ? thrown.cause : undefined;
	return isTrap(cause) ? cause : undefined;
}
