import type { Capabilities, OpenOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { SharedTask } from "../base/shared-task.js";
import type { Formats } from "../loading/compile.js";
import type { Source } from "../source/source.js";
import type { Resolved } from "../source/zip-source.js";
import type { AskOptions, Client } from "../worker/client.js";
import { type Answer, type Query, valueBy } from "../worker/protocol.js";
import { load, loaded, type ReadingOptions } from "./load.js";

export interface EngineOptions extends OpenOptions, ReadingOptions {
	readonly byteBudget: number;
}

/** An engine with the metadata loaded. */
export interface Opened {
	readonly client: Client;
	readonly answer: Answer;
	readonly capabilities: Capabilities;
}

/** An answer and the engine that gave it. */
export interface Answered {
	readonly client: Client;
	readonly answer: Answer;
}

/**
 * The engines of one data set. The main engine uses the small module, which reads what
 * L5Kit writes, or the one of every format if the data set needs it. Single arrays that
 * the small module cannot read get a second engine with that module.
 */
export class Engines {
	readonly #resolved: Resolved;
	readonly #options: EngineOptions;
	readonly #main: Opened;
	#formats: Formats;
	/** Shared by all arrays; after a failure, the next array tries again. */
	readonly #full: SharedTask<Opened>;
	/** The engine of all readers. */
	readonly #plans: SharedTask<Opened>;
	/** The main engine and those opened later. */
	readonly #clients: Client[];
	readonly #closed = new AbortController();

	/** Costs one round of small reads; one more if the small module is not sufficient. */
	static async open(resolved: Resolved, options: EngineOptions): Promise<Engines> {
		const opened = async (formats: Formats): Promise<Engines> => {
			const main = await open(resolved, options, formats);
			return new Engines(resolved, options, main, formats);
		};
		if (resolved.zip) return opened("every");
		return opened("usual").catch((error: unknown) => {
			if (isUnsupported(error)) return opened("every");
			throw error;
		});
	}

	private constructor(
		resolved: Resolved,
		options: EngineOptions,
		main: Opened,
		formats: Formats,
	) {
		this.#resolved = resolved;
		this.#options = options;
		this.#main = main;
		this.#formats = formats;
		this.#clients = [main.client];
		this.#full = new SharedTask((signal) => this.#openBeside(signal));
		this.#plans = new SharedTask((signal) => this.#openBeside(signal));
	}

	/** Reads the data set's objects. */
	get source(): Source {
		return this.#resolved.source;
	}

	/** Whether what `bevscope index` wrote is looked for. */
	get usesStatistics(): boolean {
		return this.#options.statistics !== false;
	}

	/** The engine for all queries except unsupported single arrays. */
	get main(): Opened {
		return this.#main;
	}

	/**
	 * Asks the main engine; if it reports `unsupported`, the engine that reads every
	 * format.
	 */
	async ask(query: Query, options: AskOptions): Promise<Answered> {
		const { client } = this.#main;
		try {
			return { client, answer: await client.ask(query, options) };
		} catch (error) {
			if (this.#formats === "every" || !isUnsupported(error)) throw error;
		}
		const { client: beside } = await this.#full.join(options.signal);
		return { client: beside, answer: await beside.ask(query, options) };
	}

	/**
	 * Returns the engine of readers, in a worker of its own, so that long filters do not
	 * delay other queries.
	 */
	async forReaders(signal?: AbortSignal): Promise<Client> {
		this.#closed.signal.throwIfAborted();
		return (await this.#plans.join(signal)).client;
	}

	/** Returns the keys of requested chunks that are absent. */
	async absentChunks(options: AskOptions): Promise<readonly string[]> {
		const query = valueBy("absent_chunks", {});
		const answers = await Promise.all(
			this.#clients.map((client) => client.ask(query, options)),
		);
		const keys = answers.flatMap(({ text }) => JSON.parse(text ?? "[]") as string[]);
		return [...new Set(keys)].sort();
	}

	/** Allows failed chunks to be requested again. */
	forgetFailures(key?: string): void {
		for (const client of this.#clients) client.forgetFailures(key);
	}

	close(): void {
		this.#closed.abort(new BevError("closed", "data set: closed"));
		for (const client of this.#clients) client.close();
		this.#full.abort(this.#closed.signal.reason);
		this.#plans.abort(this.#closed.signal.reason);
	}

	/** Opens another engine, with the module of every format. */
	async #openBeside(signal: AbortSignal): Promise<Opened> {
		this.#closed.signal.throwIfAborted();
		const options = { ...this.#options, signal, onProgress: undefined };
		const opened = await open(this.#resolved, options, "every");
		if (signal.aborted) opened.client.close();
		signal.throwIfAborted();
		this.#clients.push(opened.client);
		return opened;
	}
}

/** The engines of a data set: those of a stored one, or of one with edited scenes. */
export type DatasetEngines = Pick<Engines, keyof Engines> & {
	/** Whether scenes are edited, so that kept facts are not theirs. */
	readonly isPatched?: boolean;
};

async function open(
	{ source, zip }: Resolved,
	options: EngineOptions,
	formats: Formats,
): Promise<Opened> {
	const { signal, onProgress, byteBudget, cacheLimit, missing, statistics } = options;
	const runtime = await load({ signal, onProgress, ...options.load }, formats);
	const client = await runtime.connect(zip?.holder ?? source, byteBudget, {
		cacheLimit,
		missing,
		statistics,
		archive: zip?.archive,
	});
	try {
		onProgress?.(loaded("metadata", 0, 0));
		client.onStats = ({ bytes, requests, waiting }) =>
			onProgress?.({ ...loaded("metadata", bytes, requests), waiting });
		const answer = await client.ask({ kind: "open" }, { signal });
		return { client, answer, capabilities: runtime.capabilities };
	} catch (error) {
		client.close();
		throw error;
	}
}

function isUnsupported(error: unknown): boolean {
	// An error with a URL concerns loading a module; the full module would fail too.
	return (
		error instanceof BevError && error.code === "unsupported" && error.url === undefined
	);
}
