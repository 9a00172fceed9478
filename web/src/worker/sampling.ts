import type { Door, Handle } from "../core/door.js";
import type { PackedResult } from "../result.js";
import { decodeAerial } from "./aerials.js";
import { Handles } from "./handles.js";
import { type Held, held } from "./held.js";
import { pack, Stack } from "./pack.js";
import type { ItemsQuery, SamplesQuery, SamplingQuery } from "./protocol.js";
import type { Run } from "./run.js";
import { Samplers } from "./samplers.js";

export interface SamplingAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

/** Answers queries about samples and the items of agent data sets. */
export class Sampling {
	/** The decoded aerial images. */
	readonly aerials = new Handles<Held<"Aerial">>(
		"aerial image: released, or lost in a failure",
	);
	readonly #items = new Handles<Held<"AgentItems">>(
		"agents: index lost in a failure; call index() again",
	);
	readonly #selections = new Handles<Held<"Selection">>("selection: lost in a failure");
	readonly #samplers: Samplers;
	readonly #all: readonly Pick<Samplers, "free" | "close" | "forget">[];

	constructor(maps: Handles<Held<"Map">>) {
		this.#samplers = new Samplers(({ door, engine }, { options, objects }) => {
			const { perturbation, ...choices } = options;
			const handle = door.run("samples", {
				...{ engine, ...choices, ...perturbation },
				perturbed: perturbation !== undefined,
				map: maps.optional(objects.map)?.handle,
				aerial: this.aerials.optional(objects.aerial)?.handle,
				valid_agents: this.#items.optional(objects.validAgents)?.handle,
			});
			return held(door, handle);
		});
		this.#all = [this.#samplers, this.aerials, this.#selections, this.#items];
	}

	async answer(query: SamplingQuery, run: Run): Promise<SamplingAnswer> {
		const { door, engine, instance } = run;
		switch (query.kind) {
			case "data-keys": {
				const { config, vectorized } = query;
				return { text: JSON.stringify(door.run("data_keys", { config, vectorized })) };
			}
			case "sampler":
				return { text: JSON.stringify(this.#samplers.add(instance, query)) };
			case "samples":
				return this.#samples(query, run);
			case "aerial":
				this.aerials.add(query.id, held(door, await decodeAerial(run, query)));
				return {};
			case "selection":
				this.#selections.add(
					query.id,
					held(door, door.run("selection", { engine, ...query.rules })),
				);
				return {};
			case "next-selected":
				return next(this.#selections.find(query.selection).handle, run);
			case "agent-index":
				return this.#index(query, run);
			case "masked-items":
				return this.#keep(query.id, masked(door, query), run);
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
		const { door } = run;
		const borrowed = await this.#samplers.borrow(run.instance, sampler);
		const samples = borrowed.handle;
		const stack = new Stack(at.length, run.buffers);
		const nextPart = () => door.run("next_part", { samples });
		let result: PackedResult | undefined;
		let made = false;
		try {
			run.assertAlive();
			door.run("set_sampling", { samples, sequential, channel });
			for (const place of at) {
				run.options.signal?.throwIfAborted();
				door.run("select_sample", { samples, ...place });
				await run.gather(samples);
				run.assertAlive();
				if (run.options.prefetch) continue;
				const arrays = door.rebuild(samples);
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
			if (run.isAlive) this.#samplers.giveBack(run.instance, sampler, borrowed, made);
		}
	}

	async #index(
		{ id, config, options }: Extract<ItemsQuery, { kind: "agent-index" }>,
		run: Run,
	): Promise<SamplingAnswer> {
		const { door, engine } = run;
		const index = door.run("agent_index", { engine, config, ...options });
		const tell = (): void => {
			const [done = 0, of = 0] = door.run("agent_index_progress", { index });
			run.options.onProgress?.({ done, of });
		};
		try {
			await run.gather(index, tell);
			run.assertAlive();
			tell();
			const kept = this.#keep(id, door.run("agent_items", { index }), run);
			const text = door.run("agent_index_report", { index });
			return text === "" ? kept : { ...kept, text };
		} catch (error) {
			throw run.explained(error);
		} finally {
			if (run.isAlive) door.release(index);
		}
	}

	#keep(
		id: number,
		items: Handle<"AgentItems">,
		{ door, buffers }: Run,
	): SamplingAnswer {
		this.#items.add(id, held(door, items));
		return { result: pack(door.views("item_rows", { items }), buffers) };
	}

	async #itemsIn(
		{ items: id, scope, index }: Extract<ItemsQuery, { kind: "items-in" }>,
		run: Run,
	): Promise<SamplingAnswer> {
		const items = this.#items.find(id).handle;
		const { door, engine } = run;
		const name = scope === "scene" ? "items_of_scene" : "items_of_frame";
		const asked = door.run(name, { engine, items, index });
		try {
			await run.gather(asked);
			run.assertAlive();
			return { result: pack(door.build(asked), run.buffers) };
		} catch (error) {
			throw run.explained(error);
		} finally {
			if (run.isAlive) door.release(asked);
		}
	}
}

/** Continues a selection with the next scene. */
async function next(selection: Handle<"Selection">, run: Run): Promise<SamplingAnswer> {
	const { door } = run;
	if (!door.run("next_selected", { selection })) return {};
	await run.gather(selection);
	run.assertAlive();
	const result = pack(door.build(selection), run.buffers);
	return { result, text: door.run("selection_info", { selection }) };
}

function masked(
	door: Door,
	{ mask, minima }: Extract<ItemsQuery, { kind: "masked-items" }>,
): Handle<"AgentItems"> {
	return mask instanceof Uint32Array
		? door.run("items_of_counts", { counts: mask, ...minima })
		: door.run("items_of_mask", { mask });
}
