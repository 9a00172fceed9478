import type { CoreFactory } from "../wasm/bev_core.mjs";

/** A fresh instance of a compiled module, with memory of its own. */
export function instantiateWith<T>(
	factory: CoreFactory<T>,
	module: WebAssembly.Module,
): Promise<T> {
	return new Promise((resolve, reject) => {
		factory({
			// Never asked for, but worked out from the script's address, which may be a blob's.
			locateFile: (path) => path,
			instantiateWasm(imports, receive) {
				WebAssembly.instantiate(module, imports).then(receive, reject);
				return {};
			},
		}).then(resolve, reject);
	});
}
