import type { Stats } from "../api.js";
import type { CoreFrameOptions, CoreRows } from "../core.js";
import type { ErrorCode } from "../errors.js";
import type { PackedResult } from "../result.js";
import type { FetchSettings } from "../source/fetch-source.js";
import type { ByteRange } from "../source/source.js";

/** A question to the core. */
export type Query =
	/** Reads the metadata; answers the description as text. */
	| { readonly kind: "open" }
	/** Reads the metadata of one further array; answers the description as text. */
	| { readonly kind: "array"; readonly path: string }
	| { readonly kind: "rows"; readonly rows: CoreRows }
	| {
			readonly kind: "frame";
			readonly scene: number;
			readonly frame: number;
			readonly options: CoreFrameOptions;
	  }
	| { readonly kind: "summary" }
	/** Parses a map and keeps it under a number of the asker's. */
	| {
			readonly kind: "map";
			readonly map: number;
			readonly pb: Uint8Array;
			readonly meta: Uint8Array;
	  }
	| {
			readonly kind: "lane-colours";
			readonly map: number;
			readonly faces: readonly string[];
	  }
	| { readonly kind: "free-map"; readonly map: number };

/** Questions about a map, which needs no data set and no reading. */
export type MapQuery = Extract<Query, { readonly map: number }>;

export interface Answer {
	/** Absent for a prefetch. */
	readonly result?: PackedResult;
	/** The description, where the query asks for it. */
	readonly text?: string;
	readonly stats: Stats;
}

/** How the worker reaches the data: by itself, or by asking the page. */
export type SourceLocation =
	| { readonly kind: "url"; readonly url: string; readonly settings: FetchSettings }
	| { readonly kind: "page" };

/** An error that crossed a border. */
export interface WireError {
	readonly code: ErrorCode;
	readonly message: string;
	readonly url?: string | undefined;
	readonly key?: string | undefined;
	readonly status?: number | undefined;
	/** Of the cause, for the console. */
	readonly stack?: string | undefined;
}

export type ToWorker =
	| {
			readonly type: "init";
			readonly module: WebAssembly.Module;
			readonly byteBudget: number;
			readonly source: SourceLocation;
	  }
	| {
			readonly type: "ask";
			readonly id: number;
			readonly query: Query;
			/** Reads only, and only when nothing else wants to. */
			readonly prefetch: boolean;
	  }
	| { readonly type: "abort"; readonly id: number }
	/** A result's buffer, to be used again. */
	| { readonly type: "recycle"; readonly buffer: ArrayBuffer }
	| {
			readonly type: "bytes";
			readonly id: number;
			readonly bytes: Uint8Array | undefined;
	  }
	| { readonly type: "unread"; readonly id: number; readonly error: WireError };

export type FromWorker =
	| { readonly type: "ready" }
	| { readonly type: "answer"; readonly id: number; readonly answer: Answer }
	| { readonly type: "failure"; readonly id: number; readonly error: WireError }
	| { readonly type: "stats"; readonly stats: Stats }
	| {
			readonly type: "read";
			readonly id: number;
			readonly key: string;
			readonly range: ByteRange | undefined;
			readonly required: boolean;
	  }
	| { readonly type: "unwanted"; readonly id: number };
