/**
 * Returns a function that loads code. Calls meanwhile wait for one import, so that they go
 * on in their order; separate imports need not. After a failure, the next call tries again.
 */
export function loaderOf<T>(load: () => Promise<T>): () => Promise<T> {
	let loading: Promise<T> | undefined;
	return () => {
		loading ??= load().finally(() => {
			loading = undefined;
		});
		return loading;
	};
}
