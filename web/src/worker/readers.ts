import type { CoreReader } from "../core.js";
import { BevError } from "../errors.js";
import type { PackedResult } from "../result.js";
import { Handles } from "./handles.js";
import { pack } from "./pack.js";
import type { BatchInfo, ReaderQuery, ReaderStart } from "./protocol.js";
import type { Run } from "./run.js";

export interface ReaderAnswer {
	readonly result?: PackedResult;
	readonly text?: string;
}

/** A reader that is deleted once no query uses it. */
class KeptReader {
	readonly core: CoreReader;
	#users = 0;
	#deleted = false;

	constructor(core: CoreReader) {
		this.core = core;
	}

	delete(): void {
		this.#deleted = true;
		this.#free();
	}

	/** Runs `work`, for whose duration the reader stays. */
	async use<T>(run: Run, work: (core: CoreReader) => Promise<T>): Promise<T> {
		this.#users += 1;
		try {
			return await work(this.core);
		} catch (thrown) {
			throw run.explained(thrown);
		} finally {
			this.#users -= 1;
			if (run.isAlive) this.#free();
		}
	}

	#free(): void {
		if (this.#deleted && this.#users === 0) this.core.delete();
	}
}

/** Answers the queries of readers. */
export class Readers {
	readonly #all = new Handles<KeptReader>("reader: released, or lost in a failure");

	async answer(query: ReaderQuery, run: Run): Promise<ReaderAnswer> {
		if (query.kind === "reader") {
			this.#all.add(query.id, new KeptReader(start(run, query)));
			return {};
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

	/** Frees the reader of an id; unknown ids are ignored. */
	free(id: number): void {
		this.#all.free(id);
	}

	/** Frees all readers. */
	close(): void {
		this.#all.close();
	}

	/** Drops all readers without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#all.forget();
	}
}

function start({ core, engine }: Run, query: ReaderStart): CoreReader {
	const { plan, start: from, counts } = query;
	const make = counts ? core.readerOfCounts : core.reader;
	if (!make) throw lacking();
	const reader = make(engine, plan);
	try {
		if (typeof from === "string") reader.restore(from);
		else reader.seek(from.epoch, from.items);
		return reader;
	} catch (thrown) {
		reader.delete();
		throw thrown;
	}
}

/** Returns the error for a module without readers. */
export function lacking(): BevError {
	const said = "reader: not in this module (expected bev_stream.wasm)";
	return new BevError("unsupported", said);
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
