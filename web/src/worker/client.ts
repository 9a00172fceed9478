import type { MissingRule, Stats } from "../api.js";
import { BevError } from "../errors.js";
import { ResultArrays } from "../result.js";
import type { Archive } from "../source/zip-source.js";
import type { Answer, Progress, Query } from "./protocol.js";

export interface AskOptions {
	signal?: AbortSignal | undefined;
	/** Read what the query needs, when nothing else wants to read, and build nothing. */
	prefetch?: boolean | undefined;
	/** Of questions that take long. */
	onProgress?: ((progress: Progress) => void) | undefined;
}

/** What an engine is made with. */
export interface EngineSettings {
	readonly module: WebAssembly.Module;
	readonly byteBudget: number;
	readonly missing: MissingRule | undefined;
	/** Of what stays in the browser's storage; nothing does without. */
	readonly keptLimit: number | undefined;
	/** The object of the source that holds the data set, where the source does not. */
	readonly archive: Archive | undefined;
}

/** The page's side of one engine, wherever that runs. */
export interface Client {
	/** Rejects with `signal.reason` when aborted, else with a BevError. */
	ask(query: Query, options?: AskOptions): Promise<Answer>;
	/** Forgets that the chunk `key` could not be read, or all such chunks. */
	forgetFailures(key?: string): void;
	/** Takes a result's buffer back, which empties its views. */
	recycle(buffer: ArrayBuffer): void;
	/** Called when bytes came in or the cache changed. */
	onStats: ((stats: Stats) => void) | undefined;
	/** Frees everything; questions under way reject. */
	close(): void;
}

/** Asks for arrays; releasing them gives their memory back to the client. */
export async function askArrays(
	client: Client,
	query: Query,
	options: AskOptions,
): Promise<ResultArrays> {
	return arraysOf(client, query, await client.ask(query, options));
}

/** The arrays of an answer that `client` gave. */
export function arraysOf(
	client: Client,
	query: Query,
	{ result }: Answer,
): ResultArrays {
	if (!result) throw new BevError("internal", `${query.kind}: answered without arrays`);
	return new ResultArrays(result, (buffer) => client.recycle(buffer));
}
