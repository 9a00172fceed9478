import type { AbortOptions } from "../api.js";
import { check } from "../base/arguments.js";
import { messageOf } from "../base/errors.js";
import type { CoreSampleOptions } from "../core/options.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import type { Source } from "../source/source.js";
import { askArrays, type Client, clientOf } from "../worker/client.js";
import type { SampleAt, SamplerQuery, SamplesQuery } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { AgentItems } from "./agent-items.js";
import { checkPlace, checkSampleOptions, perturbationOf } from "./check.js";
import { type AskSamples, iterate } from "./iterate.js";
import {
	type Config,
	type EgoSampleOptions,
	jsonOf,
	type PictureOptions,
	type SamplesOptions,
} from "./options.js";
import { sampleOf } from "./sample.js";
import { freeSampleMaps, loadSampleMaps, type SampleMaps } from "./sample-maps.js";

export { AgentItems } from "./agent-items.js";
export { selectionRules } from "./check.js";

/** Locations of the samples, and whether they are stacked or a single one. */
type Which = Pick<SamplesQuery, "at" | "stacked" | "sequential" | "channel">;

/** Where samples are from. */
export interface EngineOfSamples {
	readonly client: Client;
	readonly source: Source;
	readonly engine?: number | undefined;
}

/** Requests samples of one config from the data set's engine. */
export class Sampler {
	readonly client: Client;
	readonly config: string;
	/** Descriptions of the image's channels. */
	channels: readonly string[] = [];
	readonly #id = newId();
	/** Freed with this sampler; none if another sampler owns them. */
	#maps: SampleMaps = {};
	readonly #asked: Omit<SamplerQuery, "kind" | "id">;

	/**
	 * Rejects if the config is invalid, with the reason.
	 *
	 * @param items agents that a scene's sample lists, for `eval`
	 */
	static async make(
		dataset: ChunkedDataset,
		config: Config,
		kind: NonNullable<CoreSampleOptions["kind"]>,
		options: EgoSampleOptions,
		items?: AgentItems,
	): Promise<Sampler> {
		return Sampler.on(clientOf(dataset), config, kind, options, items);
	}

	/** As `make`, on an engine; the client keeps that of a simulation under an id. */
	static async on(
		of: EngineOfSamples,
		config: Config,
		kind: NonNullable<CoreSampleOptions["kind"]>,
		options: EgoSampleOptions,
		items?: AgentItems,
	): Promise<Sampler> {
		const { client, source, engine } = of;
		const { image = "f32", vectorized = false, signal } = options;
		checkSampleOptions(kind, config, options);
		const json = jsonOf(config);
		const perturbation = perturbationOf(options);
		const core = { config: json, kind, image, vectorized, ...perturbation };
		const maps = await loadSampleMaps(client, json, source, options);
		const kept = engine === undefined ? maps : { ...maps, engine };
		const sampler = new Sampler(client, json, {
			options: items ? { ...core, eval: true } : core,
			objects: items ? { ...kept, validAgents: items.id } : kept,
		});
		try {
			await sampler.#start({ signal });
			sampler.#maps = maps;
			return sampler;
		} catch (error) {
			const { shared } = client;
			if (!shared || !areLost(error)) {
				freeSampleMaps(client, maps);
				throw error;
			}
			shared.forget(maps);
		}
		return Sampler.on(of, config, kind, options, items);
	}

	private constructor(
		client: Client,
		config: string,
		asked: Omit<SamplerQuery, "kind" | "id">,
	) {
		this.client = client;
		this.config = config;
		this.#asked = asked;
	}

	/**
	 * Returns a sampler of one scene. Its maps are freed when this sampler is closed.
	 */
	async ofScene(scene: number, options: AbortOptions): Promise<Sampler> {
		check("scene", scene, "index");
		const sampler = new Sampler(this.client, this.config, {
			...this.#asked,
			options: { ...this.#asked.options, scene },
		});
		await sampler.#start(options);
		return sampler;
	}

	/** `S` is the type of samples of this sampler's options. */
	async sample<S extends Disposable>(
		at: SampleAt,
		{ channel, signal }: PictureOptions,
	): Promise<S> {
		return this.#ask({ at: [at], stacked: false, sequential: false, channel }, signal);
	}

	/** Returns the samples of several locations, one after the other in each array. */
	async batch<S extends Disposable>(
		at: readonly SampleAt[],
		{ signal }: AbortOptions,
	): Promise<S> {
		return this.#ask({ at, stacked: true, sequential: false }, signal);
	}

	/** Yields samples or batches in order. */
	iterate<S extends Disposable>(
		places: AsyncIterable<SampleAt>,
		options: SamplesOptions,
	): AsyncGenerator<S, void, undefined> {
		const { sequential = options.indices === undefined } = options;
		const ask: AskSamples<S> = (at, stacked, signal) =>
			this.#ask({ at, stacked, sequential }, signal);
		return iterate(places, ask, options);
	}

	/** Reads the chunks that a sample needs, when no other read is waiting. */
	async prefetch(at: SampleAt, { signal }: AbortOptions): Promise<void> {
		checkPlace(at);
		const which = { at: [at], stacked: false, sequential: false };
		const query = { kind: "samples", sampler: this.#id, ...which } as const;
		await this.client.ask(query, { signal, prefetch: true });
	}

	/** Frees the sampler; closing the data set does so as well. */
	close(): void {
		free(this.client, this.#id);
		freeSampleMaps(this.client, this.#maps);
	}

	async #ask<S extends Disposable>(
		which: Which,
		signal: AbortSignal | undefined,
	): Promise<S> {
		for (const one of which.at) checkPlace(one);
		const query = { kind: "samples", sampler: this.#id, ...which } as const;
		return sampleOf(await askArrays(this.client, query, { signal })) as Disposable as S;
	}

	async #start({ signal }: AbortOptions): Promise<void> {
		const query = { kind: "sampler", id: this.#id, ...this.#asked } as const;
		const { text } = await askObject(this.client, query, { signal });
		this.channels = JSON.parse(text ?? "[]") as string[];
	}
}

/** Whether the core has lost maps, in a failure after they were made. */
function areLost(error: unknown): boolean {
	return /^(map|aerial image): released, or lost/.test(messageOf(error));
}
