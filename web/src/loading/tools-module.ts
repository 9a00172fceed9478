/**
 * The default address of the tools module. Bundlers look for this expression and copy
 * the file, so only the tools import this module; it is here because the address is
 * relative to a directory below the package's root, in bundles too.
 */
export function toolsModule(): URL {
	return new URL("../wasm/bev_tools.wasm", import.meta.url);
}
