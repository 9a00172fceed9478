import type { MissingRule, Stats } from "../api.js";
import type {
	CoreAgentIndexOptions,
	CoreFrameOptions,
	CoreMinima,
	CoreRows,
	CoreSampleOptions,
	CoreSelectionRules,
} from "../core.js";
import type { ErrorCode } from "../errors.js";
import type { PackedResult } from "../result.js";
import type { FetchSettings } from "../source/fetch-options.js";
import type { ByteRange } from "../source/source.js";
import type { Archive } from "../source/zip-source.js";

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
	| {
			readonly kind: "timeline";
			readonly scene: number;
			readonly track: bigint | undefined;
	  }
	| { readonly kind: "summary" }
	/** Answers the keys of absent chunks as JSON. */
	| { readonly kind: "absent-chunks" }
	/** Parses a map and keeps it under a number of the asker's. */
	| {
			readonly kind: "map";
			readonly map: number;
			readonly pb: Uint8Array;
			readonly meta: Uint8Array;
			/** False where nobody but samplers needs it. */
			readonly answered: boolean;
	  }
	| {
			readonly kind: "lane-colours";
			readonly map: number;
			readonly faces: readonly string[];
	  }
	| {
			readonly kind: "map-near";
			readonly map: number;
			readonly what: "lanes" | "crosswalks";
			readonly at: readonly [x: number, y: number];
			readonly radius: number;
	  }
	| {
			readonly kind: "lane-lines";
			readonly map: number;
			readonly lane: number;
			readonly by: "count" | "metres";
			readonly step: number;
	  }
	| {
			readonly kind: "light-feature";
			readonly map: number;
			readonly lane: number;
			readonly faces: readonly string[];
	  }
	| {
			readonly kind: "geodetic";
			readonly map: number;
			readonly at: readonly [x: number, y: number, z: number];
	  }
	| { readonly kind: "free-map"; readonly map: number }
	/** Decodes an aerial image and keeps it under a number of the asker's. */
	| {
			readonly kind: "aerial";
			readonly aerial: number;
			readonly image: Uint8Array | Pixels;
			readonly meta: Uint8Array;
	  }
	| { readonly kind: "free-aerial"; readonly aerial: number }
	/**
	 * Makes samples under a number of the asker's, which it is asked for by; answers the
	 * names of the image's channels as JSON.
	 */
	| {
			readonly kind: "sampler";
			readonly sampler: number;
			readonly options: CoreSampleOptions;
			/** Numbers of what is kept; `validAgents` are items, for `eval`. */
			readonly scenery: {
				readonly map?: number;
				readonly aerial?: number;
				readonly validAgents?: number;
			};
	  }
	/** Samples stacked one behind another, or a single one as it is. */
	| {
			readonly kind: "samples";
			readonly sampler: number;
			readonly at: readonly SampleAt[];
			readonly stacked: boolean;
			/** Later ones follow: chunks are read whole. */
			readonly sequential: boolean;
			/** Of rgba: this channel alone. */
			readonly channel?: number | undefined;
	  }
	| { readonly kind: "free-sampler"; readonly sampler: number }
	/** Which files a config asks for; answers JSON. */
	| {
			readonly kind: "data-keys";
			readonly config: string;
			readonly vectorized: boolean;
	  }
	/** Finds the items of an agent data set, kept under a number of the asker's. */
	| {
			readonly kind: "agent-index";
			readonly items: number;
			readonly config: string;
			readonly options: CoreAgentIndexOptions;
	  }
	| {
			readonly kind: "masked-items";
			readonly items: number;
			readonly mask: Uint8Array | Uint32Array;
			readonly minima: CoreMinima;
	  }
	| {
			readonly kind: "items-in";
			readonly items: number;
			readonly scope: "scene" | "frame";
			readonly index: number;
	  }
	| { readonly kind: "free-items"; readonly items: number }
	/** Selects agents under a number of the asker's, which goes on scene by scene. */
	| {
			readonly kind: "selection";
			readonly selection: number;
			/** `first_scene`: where it begins. */
			readonly rules: CoreSelectionRules & { readonly first_scene?: number };
	  }
	/** `mask` and `first` of the next scene, with JSON of progress and report; neither after the last. */
	| { readonly kind: "next-selected"; readonly selection: number }
	| { readonly kind: "free-selection"; readonly selection: number };

/** A decoded image: four bytes a pixel, rows from the top. */
export interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8Array | Uint8ClampedArray;
}

/** Of which frame, row of `agents`, or track a sample is; without a track, of the ego vehicle. */
export type SampleAt =
	| { readonly frame: number }
	| { readonly agent: number }
	| {
			readonly scene: number;
			readonly state: number;
			readonly track: bigint | undefined;
	  };

export type AerialQuery = Extract<Query, { readonly aerial: number }>;
export type SamplerQuery = Extract<Query, { readonly sampler: number }>;
export type SamplesQuery = Extract<Query, { readonly kind: "samples" }>;
export type ItemsQuery = Extract<Query, { readonly items: number }>;
export type SelectionQuery = Extract<Query, { readonly selection: number }>;
/** Questions about samples. */
export type SamplingQuery =
	| SamplerQuery
	| ItemsQuery
	| SelectionQuery
	| AerialQuery
	| Extract<Query, { readonly kind: "data-keys" }>;

/** Questions about a map, which needs no data set and no reading. */
export type MapQuery = Extract<Query, { readonly map: number }>;

export interface Answer {
	/** Absent for a prefetch. */
	readonly result?: PackedResult;
	/** The description, where the query asks for it. */
	readonly text?: string;
	readonly stats: Stats;
}

/** Of something that takes long. */
export interface Progress {
	readonly done: number;
	readonly of: number;
}

/** How the worker reaches the data: by itself, or by asking the page. */
export type SourceLocation =
	| {
			readonly kind: "url";
			readonly url: string;
			readonly settings: FetchSettings;
			/** Of what stays in the browser's storage; nothing does without. */
			readonly keptLimit: number | undefined;
	  }
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
			readonly missing: MissingRule | undefined;
			readonly source: SourceLocation;
			/** The object of it that holds the data set, where the source does not. */
			readonly archive: Archive | undefined;
	  }
	| {
			readonly type: "ask";
			readonly id: number;
			readonly query: Query;
			/** Reads only, and only when nothing else wants to. */
			readonly prefetch: boolean;
			/** Memory of results that were released, to be used again. */
			readonly spare: readonly ArrayBuffer[];
	  }
	| { readonly type: "abort"; readonly id: number }
	/** Asks for a sign of life. */
	| { readonly type: "ping" }
	/** Failed chunks are to be requested again: this one, or all. */
	| { readonly type: "forget-failures"; readonly key: string | undefined }
	| {
			readonly type: "bytes";
			readonly id: number;
			readonly bytes: Uint8Array | undefined;
	  }
	| { readonly type: "size"; readonly id: number; readonly size: number | undefined }
	| { readonly type: "unread"; readonly id: number; readonly error: WireError };

export type FromWorker =
	| { readonly type: "ready" }
	| { readonly type: "pong" }
	| { readonly type: "answer"; readonly id: number; readonly answer: Answer }
	| { readonly type: "failure"; readonly id: number; readonly error: WireError }
	| { readonly type: "stats"; readonly stats: Stats }
	/** Of a question that takes long: so much of it is done. */
	| { readonly type: "progress"; readonly id: number; readonly progress: Progress }
	| {
			readonly type: "read";
			readonly id: number;
			readonly key: string;
			readonly range: ByteRange | undefined;
			readonly required: boolean;
	  }
	| { readonly type: "measure"; readonly id: number; readonly key: string }
	| { readonly type: "unwanted"; readonly id: number };
