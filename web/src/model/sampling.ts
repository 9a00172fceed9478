import type { AbortOptions } from "../api.js";
import { refuse } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { Config, SampleOptions } from "../samples/options.js";
import { Model } from "./model.js";
import type { PredictFunction } from "./types.js";

// What calls have in common that let a model read a data set.

/** Samples that a model takes. */
export interface ModelSamples
	extends AbortOptions,
		Pick<SampleOptions, "root" | "map" | "meta" | "aerial" | "vectorized" | "image"> {
	config?: Config | undefined;
}

/** A model, or a function in its place. */
interface ModelGiven extends AbortOptions {
	model?: Model | undefined;
	predict?: PredictFunction | undefined;
}

/** Calls `use` with the model of a call's options. */
export async function withModel<R>(
	call: string,
	{ model, predict, signal }: ModelGiven,
	use: (model: Model) => Promise<R>,
): Promise<R> {
	signal?.throwIfAborted();
	if (model && !(model instanceof Model)) refuse(`${call}: model`, model, "a Model");
	if (predict && typeof predict !== "function")
		refuse(`${call}: predict`, predict, "a function");
	if (model && !predict) return use(model);
	if (!predict || model)
		refuse(`${call}: model`, model, "a model or predict, and not both");
	using made = await Model.open(predict, { signal });
	return await use(made);
}

/** Returns the config of a call, or the model's. */
export function configOf(
	call: string,
	{ name, contract }: Model,
	{ config }: ModelSamples,
): Config {
	const found = config ?? contract?.config;
	if (found) return found;
	const said = `${call}: config: missing (${name} has none, expected L5Kit's config)`;
	throw new BevError("invalid_argument", said);
}

/** Returns the options of the samples that a model takes. */
export function sampleOptionsOf(
	{ contract }: Model,
	options: ModelSamples,
): SampleOptions {
	const { signal, root, map, meta, aerial } = options;
	const { vectorized = contract?.vectorized, image = contract?.image } = options;
	return {
		...{ signal, root, map, meta, aerial },
		vectorized: vectorized ?? false,
		image: image ?? "none",
	};
}
