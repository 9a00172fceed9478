import type { AbortOptions } from "../api.js";
import type { CoreDataKeys, CoreSampleOptions } from "../core.js";
import type { ChunkedDataset } from "../dataset.js";
import { askArrays, type Client } from "../worker/client.js";
import { clientOf } from "../worker/clients.js";
import type { SampleAt } from "../worker/protocol.js";
import { type Config, jsonOf, type SampleOptions } from "./options.js";
import { type Sample, sampleOf } from "./sample.js";

/** Samplers are told apart by number, whichever client they are of. */
let nextSampler = 0;

/** Has the data set's engine make samples of one config. */
export class Sampler {
	readonly client: Client;
	readonly config: string;
	readonly #id = nextSampler++;

	private constructor(client: Client, config: string) {
		this.client = client;
		this.config = config;
	}

	/** Rejects with what is wrong with the config. */
	static async make(
		dataset: ChunkedDataset,
		config: Config,
		kind: NonNullable<CoreSampleOptions["kind"]>,
		{ image = "f32", signal }: SampleOptions,
	): Promise<Sampler> {
		const sampler = new Sampler(clientOf(dataset), jsonOf(config));
		const options = { config: sampler.config, kind, image };
		const query = { kind: "sampler", sampler: sampler.#id, options } as const;
		await sampler.client.ask(query, { signal });
		return sampler;
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
	}
}

/** The files that `config` asks for. */
export async function dataKeys(
	client: Client,
	config: string,
	vectorized: boolean,
	options: AbortOptions,
): Promise<CoreDataKeys> {
	const query = { kind: "data-keys", config, vectorized } as const;
	const { text } = await client.ask(query, { signal: options.signal });
	return JSON.parse(text ?? "{}") as CoreDataKeys;
}
