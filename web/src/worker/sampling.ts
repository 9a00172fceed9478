import type { Buffers } from "../buffers.js";
import type { CoreAgentItems, CoreEngine, CoreModule, CoreQuery } from "../core.js";
import { BevError } from "../errors.js";
import type { PackedResult } from "../result.js";
import { Aerials } from "./aerials.js";
import type { Maps } from "./maps.js";
import { pack } from "./pack.js";
import type {
	ItemsQuery,
	Progress,
	Query,
	SamplesQuery,
	SamplingQuery,
} from "./protocol.js";
import { aim, Samplers } from "./samplers.js";
import { Selections } from "./selections.js";
import { Stack } from "./stack.js";

/** What the host provides for one query. */
export interface SamplingHost {
	readonly core: CoreModule;
	readonly engine: CoreEngine;
	readonly buffers: Buffers;
	readonly signal: AbortSignal | undefined;
	/** Whether to read without building. */
	readonly prefetch: boolean;
	/** Reads what a query is missing; `onRound` is called before each round. */
	gather(asked: CoreQuery, onRound?: () => void): Promise<void>;
	/** Whether the core's memory may still be used. */
	alive(): boolean;
	/** Throws the reason if it may not. Call it after every `await`. */
	assertAlive(): void;
	/** Converts `thrown` to a BevError. After a trap, `alive()` is false. */
	failed(thrown: unknown): BevError;
	progress(progress: Progress): void;
}

export interface SamplingAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

export function isSampling(query: Query): query is SamplingQuery {
	return (
		"sampler" in query ||
		"items" in query ||
		"aerial" in query ||
		"selection" in query ||
		query.kind === "data-keys"
	);
}

/** Answers queries about samples and the items of agent data sets. */
export class Sampling {
	readonly #aerials = new Aerials();
	readonly #samplers: Samplers;
	readonly #items = new Map<number, CoreAgentItems>();
	readonly #selections = new Selections();

	constructor(maps: Maps) {
		this.#samplers = new Samplers((core, engine, { options, scenery }) => {
			const { map, aerial, validAgents } = scenery;
			return core.samples(
				engine,
				options,
				map === undefined ? null : maps.find(map),
				aerial === undefined ? null : this.#aerials.find(aerial),
				validAgents === undefined ? null : this.#itemsOf(validAgents),
			);
		});
	}

	async answer(query: SamplingQuery, host: SamplingHost): Promise<SamplingAnswer> {
		const { core, engine } = host;
		switch (query.kind) {
			case "data-keys":
				return { text: JSON.stringify(core.dataKeys(query.config, query.vectorized)) };
			case "sampler":
				return { text: JSON.stringify(this.#samplers.add(core, engine, query)) };
			case "free-sampler":
				this.#samplers.free(query.sampler);
				return {};
			case "aerial":
			case "free-aerial":
				await this.#aerials.answer(query, host);
				return {};
			case "samples":
				return this.#samples(query, host);
			case "selection":
			case "next-selected":
			case "free-selection":
				return this.#selections.answer(query, host);
			default:
				return this.#ofItems(query, host);
		}
	}

	/** Frees everything. */
	close(): void {
		this.#samplers.close();
		this.#aerials.close();
		this.#selections.close();
		for (const items of this.#items.values()) items.delete();
		this.#items.clear();
	}

	/** Drops everything without freeing it: its memory must not be used any more. */
	forget(): void {
		this.#samplers.forget();
		this.#aerials.forget();
		this.#selections.forget();
		this.#items.clear();
	}

	async #samples(
		{ sampler, at, stacked, sequential, channel }: SamplesQuery,
		host: SamplingHost,
	): Promise<SamplingAnswer> {
		const samples = await this.#samplers.borrow(host.core, host.engine, sampler);
		const stack = new Stack(at.length, host.buffers);
		let result: PackedResult | undefined;
		let made = false;
		try {
			host.assertAlive();
			samples.expectMore(sequential);
			if (channel === undefined) samples.showAll();
			else samples.showChannel(channel);
			for (const place of at) {
				host.signal?.throwIfAborted();
				aim(samples, place);
				await host.gather(samples);
				host.assertAlive();
				if (host.prefetch) continue;
				if (stacked) stack.add(samples.build());
				else result = pack(samples.build(), host.buffers);
			}
			if (stacked && !host.prefetch) result = stack.result();
			made = true;
			return result ? { result } : {};
		} catch (error) {
			stack.drop();
			throw host.failed(error);
		} finally {
			if (host.alive()) this.#samplers.giveBack(sampler, samples, made);
		}
	}

	async #ofItems(query: ItemsQuery, host: SamplingHost): Promise<SamplingAnswer> {
		switch (query.kind) {
			case "agent-index":
				return this.#index(query, host);
			case "masked-items":
				return this.#keep(query.items, masked(host.core, query), host);
			case "items-in":
				return this.#itemsIn(query, host);
			case "free-items":
				this.#items.get(query.items)?.delete();
				this.#items.delete(query.items);
				return {};
		}
	}

	async #index(
		{ items, config, options }: Extract<Query, { kind: "agent-index" }>,
		host: SamplingHost,
	): Promise<SamplingAnswer> {
		const asked = host.core.agentIndex(host.engine, config, options);
		try {
			await host.gather(asked, () => host.progress(asked.progress()));
			host.assertAlive();
			host.progress(asked.progress());
			const kept = this.#keep(items, asked.items(), host);
			if (asked.progress().from_store) return kept;
			return { ...kept, text: JSON.stringify(asked.report()) };
		} catch (error) {
			throw host.failed(error);
		} finally {
			if (host.alive()) asked.delete();
		}
	}

	#keep(id: number, items: CoreAgentItems, { buffers }: SamplingHost): SamplingAnswer {
		this.#items.set(id, items);
		return { result: pack(items.rows(), buffers) };
	}

	#itemsOf(id: number): CoreAgentItems {
		const known = this.#items.get(id);
		if (known) return known;
		throw new BevError(
			"invalid_argument",
			"agents: index lost in a failure; call index() again",
		);
	}

	async #itemsIn(
		{ items, scope, index }: Extract<Query, { kind: "items-in" }>,
		host: SamplingHost,
	): Promise<SamplingAnswer> {
		const known = this.#itemsOf(items);
		const { core, engine } = host;
		const ask = scope === "scene" ? core.itemsOfScene : core.itemsOfFrame;
		const asked = ask(engine, known, index);
		try {
			await host.gather(asked);
			host.assertAlive();
			return { result: pack(asked.build(), host.buffers) };
		} catch (error) {
			throw host.failed(error);
		} finally {
			if (host.alive()) asked.delete();
		}
	}
}

function masked(
	core: CoreModule,
	{ mask, minima }: Extract<Query, { kind: "masked-items" }>,
): CoreAgentItems {
	return mask instanceof Uint32Array
		? core.itemsOfCounts(mask, minima)
		: core.itemsOfMask(mask);
}
