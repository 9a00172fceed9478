import type { CoreModule } from "../core/core.js";
import createCore from "../wasm/bev_core.mjs";
import { instantiateWith } from "./wasm-module.js";

/** Creates an instance of the compiled core with its own memory. */
export function instantiate(module: WebAssembly.Module): Promise<CoreModule> {
	return instantiateWith(createCore, module);
}
