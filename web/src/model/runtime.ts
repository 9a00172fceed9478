import { BevError, messageOf } from "../base/errors.js";
import { OnnxModel } from "./onnx.js";
import type { Ran, Used } from "./protocol.js";
import type { ModelProvider, ModelTensors, OnnxRuntime } from "./types.js";

/** The files that an address of a folder stands for. */
const SCRIPTS = {
	wasm: "ort.wasm.min.mjs",
	webgpu: "ort.webgpu.min.mjs",
} as const;

/** The used part of WebGPU. */
interface Gpu {
	requestAdapter(): Promise<{
		readonly isFallbackAdapter?: boolean;
		readonly info?: { readonly isFallbackAdapter?: boolean };
	} | null>;
}

function isScript(address: string): boolean {
	return /\.m?js$|^[\w-]+$/.test(address);
}

/** Imports ONNX Runtime Web. `address` is that of its folder, its script, or a package. */
async function imported(address: string, provider: ModelProvider) {
	const name = SCRIPTS[provider];
	const script = isScript(address) ? address : `${address.replace(/\/*$/, "/")}${name}`;
	try {
		// Computed, so that bundlers leave it to the page.
		const runtime = (await import(/* @vite-ignore */ script)) as OnnxRuntime & {
			readonly env?: { readonly wasm?: { numThreads?: number } };
		};
		const { env } = runtime;
		// More threads need a page that is isolated.
		if (env?.wasm) env.wasm.numThreads = 1;
		return runtime;
	} catch (cause) {
		throw new BevError(
			"network",
			`ONNX Runtime Web: cannot be loaded from ${script} (${messageOf(cause)}); copy the package's ${name}, ort-wasm-simd-threaded.mjs and .wasm there, or name their folder in the option runtime`,
			{ cause },
		);
	}
}

/** Why this browser has no WebGPU; undefined if it has. Emulations count if asked for. */
async function whyNoGpu(emulated: boolean): Promise<string | undefined> {
	const { gpu } = (globalThis.navigator ?? {}) as { readonly gpu?: Gpu };
	if (!gpu) return "the browser has none here";
	const adapter = await gpu.requestAdapter().catch(() => null);
	if (!adapter) return "no graphics card";
	const isEmulated = adapter.isFallbackAdapter ?? adapter.info?.isFallbackAdapter;
	return isEmulated && !emulated ? "only an emulated graphics card" : undefined;
}

/** ONNX Runtime Web as it is loaded, and what computes its models. */
export class LoadedRuntime {
	readonly #address: string;
	readonly #runtime: OnnxRuntime;
	readonly #used: Used;

	/**
	 * Loads the files for a provider; by default those for WebGPU if there is a graphics
	 * card. Rejects with a BevError if those for WebAssembly are missing, too.
	 */
	static async load(
		address: string,
		provider: ModelProvider | undefined,
	): Promise<LoadedRuntime> {
		if (provider === "wasm") return LoadedRuntime.#plain(address);
		const isAsked = provider === "webgpu";
		const why = await whyNoGpu(isAsked);
		if (why !== undefined)
			return LoadedRuntime.#plain(address, isAsked ? why : undefined);
		if (isScript(address) && !/webgpu|jspi|all/.test(address))
			return LoadedRuntime.#plain(address, "its script is for WebAssembly only");
		try {
			const runtime = await imported(address, "webgpu");
			return new LoadedRuntime(address, runtime, { provider: "webgpu" });
		} catch {
			return LoadedRuntime.#plain(address, `no ${SCRIPTS.webgpu}`);
		}
	}

	static async #plain(address: string, why?: string): Promise<LoadedRuntime> {
		const runtime = await imported(address, "wasm");
		return new LoadedRuntime(address, runtime, { provider: "wasm", why });
	}

	private constructor(address: string, runtime: OnnxRuntime, used: Used) {
		this.#address = address;
		this.#runtime = runtime;
		this.#used = used;
	}

	/** Loads a model; by WebAssembly if WebGPU refuses it. Rejects with a BevError. */
	async model(bytes: Uint8Array, name: string): Promise<RuntimeModel> {
		const load = (): Promise<OnnxModel> =>
			OnnxModel.load(this.#runtime, bytes, name, this.#used);
		if (this.#used.provider === "wasm") return new RuntimeModel(await load());
		const instead = async (why: string): Promise<OnnxModel> => {
			const runtime = await imported(this.#address, "wasm");
			return OnnxModel.load(runtime, bytes, name, { provider: "wasm", why });
		};
		try {
			return new RuntimeModel(await load(), instead);
		} catch (error) {
			return new RuntimeModel(await instead(messageOf(error).slice(0, 200)));
		}
	}
}

/** A model that goes on by WebAssembly if WebGPU fails. */
export class RuntimeModel {
	#model: OnnxModel;
	#instead: ((why: string) => Promise<OnnxModel>) | undefined;

	constructor(model: OnnxModel, instead?: (why: string) => Promise<OnnxModel>) {
		this.#model = model;
		this.#instead = instead;
	}

	get signature(): OnnxModel["signature"] {
		return this.#model.signature;
	}

	get used(): OnnxModel["used"] {
		return this.#model.used;
	}

	/** Rejects with a BevError that names the model. */
	async run(inputs: ModelTensors): Promise<Ran> {
		try {
			return await this.#model.run(inputs);
		} catch (error) {
			if (!this.#instead) throw error;
			const other = await this.#instead(messageOf(error).slice(0, 200));
			const ran = await other.run(inputs); // or the inputs are wrong
			this.#instead = undefined;
			await this.#model.release().catch(() => {}); // it has failed already
			this.#model = other;
			return { ...ran, used: other.used };
		}
	}

	async release(): Promise<void> {
		await this.#model.release();
	}
}
