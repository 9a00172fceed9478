/**
 * Returns the signal of `control`, which the given signals abort too. Abort `control`
 * when the work has ended, so that the signals forget it.
 */
export function linked(
	control: AbortController,
	...signals: readonly (AbortSignal | undefined)[]
): AbortSignal {
	for (const signal of signals) {
		if (!signal) continue;
		const abort = (): void => control.abort(signal.reason);
		if (signal.aborted) abort();
		else
			signal.addEventListener("abort", abort, { once: true, signal: control.signal });
	}
	return control.signal;
}
