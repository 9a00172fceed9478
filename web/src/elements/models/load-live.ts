type Live = typeof import("./live.js");

let loading: Promise<Live> | undefined;

/**
 * Loads the code of live models. Calls meanwhile wait for one import, so that they go on
 * in their order; separate imports need not.
 */
export function loadLive(): Promise<Live> {
	loading ??= import("./live.js").finally(() => {
		loading = undefined;
	});
	return loading;
}
