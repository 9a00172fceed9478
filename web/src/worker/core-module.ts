import type { CoreDoor } from "../core/door.js";
import createCore from "../wasm/bev_core.mjs";
import { instantiateWith } from "./wasm-module.js";

/** Creates an instance of the compiled core with its own memory. */
export function instantiate(module: WebAssembly.Module): Promise<CoreDoor> {
	return instantiateWith(createCore, module);
}
