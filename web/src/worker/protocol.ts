import type { MissingRule, Stats } from "../api.js";
import type { PackedResult } from "../arrays/result.js";
import { BevError, type ErrorCode, toBevError } from "../base/errors.js";
import type { Given, OperationName } from "../core/core.js";
import type { CoreSampleOptions } from "../core/options.js";
import type { FetchSettings } from "../source/fetch-job.js";
import type { Absence, ByteRange } from "../source/source.js";
import type { Archive } from "../source/zip-source.js";

/** Queries about the whole data set; both answer its description as text. */
export type OpenQuery =
	/** Reads the metadata. */
	| { readonly kind: "open" }
	/** Reads the metadata of one further array. */
	| { readonly kind: "array"; readonly path: string };

/** An operation of the core; the engine is passed to all. */
interface Operation {
	readonly name: OperationName;
	readonly given: object;
	/** Ids of kept objects by the argument that they are. */
	readonly objects: Readonly<Record<string, number | undefined>> | undefined;
}

export type OperationQuery =
	/** Answers the operation's arrays; or its text, other values as JSON. */
	| (Operation & { readonly kind: "value" })
	/** Reads what the operation's query needs, and answers its arrays. */
	| (Operation & { readonly kind: "query" })
	/** Keeps the operation's object under the caller's id. */
	| (Operation & { readonly kind: "keep"; readonly id: number });

/** What the client passes to an operation: not the engine, nor kept objects. */
export type Passed<Name extends OperationName, Objects extends string> = Omit<
	Given<Name>,
	"engine" | Objects
>;

/** Returns a query that answers what an operation returns. */
export function valueBy<Name extends OperationName, Objects extends string = never>(
	name: Name,
	given: Passed<Name, Objects>,
	objects?: Readonly<Record<Objects, number | undefined>>,
): OperationQuery {
	return { kind: "value", name, given, objects };
}

/** Returns a query that answers the arrays of an operation's query. */
export function arraysBy<Name extends OperationName, Objects extends string = never>(
	name: Name,
	given: Passed<Name, Objects>,
	objects?: Readonly<Record<Objects, number | undefined>>,
): OperationQuery {
	return { kind: "query", name, given, objects };
}

/** Returns a query that keeps an operation's object. */
export function keeping<Name extends OperationName, Objects extends string = never>(
	id: number,
	name: Name,
	given: Passed<Name, Objects>,
	objects?: Readonly<Record<Objects, number | undefined>>,
): Extract<OperationQuery, { readonly kind: "keep" }> {
	return { kind: "keep", id, name, given, objects };
}

export type AerialQuery =
	/** Decodes an aerial image and keeps it under the caller's id. */
	{
		readonly kind: "aerial";
		readonly id: number;
		readonly image: Uint8Array | Pixels;
		readonly meta: Uint8Array;
	};

export type SamplerQuery =
	/**
	 * Creates a sampler under the caller's id; answers the names of the image's channels
	 * as JSON.
	 */
	{
		readonly kind: "sampler";
		readonly id: number;
		readonly options: CoreSampleOptions;
		/**
		 * Ids of kept objects; `validAgents` are items, for `eval`, `engine` is that of a
		 * simulation.
		 */
		readonly objects: {
			readonly engine?: number;
			readonly map?: number;
			readonly aerial?: number;
			readonly validAgents?: number;
		};
	};

export type SamplesQuery =
	/** Builds samples, stacked or a single one. */
	{
		readonly kind: "samples";
		readonly sampler: number;
		readonly at: readonly SampleAt[];
		readonly stacked: boolean;
		/** Hint that later samples follow: whole chunks are read. */
		readonly sequential: boolean;
		/** For images of form `rgba`: only this channel. */
		readonly channel?: number | undefined;
	};

export type ItemsQuery =
	/** Determines the items of an agent data set and keeps them under the caller's id. */
	{
		readonly kind: "agent-index";
		readonly id: number;
		readonly config: string;
		readonly options: Omit<Given<"agent_index">, "engine" | "config">;
	};

export type SelectionQuery =
	/**
	 * Answers `mask` and `first` of the next scene of a kept selection, with progress and
	 * report as JSON; neither after the last scene.
	 */
	{ readonly kind: "next-selected"; readonly selection: number };

/** A reader's position in the epochs of its plan. */
export interface ReaderPosition {
	/** Number of the epoch, from 0. */
	readonly epoch: number;
	/**
	 * Items of the epoch that were read: by all shards together if shards are strided,
	 * otherwise by this shard.
	 */
	readonly items: number;
}

/** Starts a reader under the caller's id, at a position or a state. */
export interface ReaderStart {
	readonly kind: "reader";
	readonly id: number;
	/** JSON, see core/reader/plan.hpp. */
	readonly plan: string;
	readonly start: ReaderPosition | string;
	/** Whether to count the items of an epoch, see `reader-count`. */
	readonly counts: boolean;
	/** Ids of the maps of samples. */
	readonly map?: number | undefined;
	readonly aerial?: number | undefined;
}

export type ReaderQuery =
	| ReaderStart
	| DescriptionQuery
	/** Answers the next batch and a `BatchInfo` as text. */
	| { readonly kind: "reader-next"; readonly reader: number }
	/** Answers a `BatchInfo` of up to `batches` batches without arrays. */
	| {
			readonly kind: "reader-count";
			readonly reader: number;
			readonly batches: number;
	  }
	/** Answers the position as text. */
	| { readonly kind: "reader-state"; readonly reader: number }
	/** Answers the plan and the table's columns as text. */
	| { readonly kind: "reader-explain"; readonly reader: number };

/** Queries about the description of a reader's fields. */
export type DescriptionQuery =
	/** Starts a description under the caller's id. */
	| {
			readonly kind: "description";
			readonly id: number;
			/** JSON, see core/reader/plan.hpp. */
			readonly plan: string;
			/** Column of the groups. */
			readonly by: string | undefined;
	  }
	/** Reads up to `steps` parts; answers the progress, or the description, as text. */
	| {
			readonly kind: "description-step";
			readonly description: number;
			readonly steps: number;
	  };

/** Queries about the facts beside the data set, which `facts` reads. */
export type SideFactsQuery =
	/**
	 * Opens them, for a map's lights; answers as `side-check`, the keys of the objects to
	 * check, and whether they are published at the data set's address. Without a size they
	 * are in an archive, whose directory they are compared with.
	 */
	| {
			readonly kind: "side-open";
			readonly facts: number;
			readonly size: number | undefined;
			readonly map: readonly [pb: Uint8Array, meta: Uint8Array] | undefined;
			readonly address: string;
	  }
	/** Uses them as if no object had changed; answers as `side-check`. */
	| { readonly kind: "side-believe"; readonly facts: number }
	/**
	 * Compares the objects: their sizes, -1 if absent, and by how many seconds they are
	 * newer. Answers a notice, and whether any facts are used, as JSON.
	 */
	| {
			readonly kind: "side-check";
			readonly facts: number;
			readonly sizes: Float64Array;
			readonly newer: Float64Array;
	  }
	/** Answers the end of the scenes from one on that are kept; negative: that are not. */
	| { readonly kind: "side-scenes"; readonly facts: number; readonly begin: number }
	/** Answers the PNG of a scene, or why there is none: empty if none is of the scene. */
	| { readonly kind: "side-thumbnail"; readonly facts: number; readonly scene: number }
	/** Answers columns of rows that pass a filter, and as `side-check`. */
	| {
			readonly kind: "side-rows";
			readonly facts: number;
			readonly table: string;
			readonly where: string;
			readonly columns: readonly string[];
			readonly begin: number;
			readonly end: number;
	  };

/** Queries about facts of scenes and tracks. */
export type FactsQuery =
	| SideFactsQuery
	/** Keeps a computation of facts under the caller's id, with the map of an id. */
	| { readonly kind: "facts"; readonly id: number; readonly map: number | undefined }
	/**
	 * Answers both tables of scenes `begin` to `end`, exclusive, and the scenes that could
	 * not be read as JSON.
	 */
	| {
			readonly kind: "facts-part";
			readonly facts: number;
			readonly begin: number;
			readonly end: number;
	  }
	/** Answers the rows of a table of such an answer that pass a filter. */
	| {
			readonly kind: "facts-choice";
			readonly table: string;
			readonly where: string;
			readonly part: PackedResult;
	  }
	/** Answers all facts as JSON; rejects if the filter is invalid. */
	| {
			readonly kind: "facts-description";
			readonly table: string;
			readonly where: string;
	  };

/** The reader of the next batch. */
export interface ReaderChoice {
	/** -1 at the end. */
	readonly reader: number;
	/** The state of them all once the reader has returned a batch. */
	readonly state: string;
}

/** What a reader has done; all but `items` since it was started. */
export interface ReaderWork {
	readonly blocksDone: number;
	readonly blockCount: number;
	readonly rows: number;
	readonly rowsTested: number;
	readonly pieces: number;
	readonly piecesExcludedByFrame: number;
	readonly piecesExcluded: number;
	readonly piecesIncluded: number;
}

/** The position after a batch. */
export interface BatchInfo extends ReaderWork {
	/** Items of the batch. */
	readonly items: number;
	readonly position: ReaderPosition;
	/** Items of this shard in an epoch, if known. */
	readonly length?: number | undefined;
	/** Whether there was no further batch. */
	readonly atEnd: boolean;
	/** The position as JSON. */
	readonly state: string;
	/** Blocks left out so far because of damaged chunks. */
	readonly skipped: readonly SkippedBlock[];
}

/** A block without items because one of its chunks is damaged. */
export interface SkippedBlock {
	/** Number of the scene, or of the chunk in other tables. */
	readonly block: number;
	/** The error's message. */
	readonly error: string;
}

/** Queries about samples. */
export type SamplingQuery =
	| AerialQuery
	| SamplerQuery
	| SamplesQuery
	| ItemsQuery
	| SelectionQuery;

/**
 * A query to the core. `id` is the caller's, for an object that is kept until it is
 * freed; other queries refer to the object by it. Ids are unique across all kinds.
 * `engine` is the id of a kept engine with edited scenes; default: the data set's.
 */
export type Query = { readonly engine?: number | undefined } & (
	| OpenQuery
	| OperationQuery
	| SamplingQuery
	| ReaderQuery
	| FactsQuery
	| { readonly kind: "free"; readonly id: number }
);

/** A decoded image: four bytes per pixel, rows from the top. */
export interface Pixels {
	/** Pixels per row. */
	readonly width: number;
	/** Number of rows. */
	readonly height: number;
	/** The pixels, row by row. */
	readonly data: Uint8Array | Uint8ClampedArray;
}

/**
 * Location of a sample: a frame, a row of `agents`, or a track; without a track, the
 * ego vehicle.
 */
export type SampleAt =
	| { readonly frame: number }
	| { readonly agent: number }
	| {
			readonly scene: number;
			readonly state: number;
			readonly track: bigint | undefined;
	  };

export interface Answer {
	/** Absent for a prefetch. */
	readonly result?: PackedResult;
	/** The description or other text, if the query returns any. */
	readonly text?: string;
	readonly stats: Stats;
}

/** Progress of a long query. */
export interface Progress {
	/** What was done. */
	readonly done: number;
	/** What there is to do. */
	readonly of: number;
}

/** How the worker reads the data: by itself, or through the page. */
export type SourceLocation =
	| {
			readonly kind: "url";
			readonly url: string;
			readonly settings: FetchSettings;
			/** Limit of the persistent cache in bytes; undefined disables it. */
			readonly cacheLimit: number | undefined;
	  }
	| { readonly kind: "page" };

/** An error in a message. */
export interface WireError {
	readonly code: ErrorCode;
	readonly message: string;
	readonly url?: string | undefined;
	readonly key?: string | undefined;
	readonly status?: number | undefined;
	/** Stack of the original error, for the console. */
	readonly stack?: string | undefined;
}

export type ToWorker =
	| {
			readonly type: "init";
			readonly module: WebAssembly.Module;
			readonly byteBudget: number;
			readonly missing: MissingRule | undefined;
			readonly statistics?: boolean | undefined;
			readonly source: SourceLocation;
			/** The object of `source` that contains the data set, if it is an archive. */
			readonly archive: Archive | undefined;
	  }
	| {
			readonly type: "ask";
			readonly id: number;
			readonly query: Query;
			/** Whether to read only, and only when no other read is waiting. */
			readonly prefetch: boolean;
			/** Buffers of released results, for reuse. */
			readonly spare: readonly ArrayBuffer[];
	  }
	| { readonly type: "abort"; readonly id: number }
	/** Requests a `pong`. */
	| { readonly type: "ping" }
	/** Allows failed chunks to be requested again: the chunk `key`, or all. */
	| { readonly type: "forget-failures"; readonly key: string | undefined }
	| {
			readonly type: "bytes";
			readonly id: number;
			readonly bytes: Uint8Array | undefined;
			readonly absence: Absence | undefined;
	  }
	| { readonly type: "size"; readonly id: number; readonly size: number | undefined }
	| { readonly type: "unread"; readonly id: number; readonly error: WireError };

export type FromWorker =
	| { readonly type: "ready" }
	| { readonly type: "pong" }
	| { readonly type: "answer"; readonly id: number; readonly answer: Answer }
	| { readonly type: "failure"; readonly id: number; readonly error: WireError }
	| { readonly type: "stats"; readonly stats: Stats }
	/** Progress of a long query. */
	| { readonly type: "progress"; readonly id: number; readonly progress: Progress }
	| {
			readonly type: "read";
			readonly id: number;
			readonly key: string;
			readonly range: ByteRange | undefined;
			readonly required: boolean;
	  }
	| { readonly type: "measure"; readonly id: number; readonly key: string }
	/** The object's bytes were damaged: see `Source.forget`. */
	| { readonly type: "forget"; readonly key: string }
	| { readonly type: "unwanted"; readonly id: number };

export function toWire(thrown: unknown): WireError {
	const { code, message, url, key, status, stack } = toBevError(thrown);
	return { code, message, url, key, status, stack };
}

export function fromWire({ code, message, stack, ...options }: WireError): BevError {
	const error = new BevError(code, message, options);
	if (stack !== undefined) error.stack = stack;
	return error;
}
