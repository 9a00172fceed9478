import type { AbortOptions } from "../api.js";
import type { CoreConvert } from "../core-convert.js";
import { BevError, toBevError } from "../errors.js";
import { compile } from "../loading/compile.js";
import { convertModule } from "../loading/convert-module.js";
import { provided } from "../loading/embedded.js";
import { moduleFile } from "../loading/files.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import { unlessAborted } from "../source/unless-aborted.js";
import createConvert from "../wasm/bev_convert.mjs";
import { fromWire } from "../worker/protocol.js";
import { instantiateWith } from "../worker/wasm-module.js";
import type {
	Answers,
	FromConvertWorker,
	Request,
	ToConvertWorker,
} from "./protocol.js";

const CONVERT_WORKER: OwnScript = {
	file: "convertWorker",
	address: ownScript,
	inside: () => provided()?.convertWorker,
};

type Answer = Answers[Request["kind"]];

interface Waiting {
	readonly resolve: (answer: Answer) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * Converts files of other data sets, in a worker of its own if possible, otherwise on the
 * page's thread. Close it to end the worker.
 */
export class Converter {
	readonly #waiting = new Map<number, Waiting>();
	readonly #worker: Worker | undefined;
	readonly #core: CoreConvert | undefined;
	#next = 0;
	#broken: unknown;

	/** Rejects with `signal.reason` when aborted. */
	static async start({ signal }: AbortOptions = {}): Promise<Converter> {
		signal?.throwIfAborted();
		const given = moduleFile("convertWasm") ?? (await provided()?.convert?.());
		const [{ module }, { worker }] = await Promise.all([
			compile(given ?? convertModule()),
			startWorker(undefined, CONVERT_WORKER),
		]);
		try {
			signal?.throwIfAborted();
			if (worker) return new Converter(module, worker);
			return new Converter(await instantiateWith(createConvert, module));
		} catch (error) {
			worker?.terminate();
			throw error;
		}
	}

	private constructor(using: WebAssembly.Module | CoreConvert, worker?: Worker) {
		this.#worker = worker;
		if (!worker) {
			this.#core = using as CoreConvert;
			return;
		}
		worker.onerror = (event) => {
			event.preventDefault();
			this.#end(new BevError("internal", `worker failed: ${event.message}`));
		};
		worker.onmessage = ({ data }: MessageEvent<FromConvertWorker>) =>
			this.#onMessage(data);
		this.#post({ type: "module", module: using as WebAssembly.Module });
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
		const answer = this.#core
			? this.#onPage(this.#core, request)
			: this.#asked(request);
		return unlessAborted(answer as Promise<Answers[R["kind"]]>, signal);
	}

	/** Ends the worker; requests in progress reject. */
	close(): void {
		this.#worker?.terminate();
		this.#end(new DOMException("closed", "AbortError"));
	}

	async #onPage(core: CoreConvert, request: Request): Promise<Answer> {
		if (this.#broken) throw this.#broken;
		const { answerTo } = await import("./answer.js");
		return answerTo(core, request);
	}

	#asked(request: Request): Promise<Answer> {
		if (this.#broken) return Promise.reject(this.#broken);
		const id = this.#next;
		this.#next += 1;
		return new Promise((resolve, reject) => {
			this.#post({ type: "request", id, request }); // throws if it cannot be cloned
			this.#waiting.set(id, { resolve, reject });
		});
	}

	#post(message: ToConvertWorker): void {
		try {
			this.#worker?.postMessage(message);
		} catch (error) {
			throw toBevError(error, "invalid_argument");
		}
	}

	#onMessage(data: FromConvertWorker): void {
		if (data.type === "ready") return;
		const waiting = this.#waiting.get(data.id);
		this.#waiting.delete(data.id);
		if (data.type === "answer") waiting?.resolve(data.answer);
		else waiting?.reject(fromWire(data.error));
	}

	#end(reason: unknown): void {
		this.#broken ??= reason;
		for (const { reject } of this.#waiting.values()) reject(reason);
		this.#waiting.clear();
	}
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
