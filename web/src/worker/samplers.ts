import type { CoreEngine, CoreModule, CoreSamples } from "../core.js";
import { BevError } from "../errors.js";
import type { SampleAt, SamplerQuery } from "./protocol.js";

type Made = Extract<SamplerQuery, { kind: "sampler" }>;

/**
 * The samplers of an engine's user, by the number each was given. A sampler of the core makes
 * one sample at a time, so there are as many as samples are asked for at a time.
 */
export class Samplers {
	readonly #make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples;
	readonly #made = new Map<number, { readonly query: Made; idle: CoreSamples[] }>();

	/** `make` makes another one of what `query` asks for. */
	constructor(
		make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples,
	) {
		this.#make = make;
	}

	/** Throws what is wrong with the config. */
	add(core: CoreModule, engine: CoreEngine, query: Made): void {
		const first = this.#make(core, engine, query);
		this.#made.set(query.sampler, { query, idle: [first] });
	}

	/** One that is not at work; give it back. */
	borrow(core: CoreModule, engine: CoreEngine, id: number): CoreSamples {
		const made = this.#made.get(id);
		if (made) return made.idle.pop() ?? this.#make(core, engine, made.query);
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
