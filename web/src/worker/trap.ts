/**
 * Whether the module stopped during a call, so that its memory may be inconsistent: a
 * WebAssembly trap, `abort()`, or a stack overflow.
 */
export function isTrap(thrown: unknown): thrown is Error {
	if (thrown instanceof WebAssembly.RuntimeError) return true;
	if (!(thrown instanceof Error)) return false;
	// Engines report a stack overflow as RangeError or InternalError.
	const overflow = thrown instanceof RangeError || thrown.name === "InternalError";
	return overflow && /call stack|recursion/i.test(thrown.message);
}
