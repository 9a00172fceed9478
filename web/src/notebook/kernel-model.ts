import { BevError } from "../base/errors.js";
import type { LiveModelOptions } from "../elements/models/live-controller.js";
import type { ModelTensor, ModelTensors, PredictFunction } from "../model/types.js";
import {
	KernelMessages,
	type SentTensor,
	type WidgetModel,
} from "./kernel-messages.js";

/** The trait `_model`: a model of the kernel, or null. */
export type SentModel = Pick<
	LiveModelOptions,
	"name" | "image" | "vectorized" | "config" | "settings"
>;

/** Returns the options of a model of the kernel; null means absent. */
export function optionsOf(sent: SentModel): LiveModelOptions {
	const { name, image, vectorized, config, settings } = sent;
	const given = { name, image, vectorized, config, settings };
	const set = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
	return Object.fromEntries(set);
}

/** Predicts by a function of a notebook's kernel. */
export class KernelModel {
	readonly #messages: KernelMessages;

	constructor(model: WidgetModel) {
		this.#messages = new KernelMessages(model);
	}

	/** The function for `Model.open`. */
	readonly predict: PredictFunction = async (inputs, { signal }) => {
		const named = Object.entries(inputs);
		const { answer, buffers } = await this.#messages.ask(
			{ type: "predict", inputs: named.map(([name, one]) => described(name, one)) },
			signal,
			named.map(([, { data }]) => bufferOf(data)),
		);
		return outputsOf(answer.outputs ?? [], buffers);
	};

	/** Rejects what is pending. */
	close(): void {
		this.#messages.close();
	}
}

function described(name: string, { type, dims }: ModelTensor): SentTensor {
	return { name, type: type ?? "float32", dims };
}

/** Copies the values: a message takes whole buffers. */
function bufferOf(data: ModelTensor["data"]): ArrayBuffer {
	const { buffer, byteOffset, byteLength } = data as Uint8Array;
	return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function outputsOf(
	sent: readonly SentTensor[],
	buffers: readonly Uint8Array[],
): ModelTensors {
	return Object.fromEntries(
		sent.map(({ name, type, dims }, i) => {
			const bytes = buffers[i]?.buffer;
			if (!bytes)
				throw new BevError("network", `${name}: the kernel's answer has no bytes`);
			const data =
				type === "float64" ? new Float64Array(bytes) : new Float32Array(bytes);
			return [name, { type: type === "float64" ? type : "float32", data, dims }];
		}),
	);
}
