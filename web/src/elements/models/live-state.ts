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

/** The open model, which predicts the displayed frame. */
export interface LiveState {
	/** Name of its file, or of its settings. */
	readonly name: string;
	/** Bytes of the file. */
	readonly bytes: number;
	readonly phase: "opening" | "ready" | "failed";
	/** Undefined while it is opened. */
	readonly contract: ModelContract | undefined;
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
	/** Why opening or the last prediction failed. */
	readonly problem: string | undefined;
}
