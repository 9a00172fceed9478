/** Entry point of the worker that reads and scores predictions. */

import type { FromReviewWorker, ToReviewWorker } from "./reviewing/protocol.js";
import { ReviewService } from "./reviewing/service.js";
import createTools from "./wasm/bev_tools.mjs";
import { toWire } from "./worker/protocol.js";
import { instantiateWith } from "./worker/wasm-module.js";

/**
 * The used part of DedicatedWorkerGlobalScope, whose type library conflicts with the
 * page's.
 */
interface Scope {
	postMessage(message: FromReviewWorker, transfer?: Transferable[]): void;
	onmessage: ((event: MessageEvent<ToReviewWorker>) => void) | null;
}

const scope = globalThis as unknown as Scope;
let service: Promise<ReviewService> | undefined;

async function made(module: WebAssembly.Module): Promise<ReviewService> {
	return new ReviewService(await instantiateWith(createTools, module));
}

scope.onmessage = async ({ data }) => {
	if (data.type === "init") {
		service = made(data.module);
		service.catch(() => {}); // every answer reports it
		return;
	}
	const { id, call } = data;
	try {
		const value = (await service)?.answer(call);
		const pixels = typeof ImageBitmap !== "undefined" && value instanceof ImageBitmap;
		scope.postMessage({ type: "answer", id, value }, pixels ? [value] : []);
	} catch (error) {
		scope.postMessage({ type: "failure", id, error: toWire(error) });
	}
};
scope.postMessage({ type: "ready" });
