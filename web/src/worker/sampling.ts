import type {
	CoreAerial,
	CoreAgentItems,
	CoreMap,
	CoreModule,
	CoreSelect,
} from "../core.js";
import type { PackedResult } from "../result.js";
import { decodeAerial } from "./aerials.js";
import { Handles } from "./handles.js";
import { pack, Stack } from "./pack.js";
import type { ItemsQuery, SamplesQuery, SamplingQuery } from "./protocol.js";
import type { Run } from "./run.js";
import { aim, Samplers } from "./samplers.js";

export interface SamplingAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

/** Answers queries about samples and the items of agent data sets. */
export class Sampling {
	/** The decoded aerial images. */
	readonly aerials = new Handles<CoreAerial>(
		"aerial image: released, or lost in a failure",
	);
	readonly #items = new Handles<CoreAgentItems>(
		"agents: index lost in a failure; call index() again",
	);
	readonly #selections = new Handles<CoreSelect>("selection: lost in a failure");
	readonly #samplers: Samplers;
	readonly #all: readonly Pick<Samplers, "free" | "close" | "forget">[];

	constructor(maps: Handles<CoreMap>) {
		this.#samplers = new Samplers((core, engine, { options, objects }) => {
			const { map, aerial, validAgents } = objects;
			return core.samples(
				engine,
				options,
				maps.optional(map),
				this.aerials.optional(aerial),
				this.#items.optional(validAgents),
			);
		});
		this.#all = [this.#samplers, this.aerials, this.#selections, this.#items];
	}

	async answer(query: SamplingQuery, run: Run): Promise<SamplingAnswer> {
		const { core, engine } = run;
		switch (query.kind) {
			case "data-keys":
				return { text: JSON.stringify(core.dataKeys(query.config, query.vectorized)) };
			case "sampler":
				return { text: JSON.stringify(this.#samplers.add(core, engine, query)) };
			case "samples":
				return this.#samples(query, run);
			case "aerial":
				this.aerials.add(query.id, await decodeAerial(run, query));
				return {};
			case "selection":
				this.#selections.add(query.id, core.select(engine, query.rules));
				return {};
			case "next-selected":
				return next(this.#selections.find(query.selection), run);
			case "agent-index":
				return this.#index(query, run);
			case "masked-items":
				return this.#keep(query.id, masked(core, query), run);
			case "items-in":
				return this.#itemsIn(query, run);
		}
	}

	/** Frees the object of an id; unknown ids are ignored. */
	free(id: number): void {
		for (const handles of this.#all) handles.free(id);
	}

	/** Frees everything. */
	close(): void {
		for (const handles of this.#all) handles.close();
	}

	/** Drops everything without freeing it: its memory must not be used any more. */
	forget(): void {
		for (const handles of this.#all) handles.forget();
	}

	async #samples(
		{ sampler, at, stacked, sequential, channel }: SamplesQuery,
		run: Run,
	): Promise<SamplingAnswer> {
		const samples = await this.#samplers.borrow(run.core, run.engine, sampler);
		const stack = new Stack(at.length, run.buffers);
		const nextPart = () => samples.nextPart();
		let result: PackedResult | undefined;
		let made = false;
		try {
			run.assertAlive();
			samples.expectMore(sequential);
			if (channel === undefined) samples.showAll();
			else samples.showChannel(channel);
			for (const place of at) {
				run.options.signal?.throwIfAborted();
				aim(samples, place);
				await run.gather(samples);
				run.assertAlive();
				if (run.options.prefetch) continue;
				const arrays = samples.buildInParts();
				if (stacked) stack.add(arrays, nextPart);
				else result = pack(arrays, run.buffers, nextPart);
			}
			if (stacked && !run.options.prefetch) result = stack.result();
			made = true;
			return result ? { result } : {};
		} catch (error) {
			stack.drop();
			throw run.explained(error);
		} finally {
			if (run.isAlive) this.#samplers.giveBack(sampler, samples, made);
		}
	}

	async #index(
		{ id, config, options }: Extract<ItemsQuery, { kind: "agent-index" }>,
		run: Run,
	): Promise<SamplingAnswer> {
		const asked = run.core.agentIndex(run.engine, config, options);
		try {
			await run.gather(asked, () => run.options.onProgress?.(asked.progress()));
			run.assertAlive();
			run.options.onProgress?.(asked.progress());
			const kept = this.#keep(id, asked.items(), run);
			if (asked.progress().from_store) return kept;
			return { ...kept, text: JSON.stringify(asked.report()) };
		} catch (error) {
			throw run.explained(error);
		} finally {
			if (run.isAlive) asked.delete();
		}
	}

	#keep(id: number, items: CoreAgentItems, { buffers }: Run): SamplingAnswer {
		this.#items.add(id, items);
		return { result: pack(items.rows(), buffers) };
	}

	async #itemsIn(
		{ items, scope, index }: Extract<ItemsQuery, { kind: "items-in" }>,
		run: Run,
	): Promise<SamplingAnswer> {
		const known = this.#items.find(items);
		const { core, engine } = run;
		const ask = scope === "scene" ? core.itemsOfScene : core.itemsOfFrame;
		const asked = ask(engine, known, index);
		try {
			await run.gather(asked);
			run.assertAlive();
			return { result: pack(asked.build(), run.buffers) };
		} catch (error) {
			throw run.explained(error);
		} finally {
			if (run.isAlive) asked.delete();
		}
	}
}

/** Continues a selection with the next scene. */
async function next(selection: CoreSelect, run: Run): Promise<SamplingAnswer> {
	if (!selection.next()) return {};
	await run.gather(selection);
	run.assertAlive();
	const result = pack(selection.build(), run.buffers);
	const text = JSON.stringify({ ...selection.progress(), report: selection.report() });
	return { result, text };
}

function masked(
	core: CoreModule,
	{ mask, minima }: Extract<ItemsQuery, { kind: "masked-items" }>,
): CoreAgentItems {
	return mask instanceof Uint32Array
		? core.itemsOfCounts(mask, minima)
		: core.itemsOfMask(mask);
}
