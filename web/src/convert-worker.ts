/** Entry point of the worker that converts a file of another data set. */

import { convertWaymo } from "./converting/convert.js";
import type { FromConvertWorker, ToConvertWorker } from "./converting/protocol.js";
import createConvert from "./wasm/bev_convert.mjs";
import { toWire } from "./worker/protocol.js";
import { instantiateWith } from "./worker/wasm-module.js";

/**
 * The used part of DedicatedWorkerGlobalScope, whose type library conflicts with the
 * page's.
 */
interface Scope {
	postMessage(message: FromConvertWorker, transfer?: readonly Transferable[]): void;
	onmessage: ((event: MessageEvent<ToConvertWorker>) => void) | null;
}

const scope = globalThis as unknown as Scope;

scope.onmessage = async ({ data: { module, file, name } }) => {
	try {
		const core = await instantiateWith(createConvert, module);
		const converted = await convertWaymo(core, file, {
			name,
			onProgress: (done, of) => scope.postMessage({ type: "progress", done, of }),
		});
		const buffers = converted.objects.map(([, bytes]) => bytes.buffer);
		scope.postMessage({ type: "converted", converted }, buffers);
	} catch (error) {
		scope.postMessage({ type: "failure", error: toWire(error) });
	}
};
scope.postMessage({ type: "ready" });
