import { BevError, toBevError } from "../errors.js";
import { compile } from "../loading/compile.js";
import { convertModule } from "../loading/convert-module.js";
import { provided } from "../loading/embedded.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import createConvert from "../wasm/bev_convert.mjs";
import { fromWire } from "../worker/protocol.js";
import { instantiateWith } from "../worker/wasm-module.js";
import { type Converted, type ConvertOptions, convertWaymo } from "./convert.js";
import type { FromConvertWorker, ToConvertWorker } from "./protocol.js";

export interface ConversionOptions extends ConvertOptions {
	readonly signal: AbortSignal | undefined;
}

const CONVERT_WORKER: OwnScript = {
	address: ownScript,
	inside: () => provided()?.convertWorker,
};

/**
 * Converts a TFRecord file of Waymo scenarios, in a worker of its own if possible, otherwise
 * on the page's thread, scenario by scenario.
 *
 * Rejects with `signal.reason` when aborted, otherwise with a BevError that names the file.
 */
export async function convertFile(
	file: Blob,
	options: ConversionOptions,
): Promise<Converted> {
	const { name, signal } = options;
	signal?.throwIfAborted();
	const { module } = await compile(provided()?.convert?.() ?? convertModule());
	const { worker } = await startWorker(undefined, CONVERT_WORKER);
	try {
		signal?.throwIfAborted();
		return await (worker
			? inWorker(worker, { module, file, name }, options)
			: onPage(module, file, options));
	} catch (error) {
		signal?.throwIfAborted();
		const { code, message } = toBevError(error);
		throw new BevError(code, `${name}: ${message}`, { cause: error });
	} finally {
		worker?.terminate();
	}
}

function inWorker(
	worker: Worker,
	message: ToConvertWorker,
	{ onProgress, signal }: ConversionOptions,
): Promise<Converted> {
	return new Promise((resolve, reject) => {
		signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
		worker.onerror = (event) => {
			event.preventDefault();
			reject(new BevError("internal", `worker failed: ${event.message}`));
		};
		worker.onmessage = ({ data }: MessageEvent<FromConvertWorker>) => {
			if (data.type === "progress") onProgress(data.done, data.of);
			else if (data.type === "converted") resolve(data.converted);
			else if (data.type === "failure") reject(fromWire(data.error));
		};
		worker.postMessage(message);
	});
}

async function onPage(
	module: WebAssembly.Module,
	file: Blob,
	{ name, onProgress, signal }: ConversionOptions,
): Promise<Converted> {
	const core = await instantiateWith(createConvert, module);
	return convertWaymo(core, file, {
		name,
		onProgress: (done, of) => {
			signal?.throwIfAborted();
			onProgress(done, of);
		},
	});
}

/** See `ownScript` in start-worker.ts: bundlers look for exactly this expression. */
function ownScript(): URL {
	class Worker {
		constructor(
			readonly url: URL,
			_options: WorkerOptions,
		) {}
	}
	return new Worker(new URL("../convert-worker.js", import.meta.url), {
		type: "module",
	}).url;
}
