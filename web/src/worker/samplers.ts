import type { CoreEngine, CoreModule, CoreSamples } from "../core.js";
import { BevError } from "../errors.js";
import type { SampleAt, SamplerQuery } from "./protocol.js";

type Made = Extract<SamplerQuery, { kind: "sampler" }>;

interface Waiting {
	readonly resolve: (samples: CoreSamples) => void;
	readonly reject: (error: BevError) => void;
}

/** Samplers of one query: those not at work, and who waits for one. */
interface Group {
	readonly query: Made;
	idle: CoreSamples[];
	readonly waiting: Waiting[];
}

/**
 * The samplers of an engine's user, by the number each was given. A sampler of the core makes
 * one sample at a time, so there are as many as samples are asked for at a time; but only one
 * where samples are perturbed, for their random numbers are drawn in order.
 */
export class Samplers {
	readonly #make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples;
	readonly #made = new Map<number, Group>();

	/** `make` makes another one of what `query` asks for. */
	constructor(
		make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples,
	) {
		this.#make = make;
	}

	/** Throws what is wrong with the config; gives the names of the image's channels. */
	add(core: CoreModule, engine: CoreEngine, query: Made): readonly string[] {
		const first = this.#make(core, engine, query);
		this.#made.set(query.sampler, { query, idle: [first], waiting: [] });
		return first.channels();
	}

	/** One that is not at work; give it back. */
	async borrow(core: CoreModule, engine: CoreEngine, id: number): Promise<CoreSamples> {
		const made = this.#made.get(id);
		if (!made) throw closed();
		const idle = made.idle.pop();
		if (idle) return idle;
		if (!made.query.options.perturbation) return this.#make(core, engine, made.query);
		return new Promise((resolve, reject) => made.waiting.push({ resolve, reject }));
	}

	/**
	 * @param keep false if the sample was not made: an idle sampler would keep its chunks in
	 * memory. Perturbed ones stay, for their random numbers go on, but unpin their chunks.
	 */
	giveBack(id: number, samples: CoreSamples, keep: boolean): void {
		const made = this.#made.get(id);
		if (made && !keep && made.query.options.perturbation) samples.releasePins();
		const next = made?.waiting.shift();
		if (next) next.resolve(samples);
		else if (made && (keep || made.query.options.perturbation)) made.idle.push(samples);
		else samples.delete();
	}

	free(id: number): void {
		const made = this.#made.get(id);
		this.#made.delete(id);
		for (const samples of made?.idle ?? []) samples.delete();
		for (const { reject } of made?.waiting ?? []) reject(closed());
	}

	/** Frees all of them. */
	close(): void {
		for (const id of [...this.#made.keys()]) this.free(id);
	}

	/**
	 * Lets go of memory that is not to be touched any more; what was asked is made anew, but
	 * perturbed samples are not: where their random numbers were is lost.
	 */
	forget(): void {
		for (const [id, made] of this.#made) {
			made.idle = [];
			if (made.query.options.perturbation) this.free(id);
		}
	}
}

function closed(): BevError {
	return new BevError("invalid_argument", "the data set of samples was closed");
}

export function aim(samples: CoreSamples, at: SampleAt): void {
	if ("frame" in at) samples.atFrame(at.frame);
	else if ("agent" in at) samples.atAgent(at.agent);
	else if (at.track === undefined) samples.atEgo(at.scene, at.state);
	else samples.atTrack(at.scene, at.state, at.track);
}
