/**
 * The default address of the module that saves and loads arrays. Bundlers look for this
 * expression and copy the file; see `tools-module.ts`.
 */
export function saveModule(): URL {
	return new URL("../wasm/bev_save.wasm", import.meta.url);
}
