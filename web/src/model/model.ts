import "../base/dispose.js";
import type { AbortOptions } from "../api.js";
import { checkOptions, refuse } from "../base/arguments.js";
import { BevError, messageOf } from "../base/errors.js";
import { Core } from "../core/core.js";
import type { Sample, SampleArray, VectorizedSample } from "../samples/sample.js";
import { unlessAborted } from "../source/unless-aborted.js";
import { absolute } from "../source/url.js";
import { compileTools } from "../tools.js";
import { instantiate } from "../worker/core-module.js";
import { joinBatches, splitBatch } from "./batches.js";
import {
	allInputs,
	Binding,
	type FirstSteps,
	isBatch,
	type ModelText,
	neededArrays,
	type PredictedRecords,
	type SampleArraysByKey,
	signatureOf,
} from "./binding.js";
import { settingsIn } from "./metadata.js";
import type { Ran, Runner, Signature, Used } from "./protocol.js";
import { FunctionRunner, startOnnx } from "./runners.js";
import type {
	ModelContract,
	ModelOptions,
	ModelProvider,
	ModelTensors,
	PredictedFutures,
	PredictFunction,
} from "./types.js";

/** Maximum size of a model's file. */
const MAX_BYTES = 256 * 2 ** 20;

const TIMEOUT_MS = 10_000;

/**
 * A model that predicts futures from samples: an ONNX file, or a function of the page.
 *
 * ```ts
 * const model = await Model.open("model.onnx", { runtime: "/ort/" });
 * const { positions } = await model.predict(await ego.sample(123));
 * ```
 */
export class Model implements Disposable {
	readonly #core: Core;
	readonly #text: ModelText;
	readonly #runner: Runner;
	#binding: Binding | undefined;
	/** The outputs' declaration that the binding of a function is of. */
	#bound = "";
	/** The last run: runs follow one another. */
	#last: Promise<unknown> = Promise.resolve();
	#cancelling = new AbortController();
	#closed = false;

	/**
	 * Opens a model. ONNX Runtime Web is loaded with the first one, in a worker.
	 *
	 * Rejects with a BevError: `corrupt_chunk` for a damaged file, `invalid_argument` if its
	 * inputs or outputs are not understood, with what was expected, `network` without the
	 * runtime, `limit_exceeded` for a file above 256 MiB or one that takes longer than the
	 * option `timeout`.
	 */
	static async open(
		from: string | URL | Blob | Uint8Array | ArrayBuffer | PredictFunction,
		options: ModelOptions = {},
	): Promise<Model> {
		checkOptions("model", options, {
			name: "text",
			settings: "any",
			runtime: "any",
			provider: "text",
			timeout: "number",
			worker: "any",
			signal: "any",
		});
		const { signal, settings, provider } = options;
		if (provider !== undefined && provider !== "wasm" && provider !== "webgpu")
			refuse("model: provider", provider, "wasm or webgpu");
		const name = options.name ?? nameOf(from);
		const opening = async (): Promise<Model> => {
			const core = new Core(await instantiate(await compileTools()));
			const text = { name, settingsName: "model.json" };
			if (typeof from === "function") {
				const given = { ...text, settings: textOf(settings) };
				return new Model(core, given, new FunctionRunner(from, name));
			}
			const bytes = await bytesOf(from, name, signal);
			const { runtime, worker, timeout = TIMEOUT_MS } = options;
			const given = { ...text, settings: textOf(settings) ?? settingsIn(bytes) };
			const runner = await startOnnx({
				...{ bytes, name, runtime, worker, provider, timeout },
			});
			return Model.#made(core, given, runner, signal);
		};
		signal?.throwIfAborted();
		return unlessAborted(opening(), signal);
	}

	/** Closes the runner if the contract is refused, or if opening was aborted meanwhile. */
	static #made(
		core: Core,
		text: ModelText,
		runner: Runner,
		signal: AbortSignal | undefined,
	): Model {
		try {
			signal?.throwIfAborted();
			return new Model(core, text, runner);
		} catch (error) {
			runner.close();
			throw error;
		}
	}

	private constructor(core: Core, text: ModelText, runner: Runner) {
		this.#core = core;
		this.#text = text;
		this.#runner = runner;
		if (runner.signature) this.#bind(runner.signature);
	}

	/** Name in messages: the file's. */
	get name(): string {
		return this.#text.name;
	}

	/** What the model takes and gives; of a function, undefined until it has answered. */
	get contract(): ModelContract | undefined {
		return this.#binding?.contract;
	}

	/** What computes it; undefined for functions, and with a runtime of the page. */
	get provider(): ModelProvider | undefined {
		return this.used?.provider;
	}

	/** @internal What computes it, and why WebGPU does not, if that was tried. */
	get used(): Used | undefined {
		return this.#runner.used;
	}

	/**
	 * Predicts the futures of the subjects of a sample or a batch. Runs follow one another,
	 * in the order of calls.
	 *
	 * Rejects with `signal.reason` when aborted, and with an AbortError after `cancel`;
	 * otherwise with a BevError: `invalid_argument` for samples that do not fit the model,
	 * and for outputs that are not finite or of another shape, `limit_exceeded` if the model
	 * does not answer in time, `out_of_memory` if it takes more than 1 GiB.
	 */
	async predict(
		samples: Sample | VectorizedSample | Readonly<Record<string, SampleArray>>,
		{ signal }: AbortOptions = {},
	): Promise<PredictedFutures> {
		const { ran, arrays, copy } = await this.#run(samples, signal);
		const back = performance.now();
		const futures = this.#outputs(ran).inWorld(ran.outputs, arrays);
		const decode = performance.now() - back;
		return { ...futures, times: { copy, inference: ran.inference, decode } };
	}

	/**
	 * @internal Returns where a closed loop moves the subjects of a batch. Rejects as
	 * `predict`, and if the first position is not that of the next frame.
	 */
	async firstSteps(samples: object, { signal }: AbortOptions): Promise<FirstSteps> {
		const { ran, arrays } = await this.#run(samples, signal);
		return this.#outputs(ran).firstSteps(ran.outputs, arrays);
	}

	/**
	 * @internal Returns predictions of a batch as in L5Kit's files, and the milliseconds of
	 * the model. Rejects as `predict`, and if its steps are not the frames after the sample.
	 */
	async records(
		samples: object,
		{ signal }: AbortOptions,
	): Promise<PredictedRecords & { readonly inference: number }> {
		const { ran, arrays } = await this.#run(samples, signal);
		const records = this.#outputs(ran).records(ran.outputs, arrays);
		return { ...records, inference: ran.inference };
	}

	/** Cancels all predictions; ends the worker, which the next prediction starts anew. */
	cancel(): void {
		const reason = new DOMException(`${this.name}: cancelled`, "AbortError");
		this.#cancelling.abort(reason);
		this.#cancelling = new AbortController();
		this.#runner.cancel(reason);
	}

	/** Cancels all predictions and frees the model; idempotent. */
	close(): void {
		if (this.#closed) return;
		this.cancel();
		this.#closed = true;
		this.#runner.close();
		this.#binding?.close();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	/** Runs the model after all runs before. */
	async #run(samples: object, signal: AbortSignal | undefined) {
		if (this.#closed) throw new BevError("closed", `${this.name}: closed`);
		signal?.throwIfAborted();
		const begin = performance.now();
		const arrays = neededArrays(samples, this.contract);
		const batched = isBatch(arrays);
		const cancelled = this.#cancelling.signal;
		const count = (batched ? arrays.yaw?.shape[0] : undefined) ?? 1;
		const only = this.#runner.signature ? this.contract?.batch : undefined;
		const size = only && only !== count ? only : undefined;
		const parts = size ? splitBatch(arrays, { count, size, batched }) : [arrays];
		const inputs = parts.map((part) =>
			this.#inputs(part, size !== undefined || batched),
		);
		const prepared = performance.now() - begin;
		const turn = this.#last.then(async () => {
			const started = performance.now();
			const all: Ran[] = [];
			for (const one of inputs) {
				signal?.throwIfAborted();
				cancelled.throwIfAborted();
				all.push(await this.#runner.run(one, signal));
			}
			const ran = size ? joinedRuns(all, count) : (all[0] as Ran);
			return { ran, passed: performance.now() - started - ran.inference };
		});
		this.#last = turn.catch(() => {});
		const either = unlessAborted(unlessAborted(turn, cancelled), signal);
		const { ran, passed } = await either;
		return { ran, arrays, copy: prepared + passed };
	}

	#inputs(arrays: SampleArraysByKey, batched: boolean): ModelTensors {
		const { signature } = this.#runner;
		if (!this.#binding || !signature || signature.inputs.length === 0)
			return allInputs(arrays, batched);
		return this.#binding.feeds(arrays, batched);
	}

	/** Returns the binding of outputs: for a function, of what it has returned. */
	#outputs(ran: Ran): Binding {
		if (this.#closed) throw new BevError("closed", `${this.name}: closed`);
		if (this.#runner.signature && this.#binding) return this.#binding;
		return this.#bind(signatureOf(ran));
	}

	#bind(signature: Signature): Binding {
		const declared = JSON.stringify(signature);
		if (this.#binding && declared === this.#bound) return this.#binding;
		const binding = new Binding(this.#core, this.#text, signature);
		this.#binding?.close();
		this.#bound = declared;
		this.#binding = binding;
		return binding;
	}
}

/** Joins the runs of a batch's parts. */
function joinedRuns(all: readonly Ran[], count: number): Ran {
	return {
		outputs: joinBatches(
			all.map(({ outputs }) => outputs),
			count,
		),
		inference: all.reduce((sum, { inference }) => sum + inference, 0),
	};
}

function textOf(settings: ModelOptions["settings"]): string | undefined {
	return typeof settings === "object" ? JSON.stringify(settings) : settings;
}

function nameOf(from: Parameters<typeof Model.open>[0]): string {
	if (typeof from === "function") return from.name || "model";
	if (typeof from === "string" || from instanceof URL) {
		const last = absolute(from).pathname.split("/").at(-1);
		return last || "model.onnx";
	}
	const { name } = from as { readonly name?: unknown };
	return typeof name === "string" && name !== "" ? name : "model.onnx";
}

async function bytesOf(
	from: string | URL | Blob | Uint8Array | ArrayBuffer,
	name: string,
	signal: AbortSignal | undefined,
): Promise<Uint8Array> {
	if (from instanceof Uint8Array) return limited(from, name);
	if (from instanceof ArrayBuffer) return limited(new Uint8Array(from), name);
	if (from instanceof Blob) {
		requireSize(from.size, name);
		return new Uint8Array(await from.arrayBuffer());
	}
	if (typeof from !== "string" && !(from instanceof URL))
		refuse("model", from, "a URL, a file, bytes or a function");
	return fetched(absolute(from), name, signal);
}

async function fetched(
	url: URL,
	name: string,
	signal: AbortSignal | undefined,
): Promise<Uint8Array> {
	const at = { url: url.href };
	let response: Response;
	try {
		response = await fetch(url, { signal: signal ?? null });
	} catch (cause) {
		signal?.throwIfAborted();
		const said = `${name}: cannot be read (${messageOf(cause)})`;
		throw new BevError("network", said, { ...at, cause });
	}
	const { status } = response;
	if (!response.ok)
		throw new BevError("network", `${name}: HTTP ${status}`, { ...at, status });
	requireSize(Number(response.headers.get("Content-Length")), name);
	return limited(new Uint8Array(await response.arrayBuffer()), name);
}

function limited(bytes: Uint8Array, name: string): Uint8Array {
	requireSize(bytes.length, name);
	return bytes;
}

function requireSize(size: number, name: string): void {
	if (size <= MAX_BYTES) return;
	const said = `${name}: too large (found ${size} bytes, expected at most ${MAX_BYTES})`;
	throw new BevError("limit_exceeded", said);
}
