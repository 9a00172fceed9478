import type { AbortOptions } from "../api.js";
import type { CoreSampleOptions } from "../core.js";
import type { ChunkedDataset } from "../dataset.js";
import { askArrays, type Client } from "../worker/client.js";
import { clientOf } from "../worker/clients.js";
import { askKept } from "../worker/kept.js";
import type { SampleAt, SamplerQuery, SamplesQuery } from "../worker/protocol.js";
import type { AgentItems } from "./agent-items.js";
import { type AskSamples, iterate } from "./iterate.js";
import {
	type Config,
	type EgoSampleOptions,
	jsonOf,
	type PictureOptions,
	perturbationOf,
	type SamplesOptions,
} from "./options.js";
import { type Sample, sampleOf } from "./sample.js";
import { freeScenery, loadScenery } from "./scenery.js";

/** Stacked, or the single one there is. */
type Which = Pick<SamplesQuery, "at" | "stacked" | "sequential" | "channel">;
type SamplerMade = Extract<SamplerQuery, { kind: "sampler" }>;

/** Samplers are told apart by number, whichever client they are of. */
let nextSampler = 0;

/** Has the data set's engine make samples of one config. */
export class Sampler {
	readonly client: Client;
	readonly config: string;
	/** What the channels of the image are, in words. */
	channels: readonly string[] = [];
	readonly #id = nextSampler++;
	/** Whether what it draws is another one's to free. */
	#borrows = false;
	readonly #asked: Omit<SamplerMade, "kind" | "sampler">;

	/**
	 * Rejects with what is wrong with the config.
	 *
	 * @param items the agents that a sample of a scene is to name, for `eval`
	 */
	static async make(
		dataset: ChunkedDataset,
		config: Config,
		kind: NonNullable<CoreSampleOptions["kind"]>,
		options: EgoSampleOptions,
		items?: AgentItems,
	): Promise<Sampler> {
		const { image = "f32", vectorized = false, signal } = options;
		const { client, source } = clientOf(dataset);
		const json = jsonOf(config);
		const perturbation = perturbationOf(options);
		const core = { config: json, kind, image, vectorized, ...perturbation };
		const scenery = await loadScenery(client, json, source, options);
		const sampler = new Sampler(client, json, {
			options: items ? { ...core, eval: true } : core,
			scenery: items ? { ...scenery, validAgents: items.id } : scenery,
		});
		try {
			await sampler.#start({ signal });
			return sampler;
		} catch (error) {
			freeScenery(client, scenery);
			throw error;
		}
	}

	private constructor(
		client: Client,
		config: string,
		asked: Omit<SamplerMade, "kind" | "sampler">,
	) {
		this.client = client;
		this.config = config;
		this.#asked = asked;
	}

	/** The same of one scene only; what it draws goes when this one is closed. */
	async ofScene(scene: number, options: AbortOptions): Promise<Sampler> {
		const sampler = new Sampler(this.client, this.config, {
			...this.#asked,
			options: { ...this.#asked.options, scene },
		});
		await sampler.#start(options);
		sampler.#borrows = true;
		return sampler;
	}

	async sample(at: SampleAt, { channel, signal }: PictureOptions): Promise<Sample> {
		const what = { at: [at], stacked: false, sequential: false, channel };
		return this.#ask(what, { signal });
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
		if (!this.#borrows) freeScenery(this.client, this.#asked.scenery);
	}

	async #ask(which: Which, { signal }: AbortOptions): Promise<Sample> {
		return sampleOf(await askArrays(this.client, this.#query(which), { signal }));
	}

	#query(which: Which): SamplesQuery {
		return { kind: "samples", sampler: this.#id, ...which };
	}

	async #start({ signal }: AbortOptions): Promise<void> {
		const query = { kind: "sampler", sampler: this.#id, ...this.#asked } as const;
		const { text } = await askKept(this.client, query, { signal });
		this.channels = JSON.parse(text ?? "[]") as string[];
	}
}
