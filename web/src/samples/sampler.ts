import type { AbortOptions } from "../api.js";
import type { CoreSampleOptions } from "../core.js";
import type { ChunkedDataset } from "../dataset.js";
import { askArrays, type Client } from "../worker/client.js";
import { clientOf } from "../worker/clients.js";
import type { SampleAt, SamplesQuery } from "../worker/protocol.js";
import { type AskSamples, iterate } from "./iterate.js";
import {
	type Config,
	jsonOf,
	type SampleOptions,
	type SamplesOptions,
} from "./options.js";
import { type Sample, sampleOf } from "./sample.js";
import { freeScenery, loadScenery, type Scenery } from "./scenery.js";

/** Stacked, or the single one there is. */
type Which = Pick<SamplesQuery, "at" | "stacked" | "sequential">;

/** Samplers are told apart by number, whichever client they are of. */
let nextSampler = 0;

/** Has the data set's engine make samples of one config. */
export class Sampler {
	readonly client: Client;
	readonly config: string;
	readonly #id = nextSampler++;
	readonly #scenery: Scenery;

	private constructor(client: Client, config: string, scenery: Scenery) {
		this.client = client;
		this.config = config;
		this.#scenery = scenery;
	}

	/** Rejects with what is wrong with the config. */
	static async make(
		dataset: ChunkedDataset,
		config: Config,
		kind: NonNullable<CoreSampleOptions["kind"]>,
		options: SampleOptions,
	): Promise<Sampler> {
		const { image = "f32", vectorized = false, signal } = options;
		const { client, source } = clientOf(dataset);
		const json = jsonOf(config);
		const scenery = await loadScenery(client, json, source, options);
		const sampler = new Sampler(client, json, scenery);
		const query = {
			kind: "sampler",
			sampler: sampler.#id,
			options: { config: json, kind, image, vectorized },
			scenery,
		} as const;
		try {
			await client.ask(query, { signal });
			return sampler;
		} catch (error) {
			freeScenery(client, scenery);
			throw error;
		}
	}

	async sample(at: SampleAt, options: AbortOptions): Promise<Sample> {
		return this.#ask({ at: [at], stacked: false, sequential: false }, options);
	}

	/** Samples or batches of them in order, as the options say. */
	iterate(
		places: AsyncIterable<SampleAt>,
		options: SamplesOptions,
	): AsyncGenerator<Sample, void, undefined> {
		const { sequential = options.indices === undefined } = options;
		const ask: AskSamples = (at, stacked, signal) =>
			this.#ask({ at, stacked, sequential }, { signal });
		return iterate(places, ask, options);
	}

	/** Reads what a sample takes, when nothing else wants to read. */
	async prefetch(at: SampleAt, { signal }: AbortOptions): Promise<void> {
		const query = this.#query({ at: [at], stacked: false, sequential: false });
		await this.client.ask(query, { signal, prefetch: true });
	}

	/** Frees it; closing the data set does so as well. */
	close(): void {
		this.client.ask({ kind: "free-sampler", sampler: this.#id }).catch(() => {});
		freeScenery(this.client, this.#scenery);
	}

	async #ask(which: Which, { signal }: AbortOptions): Promise<Sample> {
		return sampleOf(await askArrays(this.client, this.#query(which), { signal }));
	}

	#query(which: Which): SamplesQuery {
		return { kind: "samples", sampler: this.#id, ...which };
	}
}
