import type { PackedResult } from "../arrays/result.js";
import type { Handle } from "../core/core.js";
import { describe } from "./description.js";
import { Handles } from "./handles.js";
import { type Owned, owned } from "./owned.js";
import type { OwnedObjects } from "./owned-objects.js";
import { pack } from "./pack.js";
import type { ReaderQuery, ReaderStart } from "./protocol.js";
import type { Run } from "./run.js";
import { Shared } from "./shared.js";

const LOST = "reader: released, or lost in a failure";

export interface ReaderAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

/** Answers the queries of readers and of descriptions. */
export class Readers {
	readonly #objects: OwnedObjects;
	readonly #all = new Handles<Shared<Owned<"Reader">>>(LOST);
	readonly #descriptions = new Handles<Shared<Owned<"ReaderDescription">>>(LOST);

	/** @param objects the maps and aerial images of samples */
	constructor(objects: OwnedObjects) {
		this.#objects = objects;
	}

	async answer(query: ReaderQuery, run: Run): Promise<ReaderAnswer> {
		if (query.kind === "reader") {
			this.#all.add(query.id, new Shared(this.#start(run, query)));
			return {};
		}
		if (query.kind === "description") {
			const { core, engine } = run;
			const { id, plan, by } = query;
			const description = core.run("reader_description", { engine, plan, by });
			this.#descriptions.add(id, new Shared(owned(core, description)));
			return {};
		}
		if (query.kind === "description-step") {
			const kept = this.#descriptions.find(query.description);
			return kept.use(run, ({ handle }) => describe(handle, query.steps, run));
		}
		const kept = this.#all.find(query.reader);
		return kept.use(run, async ({ handle: reader }) => {
			if (query.kind === "reader-next") return next(reader, run);
			if (query.kind === "reader-count") return count(reader, query.batches, run);
			await run.gather(reader);
			run.assertAlive();
			const name = query.kind === "reader-state" ? "reader_state" : "explain_reader";
			return { text: run.core.run(name, { reader }) };
		});
	}

	#start({ core, engine }: Run, query: ReaderStart): Owned<"Reader"> {
		const { plan, start, counts, map, aerial } = query;
		const handle = core.run("reader", {
			...{ engine, plan, counts },
			...this.#objects.handlesOf({ map, aerial }),
			...(typeof start === "string" ? { state: start } : start),
		});
		return owned(core, handle);
	}

	/** Frees the reader or description of an id; unknown ids are ignored. */
	free(id: number): void {
		this.#all.free(id);
		this.#descriptions.free(id);
	}

	/** Frees all of them. */
	close(): void {
		this.#all.close();
		this.#descriptions.close();
	}

	/** Drops all of them without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#all.forget();
		this.#descriptions.forget();
	}
}

/** Reads the next batch; answers no arrays after the last one. */
async function next(reader: Handle<"Reader">, run: Run): Promise<ReaderAnswer> {
	await advance(reader, run);
	const text = run.core.run("reader_info", { reader });
	if (run.core.run("reader_at_end", { reader })) return { text };
	return { text, result: pack(run.core.build(reader), run.buffers) };
}

/** Counts the items of up to `batches` batches. */
async function count(
	reader: Handle<"Reader">,
	batches: number,
	run: Run,
): Promise<ReaderAnswer> {
	const { core } = run;
	let items = 0;
	for (let batch = 0; batch < batches; batch += 1) {
		if (core.run("reader_at_end", { reader })) break;
		await advance(reader, run);
		items += core.run("batch_size", { reader });
	}
	return { text: core.run("reader_info", { reader, items }) };
}

async function advance(reader: Handle<"Reader">, run: Run): Promise<void> {
	run.options.signal?.throwIfAborted();
	run.core.run("advance_reader", { reader });
	await run.gather(reader, () => {
		const [done = 0, of = 0] = run.core.run("reader_progress", { reader });
		run.options.onProgress?.({ done, of });
	});
	run.assertAlive();
}
