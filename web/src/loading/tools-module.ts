/** The default address of the tools module. Bundlers look for this expression. */
export function toolsModule(): URL {
	return new URL("../wasm/bev_tools.wasm", import.meta.url);
}
