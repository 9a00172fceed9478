import type { AbortOptions } from "../api.js";
import type { WorkerFile } from "../loading/files.js";
import type { SampleArray } from "../samples/sample.js";

/** Element types of models' inputs and outputs. */
export type ModelType =
	| "float16"
	| "float32"
	| "float64"
	| "int32"
	| "int64"
	| "uint8"
	| "bool";

/** What computes an ONNX model: the processor, by WebAssembly, or the graphics card. */
export type ModelProvider = "wasm" | "webgpu";

/** Values of an input or output. */
export interface ModelTensor {
	/**
	 * Element type; booleans are bytes of 0 and 1, halves are in a Float32Array. Outputs
	 * are numbers of any type.
	 */
	readonly type?: ModelType | undefined;
	/** The values, row by row. */
	readonly data: SampleArray["data"];
	/** Length along each axis; the first one is the batch. */
	readonly dims: readonly number[];
}

/** Inputs or outputs by name. */
export type ModelTensors = Readonly<Record<string, ModelTensor>>;

/**
 * A model of any kind, in place of an ONNX file: receives all arrays of the samples by
 * their keys, with the axis of a batch, and returns outputs by name.
 */
export type PredictFunction = (
	inputs: ModelTensors,
	options: AbortOptions,
) => ModelTensors | Promise<ModelTensors>;

/** The used part of ONNX Runtime: `onnxruntime-web`, `onnxruntime-node`. */
export interface OnnxRuntime {
	/** Makes sessions. */
	readonly InferenceSession: {
		/** Makes a session of a model. */
		create(...given: never[]): Promise<unknown>;
	};
	/** Class of tensors. */
	readonly Tensor: unknown;
}

/** What a model's file does not say: docs/models.md. */
export interface ModelSettings {
	/** Always `bevscope-model`. */
	readonly format: "bevscope-model";
	/** Always 1. */
	readonly version: 1;
	/** The model's name. */
	readonly name?: string | undefined;
	/** Whose futures it predicts. Default `ego`. */
	readonly subject?: "ego" | "agents" | "both" | undefined;
	/** L5Kit's config of the samples. */
	readonly config?: Readonly<Record<string, unknown>> | undefined;
	/** Whether samples are vectorized. Default: as the inputs say. */
	readonly vectorized?: boolean | undefined;
	/** Keys of samples by the names of inputs. */
	readonly inputs?: Readonly<Record<string, string>> | undefined;
	/** Normalisation of inputs: one number, or one per channel. */
	readonly scale?:
		| Readonly<
				Record<
					string,
					{
						/** Subtracted first. */
						readonly mean: readonly number[];
						/** Divided by. */
						readonly std: readonly number[];
					}
				>
		  >
		| undefined;
	/** Names of outputs. */
	readonly outputs?:
		| {
				/** Of the positions. */
				readonly positions?: string | undefined;
				/** Of the modes' confidences. */
				readonly confidences?: string | undefined;
				/** Of the yaws. */
				readonly yaws?: string | undefined;
		  }
		| undefined;
	/** The frame of positions. Default `subject`. */
	readonly frame?: "subject" | "world" | "world_offset" | undefined;
	/** Metres per unit of positions. Default 1. */
	readonly units?: number | undefined;
	/** Frames from the sample to the first position. Default 1. */
	readonly first_step?: number | undefined;
	/** Seconds between positions. Default 0.1. */
	readonly step_time?: number | undefined;
	/** Labels of the agents that it predicts. Default: all. */
	readonly labels?: readonly string[] | undefined;
	/** Maximum number of agents in a frame. Default 32. */
	readonly max_agents?: number | undefined;
}

/** Options of `Model.open`. */
export interface ModelOptions extends AbortOptions {
	/** Name in messages. Default: the file's name. */
	name?: string | undefined;
	/**
	 * Settings, or their JSON text. Default: those in the file's metadata, by the key
	 * `bevscope`.
	 */
	settings?: ModelSettings | string | undefined;
	/**
	 * URL of the folder with ONNX Runtime Web's files, or of its script; default: `ort/`
	 * below the base of `configure`, or below the page. In Node, the package
	 * `onnxruntime-web`. Or a runtime that is loaded already, which runs on this thread.
	 */
	runtime?: string | URL | OnnxRuntime | undefined;
	/**
	 * What computes the model. Default: WebGPU if the browser has a graphics card for it
	 * and the runtime's folder the files, otherwise WebAssembly, also for models that
	 * WebGPU refuses. `webgpu` also takes a software emulation of a graphics card.
	 */
	provider?: ModelProvider | undefined;
	/**
	 * Milliseconds after which a model that does not answer is ended; loading may take three
	 * times as long. Default 10,000.
	 */
	timeout?: number | undefined;
	/** The worker that runs models, `bevscope/model-worker`; false for this thread. */
	worker?: WorkerFile | undefined;
}

/** An input of a model, and what feeds it. */
export interface ModelInput {
	/** Its name in the model. */
	readonly name: string;
	/** Key of the samples' array. */
	readonly key: string;
	/** Element type. */
	readonly type: ModelType;
	/** Shape as text: `(batch, 5, 112, 112)`. */
	readonly shape: string;
	/** Whether the settings normalise it. */
	readonly scaled: boolean;
}

/** What a model takes and gives. */
export interface ModelContract {
	/** The name in its settings, or that of the file. */
	readonly name: string;
	/** Whose futures it predicts. */
	readonly subject: "ego" | "agents" | "both";
	/** Whether its samples are vectorized. */
	readonly vectorized: boolean;
	/** The form of its samples' images. */
	readonly image: "f32" | "u8" | "none";
	/** Whether it reads the recorded future. */
	readonly readsFuture: boolean;
	/**
	 * The only size of batches that its file takes, in which samples of any number run;
	 * null for any.
	 */
	readonly batch: number | null;
	/** Inputs; none for functions, which receive all arrays. */
	readonly inputs: readonly ModelInput[];
	/** Names of the outputs. */
	readonly outputs: {
		/** Of the positions. */
		readonly positions: string;
		/** Of the modes' confidences; null without. */
		readonly confidences: string | null;
		/** Of the yaws; null without. */
		readonly yaws: string | null;
	};
	/** Number of modes; null if the file does not say. */
	readonly modes: number | null;
	/** Number of future steps; null if the file does not say. */
	readonly steps: number | null;
	/** The frame of its positions. */
	readonly frame: "subject" | "world" | "world_offset";
	/** Metres per unit of positions. */
	readonly units: number;
	/** Frames from the sample to the first position. */
	readonly firstStep: number;
	/** Seconds between positions. */
	readonly stepTime: number;
	/** Labels of the agents that it predicts; none for all. */
	readonly labels: readonly string[];
	/** Maximum number of agents in a frame. */
	readonly maxAgents: number;
	/** L5Kit's config of its samples; null without one. */
	readonly config: Readonly<Record<string, unknown>> | null;
	/** Without a config: numbers that the shapes determine. */
	readonly assumed: {
		/** Frames before the sample's. */
		readonly history_num_frames: number | null;
		/** Frames after it. */
		readonly future_num_frames: number | null;
		/** Of the image, in pixels. */
		readonly width: number | null;
		/** Of the image, in pixels. */
		readonly height: number | null;
	};
}

/** Milliseconds that a prediction took. */
export interface ModelTimes {
	/** Copying and converting arrays, and passing them to the worker and back. */
	readonly copy: number;
	/** Running the model. */
	readonly inference: number;
	/** Converting the outputs to the world. */
	readonly decode: number;
}

/** Futures that a model predicted for B subjects: K modes of T steps. */
export interface PredictedFutures {
	/** K. */
	readonly modes: number;
	/** T. */
	readonly steps: number;
	/** (B, K, T, 2): metres in the world. */
	readonly positions: Float64Array;
	/** (B, K, T): radians in the world, not wrapped; undefined if the model has none. */
	readonly yaws: Float64Array | undefined;
	/** (B, K); the modes of a subject sum to 1. */
	readonly confidences: Float64Array;
	/** What the prediction took. */
	readonly times: ModelTimes;
}
