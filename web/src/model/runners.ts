import { BevError, toBevError } from "../base/errors.js";
import { WorkerPort } from "../core/port.js";
import { configured, type WorkerFile } from "../loading/files.js";
import { type OwnScript, startWorker } from "../loading/start-worker.js";
import { absolute, beside } from "../source/url.js";
import { OnnxModel } from "./onnx.js";
import type {
	LoadedModel,
	ModelTask,
	Ran,
	Runner,
	Signature,
	Used,
} from "./protocol.js";
import { LoadedRuntime, type RuntimeModel } from "./runtime.js";
import type {
	ModelProvider,
	ModelTensors,
	OnnxRuntime,
	PredictFunction,
} from "./types.js";

/** A model's file, and how it is to be run. */
export interface OnnxFile {
	readonly bytes: Uint8Array;
	readonly name: string;
	readonly runtime: string | URL | OnnxRuntime | undefined;
	readonly worker: WorkerFile | undefined;
	readonly provider: ModelProvider | undefined;
	/** Milliseconds until a model counts as hanging. */
	readonly timeout: number;
}

const MODEL_WORKER: OwnScript = {
	file: "modelWorker",
	address: ownScript,
	// The runtime is in files beside the page, which a single file cannot contain.
	inside: () => undefined,
};

/** How many times longer loading may take than a run: it compiles, once. */
const LOADING = 3;

/** The package that Node imports. */
const PACKAGE = "onnxruntime-web";

/**
 * Starts an ONNX model: in a worker of its own if possible, otherwise, and with a runtime
 * that is loaded already, on this thread.
 */
export async function startOnnx(file: OnnxFile): Promise<Runner> {
	const { runtime, bytes, name } = file;
	if (typeof runtime === "object" && !(runtime instanceof URL)) {
		return new LocalRunner(await OnnxModel.load(runtime, bytes, name));
	}
	const address = addressOf(runtime);
	const runner = await WorkerRunner.start(file, address);
	if (runner) return runner;
	const loaded = await LoadedRuntime.load(address, file.provider);
	return new LocalRunner(await loaded.model(bytes, name));
}

function addressOf(runtime: string | URL | undefined): string {
	if (runtime !== undefined) return absolute(runtime).href;
	if (typeof document === "undefined" && typeof location === "undefined")
		return PACKAGE;
	const { base } = configured;
	return (base === undefined ? absolute("ort/") : beside(absolute(base), "ort/")).href;
}

/** A model on this thread. */
class LocalRunner implements Runner {
	readonly signature: Signature;
	readonly #model: OnnxModel | RuntimeModel;

	constructor(model: OnnxModel | RuntimeModel) {
		this.#model = model;
		this.signature = model.signature;
	}

	get used(): Used | undefined {
		return this.#model.used;
	}

	run(inputs: ModelTensors): Promise<Ran> {
		return this.#model.run(inputs);
	}

	cancel(): void {
		// A run cannot be interrupted on its own thread.
	}

	close(): void {
		this.#model.release().catch(() => {}); // its memory is freed with the runtime
	}
}

/** A worker that has loaded a model. */
interface Loaded extends LoadedModel {
	readonly port: WorkerPort;
}

/** A model in a worker, which is ended to cancel a run, and started again on use. */
class WorkerRunner implements Runner {
	readonly signature: Signature;
	#used: Used;
	readonly #file: OnnxFile;
	readonly #address: string;
	#loaded: Promise<Loaded> | undefined;

	/** Returns undefined where workers are blocked. */
	static async start(
		file: OnnxFile,
		address: string,
	): Promise<WorkerRunner | undefined> {
		const loaded = await startPort(file, address);
		return loaded && new WorkerRunner(file, address, loaded);
	}

	private constructor(file: OnnxFile, address: string, loaded: Loaded) {
		this.#file = file;
		this.#address = address;
		this.#loaded = Promise.resolve(loaded);
		this.signature = loaded.signature;
		this.#used = loaded.used;
	}

	get used(): Used {
		return this.#used;
	}

	async run(inputs: ModelTensors): Promise<Ran> {
		this.#loaded ??= this.#restart();
		const starting = this.#loaded;
		try {
			const { port } = await starting;
			const ran = (await asked(port, { kind: "run", inputs }, this.#file)) as Ran;
			this.#used = ran.used ?? this.#used;
			return ran;
		} catch (error) {
			// The worker has ended, or has no memory left.
			const { code } = toBevError(error);
			const isOver = ["limit_exceeded", "internal", "out_of_memory"].includes(code);
			if (isOver && this.#loaded === starting) this.cancel(error);
			throw error;
		}
	}

	cancel(reason: unknown): void {
		const loaded = this.#loaded;
		this.#loaded = undefined;
		loaded?.then(
			({ port }) => port.close(reason),
			() => {},
		);
	}

	close(): void {
		this.cancel(new BevError("closed", `${this.#file.name}: closed`));
	}

	async #restart(): Promise<Loaded> {
		const loaded = await startPort(this.#file, this.#address);
		if (loaded) return loaded;
		throw new BevError("unsupported", `${this.#file.name}: the worker cannot start`);
	}
}

async function startPort(file: OnnxFile, address: string): Promise<Loaded | undefined> {
	const { worker } = await startWorker(file.worker, MODEL_WORKER);
	if (!worker) return undefined;
	const { bytes, name, provider } = file;
	const port = new WorkerPort(worker, undefined, name);
	try {
		// Without a time limit: the runtime is 14 MB, and networks differ.
		await port.task({ kind: "runtime", address, provider } satisfies ModelTask);
		const timeout = LOADING * file.timeout;
		const loaded = await asked(port, { kind: "load", bytes, name }, { name, timeout });
		return { port, ...(loaded as LoadedModel) };
	} catch (error) {
		port.close();
		throw error;
	}
}

/** Asks the worker, and ends it if it does not answer in time. */
async function asked(
	port: WorkerPort,
	task: ModelTask,
	{ name, timeout }: Pick<OnnxFile, "name" | "timeout">,
): Promise<unknown> {
	const timer = setTimeout(() => {
		const said = `${name}: no answer within ${timeout} ms; the model was ended`;
		port.close(new BevError("limit_exceeded", said));
	}, timeout);
	try {
		return await port.task(task);
	} finally {
		clearTimeout(timer);
	}
}

/** A function of the page. */
export class FunctionRunner implements Runner {
	readonly signature = undefined;
	readonly used = undefined;
	readonly #predict: PredictFunction;
	readonly #name: string;

	constructor(predict: PredictFunction, name: string) {
		this.#predict = predict;
		this.#name = name;
	}

	async run(inputs: ModelTensors, signal: AbortSignal | undefined): Promise<Ran> {
		const begin = performance.now();
		try {
			const outputs = await this.#predict(inputs, { signal });
			return { outputs, inference: performance.now() - begin };
		} catch (error) {
			signal?.throwIfAborted();
			if (error instanceof BevError) throw error;
			throw new BevError(
				"invalid_argument",
				`${this.#name}: the function failed: ${toBevError(error).message}`,
				{ cause: error },
			);
		}
	}

	cancel(): void {}

	close(): void {}
}

/** See `ownScript` in start-worker.ts: bundlers look for exactly this expression. */
function ownScript(): URL {
	class Worker {
		constructor(
			readonly url: URL,
			_options: WorkerOptions,
		) {}
	}
	return new Worker(new URL("../model-worker.js", import.meta.url), {
		type: "module",
	}).url;
}
