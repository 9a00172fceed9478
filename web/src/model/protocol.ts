import type { ModelProvider, ModelTensors } from "./types.js";

/** Length of an axis; a name or null for any. */
export type Axis = number | string | null;

/** An input or output as a model declares it; of an unknown shape without `shape`. */
export interface TensorInfo {
	readonly name: string;
	readonly type: string;
	readonly shape?: readonly Axis[] | undefined;
}

/** What a model declares. */
export interface Signature {
	readonly inputs: readonly TensorInfo[];
	readonly outputs: readonly TensorInfo[];
}

/** Outputs, and the milliseconds that the model took. */
export interface Ran {
	readonly outputs: ModelTensors;
	readonly inference: number;
	/** What computed them, if that has changed since loading. */
	readonly used?: Used | undefined;
}

/** What computes a model. */
export interface Used {
	readonly provider: ModelProvider;
	/** Why not WebGPU, if that was tried. */
	readonly why?: string | undefined;
}

/** A model that the worker has loaded. */
export interface LoadedModel {
	readonly signature: Signature;
	readonly used: Used;
}

/** What the page asks the worker. */
export type ModelTask =
	| {
			readonly kind: "runtime";
			readonly address: string;
			readonly provider: ModelProvider | undefined;
	  }
	| { readonly kind: "load"; readonly bytes: Uint8Array; readonly name: string }
	| { readonly kind: "run"; readonly inputs: ModelTensors };

/** What runs a model. */
export interface Runner {
	/** Undefined for functions, whose outputs are known when they have answered. */
	readonly signature: Signature | undefined;
	/** Undefined for functions. */
	readonly used: Used | undefined;
	run(inputs: ModelTensors, signal: AbortSignal | undefined): Promise<Ran>;
	/** Ends a run; the next one starts anew. */
	cancel(reason: unknown): void;
	close(): void;
}
