import { BevError, messageOf } from "../base/errors.js";
import { floatsOf, halvesOf } from "./half.js";
import type { Axis, Ran, Signature, TensorInfo, Used } from "./protocol.js";
import type { ModelTensor, ModelTensors, OnnxRuntime } from "./types.js";

/** Memory that a model may take in a worker, in WebAssembly's pages of 64 KiB: 1 GiB. */
const MAX_PAGES = 16_384;

interface Metadata {
	readonly name: string;
	readonly isTensor: boolean;
	readonly type?: string;
	readonly shape?: readonly (number | string)[];
}

interface Session {
	readonly inputMetadata: readonly Metadata[];
	readonly outputMetadata: readonly Metadata[];
	run(inputs: object): Promise<Readonly<Record<string, Required<ModelTensor>>>>;
	release(): Promise<void>;
}

/** The runtime's parts, as this file uses them. */
interface Runtime {
	readonly InferenceSession: {
		create(bytes: Uint8Array, options: object): Promise<Session>;
	};
	readonly Tensor: new (
		type: string | undefined,
		data: unknown,
		dims: readonly number[],
	) => object;
}

/** Limits the memory of every module that this worker starts later. */
export function limitMemory(): void {
	const { Memory } = WebAssembly;
	WebAssembly.Memory = class extends Memory {
		constructor(given: WebAssembly.MemoryDescriptor) {
			super({ ...given, maximum: Math.min(given.maximum ?? MAX_PAGES, MAX_PAGES) });
		}
	};
}

/** A model that ONNX Runtime has loaded. */
export class OnnxModel {
	readonly signature: Signature;
	/** What computes it; undefined for a runtime of the page. */
	readonly used: Used | undefined;
	readonly #name: string;
	readonly #session: Session;
	readonly #Tensor: Runtime["Tensor"];

	/** Rejects with a BevError that names the model: damaged, unsupported, too large. */
	static async load(
		runtime: OnnxRuntime,
		bytes: Uint8Array,
		name: string,
		used?: Used,
	): Promise<OnnxModel> {
		const { InferenceSession, Tensor } = runtime as Runtime;
		const options = {
			logSeverityLevel: 4, // errors are thrown as well
			...(used && { executionProviders: [used.provider] }),
		};
		try {
			const session = await InferenceSession.create(bytes, options);
			return new OnnxModel(name, session, { Tensor, used });
		} catch (error) {
			throw failure(`${name}: cannot be loaded`, error, "corrupt_chunk");
		}
	}

	private constructor(
		name: string,
		session: Session,
		{ Tensor, used }: Pick<Runtime, "Tensor"> & Pick<OnnxModel, "used">,
	) {
		this.#name = name;
		this.#session = session;
		this.#Tensor = Tensor;
		this.used = used;
		this.signature = {
			inputs: session.inputMetadata.map(infoOf),
			outputs: session.outputMetadata.map(infoOf),
		};
	}

	/** Rejects with a BevError that names the model. */
	async run(inputs: ModelTensors): Promise<Ran> {
		const tensors = Object.entries(inputs).map(([name, { type, data, dims }]) => [
			name,
			type === "float16"
				? new this.#Tensor(type, halvesOf(data as Float32Array), dims)
				: new this.#Tensor(type, data, dims),
		]);
		const begin = performance.now();
		try {
			const given = await this.#session.run(Object.fromEntries(tensors));
			const inference = performance.now() - begin;
			// Only what can be sent to the page.
			const outputs = Object.entries(given).map(([name, { type, data, dims }]) => [
				name,
				type === "float16"
					? { type, data: halvesIn(data), dims: [...dims] }
					: { type, data, dims: [...dims] },
			]);
			return { outputs: Object.fromEntries(outputs), inference };
		} catch (error) {
			throw failure(`${this.#name}: run failed`, error, "invalid_argument");
		}
	}

	async release(): Promise<void> {
		await this.#session.release();
	}
}

/** Returns halves, which browsers have as numbers or as bits. */
function halvesIn(data: ModelTensor["data"]): Float32Array {
	const halves: unknown = data;
	if (halves instanceof Uint16Array) return floatsOf(halves);
	return Float32Array.from(data as Float32Array);
}

function infoOf({ name, isTensor, type = "?", shape }: Metadata): TensorInfo {
	if (!isTensor) return { name, type: "not a tensor" };
	// The runtime reports an unknown shape as that of a scalar.
	if (shape === undefined || shape.length === 0) return { name, type };
	return { name, type, shape: shape.map(axisOf) };
}

function axisOf(length: number | string): Axis {
	if (typeof length === "string") return length === "" ? null : length.slice(0, 100);
	return Number.isInteger(length) && length >= 0 ? length : null;
}

/** Words of the runtime's errors, and what they mean. */
const REASONS = [
	[/bad_alloc|out of memory|memory access out of bounds/i, "out_of_memory"],
	[/no available backend/i, "unsupported"],
	[
		/not (implemented|supported)|unsupported|unknown opset|is not a registered|no op registered/i,
		"unsupported",
	],
] as const;

function failure(
	what: string,
	error: unknown,
	otherwise: "corrupt_chunk" | "invalid_argument",
): BevError {
	// Of errors in C++, the runtime may throw the address alone.
	const said = typeof error === "number" ? "out of memory" : messageOf(error);
	const code = REASONS.find(([words]) => words.test(said))?.[1] ?? otherwise;
	const hint = /no available backend/i.test(said)
		? "; ONNX Runtime Web needs script-src 'wasm-unsafe-eval' in the page's policy, and its files from one version"
		: "";
	return new BevError(code, `${what}: ${said.slice(0, 600)}${hint}`, { cause: error });
}
