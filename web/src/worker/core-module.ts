import type { CoreModule } from "../core.js";
import createCore from "../wasm/bev_core.mjs";

/** A fresh instance of the compiled core, with memory of its own. */
export function instantiate(module: WebAssembly.Module): Promise<CoreModule> {
	return new Promise((resolve, reject) => {
		createCore({
			// Never asked for, but worked out from the script's address, which may be a blob's.
			locateFile: (path) => path,
			instantiateWasm(imports, receive) {
				WebAssembly.instantiate(module, imports).then(receive, reject);
				return {};
			},
		}).then(resolve, reject);
	});
}
