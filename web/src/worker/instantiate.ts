import type { CoreFactory } from "../wasm/bev_core.mjs";

/** Creates an instance of a compiled module with its own memory. */
export function instantiateWith<T>(
	factory: CoreFactory<T>,
	module: WebAssembly.Module,
): Promise<T> {
	return new Promise((resolve, reject) => {
		factory({
			// The file is never loaded, but without this its path is derived from the
			// script's URL, which may be a blob's.
			locateFile: (path) => path,
			instantiateWasm(imports, receive) {
				WebAssembly.instantiate(module, imports).then(receive, reject);
				return {};
			},
		}).then(resolve, reject);
	});
}
