/**
 * The default address of the module that converts other data sets. Bundlers look for this
 * expression and copy the file; see `tools-module.ts`.
 */
export function convertModule(): URL {
	return new URL("../wasm/bev_convert.wasm", import.meta.url);
}
