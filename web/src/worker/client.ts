import type { MissingRule, Stats } from "../api.js";
import { ResultArrays } from "../arrays/result.js";
import { BevError } from "../base/errors.js";
import type { Source } from "../source/source.js";
import type { Archive } from "../source/zip-source.js";
import type { Answer, Progress, Query } from "./protocol.js";

export interface AskOptions {
	signal?: AbortSignal | undefined;
	/**
	 * Reads the chunks that the query needs when no other read is waiting; builds
	 * nothing.
	 */
	prefetch?: boolean | undefined;
	/** Receives the progress of long queries. */
	onProgress?: ((progress: Progress) => void) | undefined;
}

/** Settings of an engine. */
export interface EngineSettings {
	readonly module: WebAssembly.Module;
	readonly byteBudget: number;
	readonly missing: MissingRule | undefined;
	/** False if stored statistics are not looked for. */
	readonly statistics?: boolean | undefined;
	/** Limit of the persistent cache in bytes; undefined disables it. */
	readonly cacheLimit: number | undefined;
	/** The object of the source that contains the data set, if it is an archive. */
	readonly archive: Archive | undefined;
}

/** Ids of objects that a client keeps, by name. */
export type ObjectIds = Readonly<Record<string, number | undefined>>;

/** Makes a client keep objects. If it rejects, nothing is kept. */
export type MakeObjects = (client: Client, signal: AbortSignal) => Promise<ObjectIds>;

/** Objects that several engines in one worker use; see `SharedObjects`. */
export interface ObjectSharing {
	/** Returns the objects of `key`; pass them to `release` afterwards. */
	take(key: string, make: MakeObjects, signal?: AbortSignal): Promise<ObjectIds>;
	/** Ends one use of objects; a second call does nothing. */
	release(ids: ObjectIds): void;
	/** As `release`, of objects that were lost in a failure: the next user gets others. */
	forget(ids: ObjectIds): void;
}

/** The page's side of one engine, in a worker or on the page's thread. */
export interface Client {
	/** Rejects with `signal.reason` when aborted, else with a BevError. */
	ask(query: Query, options?: AskOptions): Promise<Answer>;
	/** Clears the failure of chunk `key`, or of all chunks. */
	forgetFailures(key?: string): void;
	/** Returns a result's buffer for reuse; its views become empty. */
	recycle(buffer: ArrayBuffer): void;
	/** Called when bytes were read or the cache changed. */
	onStats: ((stats: Stats) => void) | undefined;
	/** What this engine shares with others in the same worker. */
	readonly shared?: ObjectSharing;
	/** Frees everything; pending queries reject. */
	close(): void;
}

/**
 * Runs a query that returns arrays; releasing them returns their memory to the client.
 */
export async function askArrays(
	client: Client,
	query: Query,
	options: AskOptions,
): Promise<ResultArrays> {
	return arraysOf(client, query, await client.ask(query, options));
}

/** Returns the arrays of an answer from `client`. */
export function arraysOf(
	client: Client,
	query: Query,
	{ result }: Answer,
): ResultArrays {
	if (!result) throw new BevError("internal", `${query.kind}: result without arrays`);
	return new ResultArrays(result, (buffer) => client.recycle(buffer));
}

/** The client and source of a data set. */
interface Shared {
	readonly client: Client;
	readonly source: Source;
	/** Returns the client of its readers, which reads every format. */
	forReaders(signal?: AbortSignal): Promise<Client>;
}

const clients = new WeakMap<object, Shared>();

/** Makes the client of `owner` accessible within the package, but not to users. */
export function shareClient(owner: object, shared: Shared): void {
	clients.set(owner, shared);
}

export function clientOf(owner: object): Shared {
	const shared = clients.get(owner);
	if (shared) return shared;
	const said = "dataset: invalid argument (expected a ChunkedDataset of this package)";
	throw new BevError("invalid_argument", said);
}
