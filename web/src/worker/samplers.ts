import { BevError } from "../base/errors.js";
import { Handles } from "./handles.js";
import type { Owned } from "./owned.js";
import type { SamplerQuery } from "./protocol.js";
import type { Instance } from "./run.js";

const CLOSED = "samples: closed";

interface Waiting {
	readonly resolve: (samples: Owned<"Samples">) => void;
	readonly reject: (error: BevError) => void;
}

/** Samplers of one query: the idle ones, and the callers that wait for one. */
class Group {
	readonly query: SamplerQuery;
	idle: Owned<"Samples">[];
	readonly waiting: Waiting[] = [];

	constructor(query: SamplerQuery, first: Owned<"Samples">) {
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
	readonly #make: (instance: Instance, query: SamplerQuery) => Owned<"Samples">;
	readonly #made = new Handles<Group>(CLOSED);

	/** `make` creates a sampler for `query`. */
	constructor(make: (instance: Instance, query: SamplerQuery) => Owned<"Samples">) {
		this.#make = make;
	}

	/**
	 * Creates a sampler; returns the names of the image's channels. Throws if the config
	 * is invalid.
	 */
	add(instance: Instance, query: SamplerQuery): readonly string[] {
		const first = this.#make(instance, query);
		this.#made.add(query.id, new Group(query, first));
		return instance.core.run("sample_channels", { samples: first.handle });
	}

	/** Returns an idle sampler; pass it to `giveBack` afterwards. */
	async borrow(instance: Instance, id: number): Promise<Owned<"Samples">> {
		const made = this.#made.find(id);
		const idle = made.idle.pop();
		if (idle) return idle;
		if (!made.query.options.perturbation) return this.#make(instance, made.query);
		return new Promise((resolve, reject) => made.waiting.push({ resolve, reject }));
	}

	/**
	 * Returns a borrowed sampler.
	 *
	 * @param keep false if the sample was not built: an idle sampler would pin its
	 * chunks. Perturbed samplers are kept, because their random sequence continues, but
	 * unpin their chunks.
	 */
	giveBack(
		{ core }: Pick<Instance, "core">,
		id: number,
		samples: Owned<"Samples">,
		keep: boolean,
	): void {
		const made = this.#made.get(id);
		if (made && !keep && made.query.options.perturbation)
			core.run("release_pins", { samples: samples.handle });
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
