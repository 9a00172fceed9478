import type { AbortOptions } from "../api.js";
import { Core } from "../core/core.js";
import { LocalPort, type Port, WorkerPort } from "../core/port.js";
import { compile } from "../loading/compile.js";
import { convertModule } from "../loading/convert-module.js";
import { provided } from "../loading/embedded.js";
import { moduleFile } from "../loading/files.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import { unlessAborted } from "../source/unless-aborted.js";
import { instantiate } from "../worker/core-module.js";
import type { Answers, Request } from "./protocol.js";

const CONVERT_WORKER: OwnScript = {
	file: "convertWorker",
	address: ownScript,
	inside: () => provided("convertWorker"),
};

/**
 * Converts files of other data sets, in a worker of its own if possible, otherwise on the
 * page's thread. Close it to end the worker.
 */
export class Converter {
	readonly #port: Port;

	/** Rejects with `signal.reason` when aborted. */
	static async start({ signal }: AbortOptions = {}): Promise<Converter> {
		signal?.throwIfAborted();
		const given = moduleFile("convertWasm") ?? (await provided("convert"));
		const [{ module }, { worker }] = await Promise.all([
			compile(given ?? convertModule()),
			startWorker(undefined, CONVERT_WORKER),
		]);
		try {
			signal?.throwIfAborted();
			if (worker) return new Converter(new WorkerPort(worker, module, "converter"));
			const core = new Core(await instantiate(module));
			return new Converter(new LocalPort(core, answered, "converter"));
		} catch (error) {
			worker?.terminate();
			throw error;
		}
	}

	private constructor(port: Port) {
		this.#port = port;
	}

	/**
	 * Answers a request. Rejects with `signal.reason` when aborted, otherwise with a
	 * BevError that names the file.
	 */
	async ask<R extends Request>(
		request: R,
		{ signal }: AbortOptions = {},
	): Promise<Answers[R["kind"]]> {
		signal?.throwIfAborted();
		const answer = this.#port.task(request) as Promise<Answers[R["kind"]]>;
		return unlessAborted(answer, signal);
	}

	/** Ends the worker; requests in progress reject. */
	close(): void {
		this.#port.close(new DOMException("closed", "AbortError"));
	}
}

/** Answers on the page's thread. */
async function answered(core: Core, task: unknown): Promise<unknown> {
	const { answerTo } = await import("./answer.js");
	return answerTo(core, task as Request);
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
