import { jsonOf } from "../samples/options.js";
import {
	freeSampleMaps,
	loadSampleMaps,
	type SampleMaps,
} from "../samples/sample-maps.js";
import type { Client } from "../worker/client.js";
import type { ReaderSampleOptions } from "./options.js";
import type { ReaderEngines } from "./session.js";

/** The maps of a reader's samples, loaded once per engine. */
export class ReaderMaps {
	readonly #engines: ReaderEngines;
	readonly #options: ReaderSampleOptions | undefined;
	#client: Client | undefined;
	#maps: SampleMaps = {};

	constructor(engines: ReaderEngines, options: ReaderSampleOptions | undefined) {
		this.#engines = engines;
		this.#options = options;
	}

	/** Returns the maps that the config refers to; none without samples. */
	async load(signal: AbortSignal): Promise<SampleMaps> {
		const { config, ...options } = this.#options ?? {};
		if (config === undefined) return {};
		const client = await this.#engines.forReaders(signal);
		if (client === this.#client) return this.#maps;
		const { source } = this.#engines;
		const given = { ...options, signal };
		this.#maps = await loadSampleMaps(client, jsonOf(config), source, given);
		this.#client = client;
		return this.#maps;
	}

	/** Frees them. */
	close(): void {
		if (this.#client) freeSampleMaps(this.#client, this.#maps);
		this.#client = undefined;
	}
}
