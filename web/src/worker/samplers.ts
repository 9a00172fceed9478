import type { CoreEngine, CoreModule, CoreSamples } from "../core.js";
import { BevError } from "../errors.js";
import type { SampleAt, SamplerQuery } from "./protocol.js";

type Made = Extract<SamplerQuery, { kind: "sampler" }>;

/**
 * The samplers of an engine's user, by the number each was given. A sampler of the core makes
 * one sample at a time, so there are as many as samples are asked for at a time.
 */
export class Samplers {
	readonly #made = new Map<number, { readonly query: Made; idle: CoreSamples[] }>();

	/** Throws what is wrong with the config. */
	make(core: CoreModule, engine: CoreEngine, query: Made): void {
		const first = core.samples(engine, query.options);
		this.#made.set(query.sampler, { query, idle: [first] });
	}

	/** One that is not at work; give it back. */
	borrow(core: CoreModule, engine: CoreEngine, id: number): CoreSamples {
		const made = this.#made.get(id);
		if (made) return made.idle.pop() ?? core.samples(engine, made.query.options);
		throw new BevError("invalid_argument", "the data set of samples was closed");
	}

	giveBack(id: number, samples: CoreSamples): void {
		const made = this.#made.get(id);
		if (made) made.idle.push(samples);
		else samples.delete();
	}

	free(id: number): void {
		for (const samples of this.#made.get(id)?.idle ?? []) samples.delete();
		this.#made.delete(id);
	}

	/** Frees all of them. */
	close(): void {
		for (const id of [...this.#made.keys()]) this.free(id);
	}

	/** Lets go of memory that is not to be touched any more; what was asked is made anew. */
	forget(): void {
		for (const made of this.#made.values()) made.idle = [];
	}
}

export function aim(samples: CoreSamples, at: SampleAt): void {
	if ("frame" in at) samples.atFrame(at.frame);
	else if ("agent" in at) samples.atAgent(at.agent);
	else if (at.track === undefined) samples.atEgo(at.scene, at.state);
	else samples.atTrack(at.scene, at.state, at.track);
}
