import type { CoreEngine, CoreModule, CoreSamples } from "../core.js";
import { BevError } from "../errors.js";
import type { SampleAt, SamplerQuery } from "./protocol.js";

type Made = Extract<SamplerQuery, { kind: "sampler" }>;

interface Waiting {
	readonly resolve: (samples: CoreSamples) => void;
	readonly reject: (error: BevError) => void;
}

/** Samplers of one query: the idle ones, and the callers that wait for one. */
interface Group {
	readonly query: Made;
	idle: CoreSamples[];
	readonly waiting: Waiting[];
}

/**
 * A client's samplers by id. A sampler of the core computes one sample at a time, so
 * concurrent requests use several. Perturbed samples use a single one, because their
 * random numbers are drawn in order.
 */
export class Samplers {
	readonly #make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples;
	readonly #made = new Map<number, Group>();

	/** `make` creates a sampler for `query`. */
	constructor(
		make: (core: CoreModule, engine: CoreEngine, query: Made) => CoreSamples,
	) {
		this.#make = make;
	}

	/**
	 * Creates a sampler; returns the names of the image's channels. Throws if the config
	 * is invalid.
	 */
	add(core: CoreModule, engine: CoreEngine, query: Made): readonly string[] {
		const first = this.#make(core, engine, query);
		this.#made.set(query.sampler, { query, idle: [first], waiting: [] });
		return first.channels();
	}

	/** Returns an idle sampler; pass it to `giveBack` afterwards. */
	async borrow(core: CoreModule, engine: CoreEngine, id: number): Promise<CoreSamples> {
		const made = this.#made.get(id);
		if (!made) throw closed();
		const idle = made.idle.pop();
		if (idle) return idle;
		if (!made.query.options.perturbation) return this.#make(core, engine, made.query);
		return new Promise((resolve, reject) => made.waiting.push({ resolve, reject }));
	}

	/**
	 * Returns a borrowed sampler.
	 *
	 * @param keep false if the sample was not built: an idle sampler would pin its
	 * chunks. Perturbed samplers are kept, because their random sequence continues, but
	 * unpin their chunks.
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

	/** Frees all samplers. */
	close(): void {
		for (const id of [...this.#made.keys()]) this.free(id);
	}

	/**
	 * Drops all samplers without freeing them: their memory must not be used any more.
	 * They are created again when needed, except perturbed ones, whose position in the
	 * random sequence is lost.
	 */
	forget(): void {
		for (const [id, made] of this.#made) {
			made.idle = [];
			if (made.query.options.perturbation) this.free(id);
		}
	}
}

function closed(): BevError {
	return new BevError("invalid_argument", "samples: closed");
}

export function aim(samples: CoreSamples, at: SampleAt): void {
	if ("frame" in at) samples.atFrame(at.frame);
	else if ("agent" in at) samples.atAgent(at.agent);
	else if (at.track === undefined) samples.atEgo(at.scene, at.state);
	else samples.atTrack(at.scene, at.state, at.track);
}
