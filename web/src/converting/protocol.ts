import type { WireError } from "../worker/protocol.js";
import type { Converted } from "./convert.js";

/** Starts the one conversion of a worker. */
export interface ToConvertWorker {
	readonly module: WebAssembly.Module;
	readonly file: Blob;
	readonly name: string;
}

export type FromConvertWorker =
	| { readonly type: "ready" }
	| { readonly type: "progress"; readonly done: number; readonly of: number }
	| { readonly type: "converted"; readonly converted: Converted }
	| { readonly type: "failure"; readonly error: WireError };
