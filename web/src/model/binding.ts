import { refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import type { SampleArray } from "../samples/sample.js";
import type { Ran, Signature } from "./protocol.js";
import type {
	ModelContract,
	ModelTensor,
	ModelTensors,
	ModelType,
	PredictedFutures,
} from "./types.js";

/** Arrays of a sample or a batch, by key. */
export type SampleArraysByKey = Readonly<Record<string, SampleArray>>;

/** Keys that converting outputs to the world needs. */
const POSES = ["world_from_agent", "centroid", "yaw"] as const;

/** What an input gets, as the core says. */
interface Feed {
	readonly name: string;
	readonly key: string;
	readonly type: ModelType;
	readonly shape: readonly number[];
	readonly scaled: boolean;
}

/** Names of a model and its settings, for messages and for the core. */
export interface ModelText {
	readonly name: string;
	readonly settings: string | undefined;
	/** Name of the settings in messages. */
	readonly settingsName: string;
}

/** Poses of B subjects in the next frame, relative to the present ones. */
export interface FirstSteps {
	/** (B, 2) metres. */
	readonly positions: Float64Array;
	/** (B) radians. */
	readonly yaws: Float64Array;
}

/** Predictions of B subjects as in L5Kit's files: K modes of T steps. */
export interface PredictedRecords {
	readonly modes: number;
	readonly steps: number;
	/** (B, K, T, 2): metres from the subject's centroid, along the world axes. */
	readonly coords: Float64Array;
	/** (B, K); they sum to 1. */
	readonly confidences: Float64Array;
}

/** A model's contract in the core: what feeds it, and what its outputs are. */
export class Binding {
	readonly contract: ModelContract;
	readonly #core: Core;
	readonly #id: Handle<"ModelContract">;

	/** Throws a BevError that lists what was found and what was expected. */
	constructor(core: Core, text: ModelText, signature: Signature) {
		this.#core = core;
		const { name, settings, settingsName: settings_name } = text;
		const given = { name, settings, settings_name };
		this.#id = core.run("bind_model", {
			...given,
			signature: JSON.stringify(signature),
		});
		const made = core.run("model_contract", { contract: this.#id });
		this.contract = JSON.parse(made) as ModelContract;
	}

	/** Returns the inputs for samples. */
	feeds(arrays: SampleArraysByKey, batched: boolean): ModelTensors {
		const described = Object.entries(arrays).map(([name, { dtype: type, shape }]) => ({
			name,
			type,
			shape,
		}));
		const text = this.#core.run("model_feeds", {
			contract: this.#id,
			arrays: JSON.stringify(described),
			batched,
		});
		const feeds = JSON.parse(text) as Feed[];
		return Object.fromEntries(
			feeds.map(({ name, key, type, shape, scaled }, input) => {
				const data = (arrays[key] as SampleArray).data;
				const values = scaled ? this.#normalised(input, data, shape) : data;
				return [name, { type, data: converted(values, type), dims: shape }];
			}),
		);
	}

	/** Converts outputs to the world. */
	inWorld(
		outputs: ModelTensors,
		arrays: SampleArraysByKey,
	): Omit<PredictedFutures, "times"> {
		const found = this.#core.run("predicted_in_world", this.#given(outputs, arrays));
		const { modes, steps } = found;
		return {
			modes,
			steps,
			positions: found.positions,
			yaws: found.yaws.length > 0 ? found.yaws : undefined,
			confidences: found.confidences,
		};
	}

	/** Converts outputs to offsets from the subjects' centroids. */
	records(outputs: ModelTensors, arrays: SampleArraysByKey): PredictedRecords {
		return this.#core.run("predicted_records", this.#given(outputs, arrays));
	}

	/** Returns where a closed loop moves the subjects, relative to their poses. */
	firstSteps(outputs: ModelTensors, arrays: SampleArraysByKey): FirstSteps {
		return this.#core.run("first_steps", this.#given(outputs, arrays));
	}

	close(): void {
		this.#core.release(this.#id);
	}

	#given(outputs: ModelTensors, arrays: SampleArraysByKey) {
		const { positions, confidences, yaws } = this.contract.outputs;
		return {
			contract: this.#id,
			...valuesOf("positions", outputs, positions),
			...valuesOf("confidences", outputs, confidences),
			...valuesOf("yaws", outputs, yaws),
			world_from_agent: posesOf(arrays, "world_from_agent"),
			centroids: posesOf(arrays, "centroid"),
			headings: posesOf(arrays, "yaw"),
		};
	}

	#normalised(
		input: number,
		data: SampleArray["data"],
		shape: readonly number[],
	): Float32Array {
		return this.#core.run("normalised_input", {
			contract: this.#id,
			input,
			values: converted(data, "float32") as Float32Array,
			shape: Uint32Array.from(shape),
		});
	}
}

/** Returns the arrays that a model and its outputs need; all without a contract. */
export function neededArrays(
	samples: object,
	contract: ModelContract | undefined,
): SampleArraysByKey {
	const arrays = Object.entries(samples).filter(
		(entry): entry is [string, SampleArray] => isArray(entry[1]),
	);
	if (arrays.length === 0) refuse("samples", samples, "arrays by key");
	if (!contract || contract.inputs.length === 0) return Object.fromEntries(arrays);
	const keys = new Set<string>(POSES);
	for (const { key } of contract.inputs) keys.add(key);
	return Object.fromEntries(arrays.filter(([key]) => keys.has(key)));
}

/** Whether samples are a batch. Throws a BevError without the keys of poses. */
export function isBatch(arrays: SampleArraysByKey): boolean {
	for (const key of POSES) {
		const found = arrays[key];
		if (found === undefined || found.data.length === 0) {
			const said = `samples: no array ${key} (released, or not from a data set of samples)`;
			throw new BevError("invalid_argument", said);
		}
	}
	return arrays.yaw?.shape.length === 1;
}

/** Returns all arrays with the axis of a batch, as inputs of a function. */
export function allInputs(arrays: SampleArraysByKey, batched: boolean): ModelTensors {
	return Object.fromEntries(
		Object.entries(arrays).map(([key, { data, shape, dtype }]) => {
			const dims = batched ? [...shape] : [1, ...shape];
			return [key, { type: TYPES[dtype], data, dims }];
		}),
	);
}

/** Returns what outputs declare of themselves. */
export function signatureOf({ outputs }: Pick<Ran, "outputs">): Signature {
	return {
		inputs: [],
		outputs: Object.entries(outputs).map(([name, { type, data, dims }]) => ({
			name,
			type: type ?? (data instanceof Float64Array ? "float64" : "float32"),
			shape: dims,
		})),
	};
}

const TYPES: Readonly<Record<string, ModelType>> = {
	"<f4": "float32",
	"<f8": "float64",
	"<i4": "int32",
	"<i8": "int64",
	"|u1": "uint8",
	"|b1": "bool",
};

const CLASSES = {
	float16: Float32Array, // the runtime's side has the halves
	float32: Float32Array,
	float64: Float64Array,
	int32: Int32Array,
	uint8: Uint8Array,
	bool: Uint8Array,
} as const;

/** Converts values, which the core has allowed; without a copy if they are of the type. */
function converted(data: SampleArray["data"], type: ModelType): ModelTensor["data"] {
	if (type === "int64" || data instanceof CLASSES[type]) return data;
	const View = CLASSES[type] as unknown as typeof Float64Array;
	return View.from(data as Iterable<number>, Number);
}

function isArray(value: unknown): value is SampleArray {
	if (typeof value !== "object" || value === null) return false;
	const { data, shape } = value as Partial<SampleArray>;
	return ArrayBuffer.isView(data) && Array.isArray(shape);
}

function posesOf(arrays: SampleArraysByKey, key: (typeof POSES)[number]): Float64Array {
	return converted((arrays[key] as SampleArray).data, "float64") as Float64Array;
}

type Part = "positions" | "confidences" | "yaws";

/** Returns an output's values and shape as arguments of the core. */
function valuesOf(part: Part, outputs: ModelTensors, name: string | null): object {
	const found = name === null ? undefined : outputs[name];
	if (!found) return {};
	return {
		[part]: converted(found.data, "float64"),
		[`${part}_shape`]: Uint32Array.from(found.dims),
	};
}
