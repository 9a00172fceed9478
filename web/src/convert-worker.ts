/** Entry point of the worker that converts files of other data sets. */

import { answerTo } from "./converting/answer.js";
import type { FromConvertWorker, ToConvertWorker } from "./converting/protocol.js";
import type { CoreConvert } from "./core-convert.js";
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
let core: Promise<CoreConvert> | undefined;

scope.onmessage = async ({ data }) => {
	if (data.type === "module") {
		core = instantiateWith(createConvert, data.module);
		core.catch(() => {}); // reported by each request
		return;
	}
	const { id, request } = data;
	try {
		if (!core) throw new Error("module not received");
		const answer = await answerTo(await core, request);
		const buffers =
			"objects" in answer ? answer.objects.map(([, bytes]) => bytes.buffer) : [];
		scope.postMessage({ type: "answer", id, answer }, buffers);
	} catch (error) {
		scope.postMessage({ type: "failure", id, error: toWire(error) });
	}
};
scope.postMessage({ type: "ready" });
