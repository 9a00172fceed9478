import type { CoreModule } from "../core.js";
import createCore from "../wasm/bev_core.mjs";
import { instantiateWith } from "./instantiate.js";

/** A fresh instance of the compiled core, with memory of its own. */
export function instantiate(module: WebAssembly.Module): Promise<CoreModule> {
	return instantiateWith(createCore, module);
}
