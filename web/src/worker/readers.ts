import type {
	CoreAerial,
	CoreMap,
	CoreReader,
	CoreReaderDescription,
} from "../core.js";
import type { PackedResult } from "../result.js";
import { describe, startDescription } from "./description.js";
import { Handles } from "./handles.js";
import { lacking } from "./joined.js";
import { pack } from "./pack.js";
import type { BatchInfo, ReaderQuery, ReaderStart } from "./protocol.js";
import type { Run } from "./run.js";
import { Shared } from "./shared.js";

const LOST = "reader: released, or lost in a failure";

export interface ReaderAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

/** Answers the queries of readers and of descriptions. */
export class Readers {
	readonly #maps: Handles<CoreMap>;
	readonly #aerials: Handles<CoreAerial>;
	readonly #all = new Handles<Shared<CoreReader>>(LOST);
	readonly #descriptions = new Handles<Shared<CoreReaderDescription>>(LOST);

	/** Maps and aerial images are those of samples. */
	constructor(maps: Handles<CoreMap>, aerials: Handles<CoreAerial>) {
		this.#maps = maps;
		this.#aerials = aerials;
	}

	async answer(query: ReaderQuery, run: Run): Promise<ReaderAnswer> {
		if (query.kind === "reader") {
			this.#all.add(query.id, new Shared(this.#start(run, query)));
			return {};
		}
		if (query.kind === "description") {
			this.#descriptions.add(query.id, new Shared(startDescription(run, query)));
			return {};
		}
		if (query.kind === "description-step") {
			const kept = this.#descriptions.find(query.description);
			return kept.use(run, (core) => describe(core, query.steps, run));
		}
		const kept = this.#all.find(query.reader);
		return kept.use(run, async (core) => {
			switch (query.kind) {
				case "reader-next":
					return next(core, run);
				case "reader-count":
					return count(core, query.batches, run);
				case "reader-state":
					await run.gather(core);
					run.assertAlive();
					return { text: core.state() };
				case "reader-explain":
					await run.gather(core);
					run.assertAlive();
					return { text: core.explain() };
			}
		});
	}

	#start({ core, engine }: Run, query: ReaderStart): CoreReader {
		const { plan, start, counts, map, aerial } = query;
		if (!core.reader || !core.readerOfCounts) throw lacking();
		const reader = counts
			? core.readerOfCounts(engine, plan)
			: core.reader(
					engine,
					plan,
					this.#maps.optional(map),
					this.#aerials.optional(aerial),
				);
		try {
			if (typeof start === "string") reader.restore(start);
			else reader.seek(start.epoch, start.items);
			return reader;
		} catch (thrown) {
			reader.delete();
			throw thrown;
		}
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
async function next(core: CoreReader, run: Run): Promise<ReaderAnswer> {
	await advance(core, run);
	const text = JSON.stringify(infoOf(core, core.progress().items));
	if (core.atEnd()) return { text };
	return { text, result: pack(core.build(), run.buffers) };
}

/** Counts the items of up to `batches` batches. */
async function count(
	core: CoreReader,
	batches: number,
	run: Run,
): Promise<ReaderAnswer> {
	let items = 0;
	for (let batch = 0; batch < batches && !core.atEnd(); batch += 1) {
		await advance(core, run);
		items += core.progress().items;
	}
	return { text: JSON.stringify(infoOf(core, items)) };
}

async function advance(core: CoreReader, run: Run): Promise<void> {
	run.options.signal?.throwIfAborted();
	core.advance();
	await run.gather(core, () => {
		const { blocksDone: done, blockCount: of } = core.progress();
		run.options.onProgress?.({ done, of });
	});
	run.assertAlive();
}

function infoOf(core: CoreReader, items: number): BatchInfo {
	const { epoch, position, length, ...done } = core.progress();
	return {
		...done,
		items,
		position: { epoch, items: position },
		length: length < 0 ? undefined : length,
		atEnd: core.atEnd(),
		state: core.state(),
		skipped: core.skipped(),
	};
}
