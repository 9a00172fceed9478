import type { Used } from "../../model/protocol.js";
import type { ModelContract } from "../../model/types.js";

/** Milliseconds of a prediction. */
export interface LiveTimes {
	/** Reading and building the sample. */
	readonly sample: number;
	/** Converting arrays, and passing them to the model's worker and back. */
	readonly copy: number;
	readonly inference: number;
	/** Converting the outputs, and passing them to the picture. */
	readonly draw: number;
}

/** A simulation by the model. */
export interface UnrollState {
	/** The first frame, and its scene. */
	readonly scene: number;
	readonly start: number;
	/** Number of frames that are simulated, with the first one. */
	readonly done: number;
	/** Number of all frames. */
	readonly of: number;
	readonly isRunning: boolean;
	/** Why it failed. */
	readonly problem: string | undefined;
}

/** Predictions of a whole scene, or of all, by the model. */
export interface RunState {
	/** The scene; undefined for all. */
	readonly scene: number | undefined;
	/** Number of frames that are predicted, and of all. */
	readonly done: number;
	readonly of: number;
	readonly isRunning: boolean;
	/** Whether what is predicted is among the predictions. */
	readonly isAdded: boolean;
	/** Why it failed. */
	readonly problem: string | undefined;
}

/** The open model, which predicts the displayed frame. */
export interface LiveState {
	/** Name of its file, or of its settings. */
	readonly name: string;
	/** Bytes of the file; undefined for models and functions of the page. */
	readonly bytes: number | undefined;
	readonly phase: "opening" | "ready" | "failed";
	/** Undefined while it is opened, and of a function until it has answered. */
	readonly contract: ModelContract | undefined;
	/** What computes it; undefined for functions and runtimes of the page. */
	readonly used: Used | undefined;
	/** Where the samples' config is from. */
	readonly config: string;
	/** The predicted frame that the picture shows. */
	readonly frame: number | undefined;
	/** The frame being predicted. */
	readonly busy: number | undefined;
	/** What the last prediction took. */
	readonly times: LiveTimes | undefined;
	/** Number of frames whose predictions are kept. */
	readonly kept: number;
	/** The last simulation by the model. */
	readonly unroll: UnrollState | undefined;
	/** The last predictions of scenes. */
	readonly run: RunState | undefined;
	/** Why opening or the last prediction failed. */
	readonly problem: string | undefined;
}
