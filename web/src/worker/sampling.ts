import type { PackedResult } from "../arrays/result.js";
import type { Handle } from "../core/core.js";
import { decodeAerial } from "./aerials.js";
import { owned } from "./owned.js";
import type { OwnedObjects } from "./owned-objects.js";
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
	readonly #objects: OwnedObjects;
	readonly #samplers: Samplers;

	constructor(objects: OwnedObjects) {
		this.#objects = objects;
		this.#samplers = new Samplers(({ core, engine }, { options, objects: ids }) => {
			const { map, aerial, validAgents, ...of } = ids;
			const { perturbation, ...choices } = options;
			const handle = core.run("samples", {
				...{ engine, ...choices, ...perturbation },
				perturbed: perturbation !== undefined,
				...this.#objects.handlesOf({ map, aerial, valid_agents: validAgents, ...of }),
			});
			return owned(core, handle);
		});
	}

	async answer(query: SamplingQuery, run: Run): Promise<SamplingAnswer> {
		const { core, instance } = run;
		switch (query.kind) {
			case "sampler":
				return { text: JSON.stringify(this.#samplers.add(instance, query)) };
			case "samples":
				return this.#samples(query, run);
			case "aerial":
				this.#objects.add(query.id, owned(core, await decodeAerial(run, query)));
				return {};
			case "next-selected":
				return next(this.#objects.handlesOf({ selection: query.selection }), run);
			case "agent-index":
				return this.#index(query, run);
		}
	}

	/** Frees the sampler of an id; unknown ids are ignored. */
	free(id: number): void {
		this.#samplers.free(id);
	}

	/** Frees all samplers. */
	close(): void {
		this.#samplers.close();
	}

	/** Drops all samplers without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#samplers.forget();
	}

	async #samples(
		{ sampler, at, stacked, sequential, channel }: SamplesQuery,
		run: Run,
	): Promise<SamplingAnswer> {
		const { core } = run;
		const borrowed = await this.#samplers.borrow(run.instance, sampler);
		const samples = borrowed.handle;
		const stack = new Stack(at.length, run.buffers);
		const nextPart = () => core.nextPart(samples);
		let result: PackedResult | undefined;
		let made = false;
		try {
			run.assertAlive();
			core.run("set_sampling", { samples, sequential, channel });
			for (const place of at) {
				run.options.signal?.throwIfAborted();
				core.run("select_sample", { samples, ...place });
				await run.gather(samples);
				run.assertAlive();
				if (run.options.prefetch) continue;
				const arrays = core.rebuild(samples);
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
		const { core, engine } = run;
		const index = core.run("agent_index", { engine, config, ...options });
		const tell = (): void => {
			const [done = 0, of = 0] = core.run("agent_index_progress", { index });
			run.options.onProgress?.({ done, of });
		};
		try {
			await run.gather(index, tell);
			run.assertAlive();
			tell();
			const items = core.run("agent_items", { index });
			this.#objects.add(id, owned(core, items));
			const text = core.run("agent_index_report", { index });
			const result = pack(core.views("item_rows", { items }), run.buffers);
			return text === "" ? { result } : { result, text };
		} catch (error) {
			throw run.explained(error);
		} finally {
			if (run.isAlive) core.release(index);
		}
	}
}

/** Continues a selection with the next scene. */
async function next(
	{ selection = 0 }: Readonly<Record<string, Handle<"Selection"> | undefined>>,
	run: Run,
): Promise<SamplingAnswer> {
	const { core } = run;
	if (!core.run("next_selected", { selection })) return {};
	await run.gather(selection);
	run.assertAlive();
	const result = pack(core.build(selection), run.buffers);
	return { result, text: core.run("selection_info", { selection }) };
}
