/** Returns `promise`, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(
	promise: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T> {
	if (!signal) return promise;
	return new Promise<T>((resolve, reject) => {
		const abort = (): void => reject(signal.reason);
		if (signal.aborted) abort();
		promise.then(resolve, reject);
		signal.addEventListener("abort", abort, { once: true });
		const done = (): void => signal.removeEventListener("abort", abort);
		promise.then(done, done);
	});
}
