import type { CoreEngine, CoreModule, CoreSamples } from "../core.js";
import { BevError } from "../errors.js";
import { Handles } from "./handles.js";
import type { SampleAt, SamplerQuery } from "./protocol.js";

const CLOSED = "samples: closed";

interface Waiting {
	readonly resolve: (samples: CoreSamples) => void;
	readonly reject: (error: BevError) => void;
}

/** Samplers of one query: the idle ones, and the callers that wait for one. */
class Group {
	readonly query: SamplerQuery;
	idle: CoreSamples[];
	readonly waiting: Waiting[] = [];

	constructor(query: SamplerQuery, first: CoreSamples) {
		this.query = query;
		this.idle = [first];
	}

	delete(): void {
		for (const samples of this.idle) samples.delete();
		for (const { reject } of this.waiting) reject(closed());
	}
}

/**
 * A client's samplers by id. A sampler of the core computes one sample at a time, so
 * concurrent requests use several. Perturbed samples use a single one, because their
 * random numbers are drawn in order.
 */
export class Samplers {
	readonly #make: (
		core: CoreModule,
		engine: CoreEngine,
		query: SamplerQuery,
	) => CoreSamples;
	readonly #made = new Handles<Group>(CLOSED);

	/** `make` creates a sampler for `query`. */
	constructor(
		make: (core: CoreModule, engine: CoreEngine, query: SamplerQuery) => CoreSamples,
	) {
		this.#make = make;
	}

	/**
	 * Creates a sampler; returns the names of the image's channels. Throws if the config
	 * is invalid.
	 */
	add(core: CoreModule, engine: CoreEngine, query: SamplerQuery): readonly string[] {
		const first = this.#make(core, engine, query);
		this.#made.add(query.id, new Group(query, first));
		return first.channels();
	}

	/** Returns an idle sampler; pass it to `giveBack` afterwards. */
	async borrow(core: CoreModule, engine: CoreEngine, id: number): Promise<CoreSamples> {
		const made = this.#made.find(id);
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
		this.#made.free(id);
	}

	/** Frees all samplers. */
	close(): void {
		this.#made.close();
	}

	/**
	 * Drops all samplers without freeing them: their memory must not be used any more.
	 * They are created again when needed, except perturbed ones, whose position in the
	 * random sequence is lost.
	 */
	forget(): void {
		for (const id of this.#made.ids) {
			const made = this.#made.find(id);
			made.idle = [];
			if (made.query.options.perturbation) this.free(id);
		}
	}
}

function closed(): BevError {
	return new BevError("invalid_argument", CLOSED);
}

export function aim(samples: CoreSamples, at: SampleAt): void {
	if ("frame" in at) samples.atFrame(at.frame);
	else if ("agent" in at) samples.atAgent(at.agent);
	else if (at.track === undefined) samples.atEgo(at.scene, at.state);
	else samples.atTrack(at.scene, at.state, at.track);
}
