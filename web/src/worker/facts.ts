import { byteLengthOf, type PackedResult } from "../arrays/result.js";
import type { BevError } from "../base/errors.js";
import type { Handle } from "../core/core.js";
import type { UnreadScene } from "../facts/fact-table.js";
import { Handles } from "./handles.js";
import { type Owned, owned } from "./owned.js";
import type { OwnedObjects } from "./owned-objects.js";
import { pack } from "./pack.js";
import type { FactsQuery } from "./protocol.js";
import type { Run } from "./run.js";
import { Shared } from "./shared.js";
import { answerSide } from "./side-facts.js";

/** Time after which a computation lets messages arrive. */
const TURN_MS = 20;

export interface FactsAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

type Of<K> = Extract<FactsQuery, { readonly kind: K }>;

/** Answers queries about facts. */
export class Facts {
	readonly #all = new Handles<Shared<Owned<"Facts">>>(
		"facts: released, or lost in a failure",
	);
	readonly #objects: OwnedObjects;

	constructor(objects: OwnedObjects) {
		this.#objects = objects;
	}

	async answer(query: FactsQuery, run: Run): Promise<FactsAnswer> {
		switch (query.kind) {
			case "facts":
				this.#all.add(query.id, new Shared(this.#start(query, run)));
				return {};
			case "facts-part":
				return this.#all
					.find(query.facts)
					.use(run, ({ handle }) => compute(handle, query, run));
			case "facts-choice":
				return choose(query, run);
			case "facts-description":
				return describe(query, run);
			default:
				return this.#all
					.find(query.facts)
					.use(run, ({ handle }) => answerSide(handle, query, run));
		}
	}

	/** Frees the computation of an id; unknown ids are ignored. */
	free(id: number): void {
		this.#all.free(id);
	}

	/** Frees all of them. */
	close(): void {
		this.#all.close();
	}

	/** Drops all of them without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#all.forget();
	}

	#start({ map }: Of<"facts">, { core, engine }: Run): Owned<"Facts"> {
		const given = { engine, ...this.#objects.handlesOf({ map }) };
		return owned(core, core.run("facts", given));
	}
}

/** Computes the facts of scene after scene; leaves out those that cannot be read. */
async function compute(
	facts: Handle<"Facts">,
	{ begin, end }: Of<"facts-part">,
	run: Run,
): Promise<FactsAnswer> {
	const { core } = run;
	const { signal, onProgress } = run.options;
	const unread: UnreadScene[] = [];
	core.run("seek_facts", { facts, scene: begin });
	let turn = performance.now();
	for (let scene = begin; scene < end; scene += 1) {
		signal?.throwIfAborted();
		if (scene > begin) core.run("add_facts", { facts, scene });
		try {
			await run.gather(facts);
		} catch (thrown) {
			const error = run.explained(thrown);
			if (!run.isAlive || !isDamage(error)) throw error;
			unread.push({ scene, error: error.message });
			core.run("leave_out_facts", { facts });
		}
		run.assertAlive();
		onProgress?.({ done: scene + 1 - begin, of: end - begin });
		if (performance.now() - turn < TURN_MS) continue;
		await new Promise((resolve) => setTimeout(resolve)); // lets an abort arrive
		run.assertAlive();
		turn = performance.now();
	}
	await run.gather(facts); // of a data set without scenes
	const result = pack(core.build(facts), run.buffers);
	const chunks = core.run("fact_chunks", { facts });
	return { result, text: JSON.stringify({ unread, chunks }) };
}

/** Whether an error concerns a scene's chunks and not the access to all of them. */
function isDamage({ code }: BevError): boolean {
	return code === "corrupt_chunk" || code === "missing_key";
}

/** Returns the rows of a table that pass a filter. */
function choose({ table, where, part }: Of<"facts-choice">, run: Run): FactsAnswer {
	const { core, engine } = run;
	const choice = core.run("fact_choice", { engine, table, where });
	try {
		for (const array of part.arrays) {
			if (!array.name.startsWith(`${table}.`)) continue;
			const { byteOffset } = array;
			const column = new Uint8Array(part.buffer, byteOffset, byteLengthOf(array));
			core.run("add_fact_column", { choice, column });
		}
		return { result: pack(core.views("choose_facts", { choice }), run.buffers) };
	} finally {
		core.release(choice);
	}
}

function describe(
	{ table, where }: Of<"facts-description">,
	{ core, engine }: Run,
): FactsAnswer {
	core.release(core.run("fact_choice", { engine, table, where })); // throws if invalid
	return { text: core.run("describe_facts", {}) };
}
