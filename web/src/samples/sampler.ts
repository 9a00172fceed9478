import type { AbortOptions } from "../api.js";
import type { CoreSampleOptions } from "../core.js";
import type { ChunkedDataset } from "../dataset.js";
import { askArrays, type Client } from "../worker/client.js";
import { clientOf } from "../worker/clients.js";
import type { SampleAt } from "../worker/protocol.js";
import { type Config, jsonOf, type SampleOptions } from "./options.js";
import { type Sample, sampleOf } from "./sample.js";
import { freeScenery, loadScenery, type Scenery } from "./scenery.js";

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

	async sample(at: SampleAt, { signal }: AbortOptions): Promise<Sample> {
		return this.samples([at], false, signal);
	}

	/** Stacked, or the single one there is. */
	async samples(
		at: readonly SampleAt[],
		stacked: boolean,
		signal: AbortSignal | undefined,
	): Promise<Sample> {
		const query = { kind: "samples", sampler: this.#id, at, stacked } as const;
		return sampleOf(await askArrays(this.client, query, { signal }));
	}

	/** Reads what a sample takes, when nothing else wants to read. */
	async prefetch(at: SampleAt, { signal }: AbortOptions): Promise<void> {
		const query = {
			kind: "samples",
			sampler: this.#id,
			at: [at],
			stacked: false,
		} as const;
		await this.client.ask(query, { signal, prefetch: true });
	}

	/** Frees it; closing the data set does so as well. */
	close(): void {
		this.client.ask({ kind: "free-sampler", sampler: this.#id }).catch(() => {});
		freeScenery(this.client, this.#scenery);
	}
}
