import type { CoreFacts, CoreMap } from "../core.js";
import type { BevError } from "../errors.js";
import type { UnreadScene } from "../facts/fact-table.js";
import { byteLengthOf, type PackedResult } from "../result.js";
import { Handles } from "./handles.js";
import { lacking } from "./joined.js";
import { pack } from "./pack.js";
import type { FactsQuery } from "./protocol.js";
import type { Run } from "./run.js";
import { Shared } from "./shared.js";

/** Time after which a computation lets messages arrive. */
const TURN_MS = 20;

export interface FactsAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

type Of<K> = Extract<FactsQuery, { readonly kind: K }>;

/** Answers queries about facts. */
export class Facts {
	readonly #all = new Handles<Shared<CoreFacts>>(
		"facts: released, or lost in a failure",
	);
	readonly #maps: Handles<CoreMap>;

	constructor(maps: Handles<CoreMap>) {
		this.#maps = maps;
	}

	async answer(query: FactsQuery, run: Run): Promise<FactsAnswer> {
		switch (query.kind) {
			case "facts":
				this.#all.add(query.id, new Shared(this.#start(query, run)));
				return {};
			case "facts-part":
				return this.#all
					.find(query.facts)
					.use(run, (core) => compute(core, query, run));
			case "facts-choice":
				return choose(query, run);
			case "facts-description":
				return describe(query, run);
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

	#start({ map }: Of<"facts">, { core, engine }: Run): CoreFacts {
		if (!core.facts) throw lacking();
		return core.facts(engine, this.#maps.optional(map));
	}
}

/** Computes the facts of scene after scene; leaves out those that cannot be read. */
async function compute(
	core: CoreFacts,
	{ begin, end }: Of<"facts-part">,
	run: Run,
): Promise<FactsAnswer> {
	const { signal, onProgress } = run.options;
	const unread: UnreadScene[] = [];
	core.seek(begin);
	let turn = performance.now();
	for (let scene = begin; scene < end; scene += 1) {
		signal?.throwIfAborted();
		if (scene > begin) core.add(scene);
		try {
			await run.gather(core);
		} catch (thrown) {
			const error = run.explained(thrown);
			if (!run.isAlive || !isDamage(error)) throw error;
			unread.push({ scene, error: error.message });
			core.leaveOut();
		}
		run.assertAlive();
		onProgress?.({ done: scene + 1 - begin, of: end - begin });
		if (performance.now() - turn < TURN_MS) continue;
		await new Promise((resolve) => setTimeout(resolve)); // lets an abort arrive
		run.assertAlive();
		turn = performance.now();
	}
	await run.gather(core); // of a data set without scenes
	const result = pack(core.build(), run.buffers);
	return { result, text: JSON.stringify({ unread, chunks: core.chunks() }) };
}

/** Whether an error concerns a scene's chunks and not the access to all of them. */
function isDamage({ code }: BevError): boolean {
	return code === "corrupt_chunk" || code === "missing_key";
}

/** Returns the rows of a table that pass a filter. */
function choose({ table, where, part }: Of<"facts-choice">, run: Run): FactsAnswer {
	const { core } = run;
	if (!core.factChoice) throw lacking();
	const choice = core.factChoice(table, where);
	try {
		const arrays = part.arrays.filter(({ name }) => name.startsWith(`${table}.`));
		const columns = arrays.map(
			(array) => new Uint8Array(part.buffer, array.byteOffset, byteLengthOf(array)),
		);
		return { result: pack(choice.select(columns), run.buffers) };
	} finally {
		choice.delete();
	}
}

function describe({ table, where }: Of<"facts-description">, run: Run): FactsAnswer {
	const { core } = run;
	if (!core.factChoice || !core.describeFacts) throw lacking();
	core.factChoice(table, where).delete(); // throws if the filter is invalid
	return { text: core.describeFacts() };
}
