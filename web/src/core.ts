/**
 * The interface of the WebAssembly module, written by hand beside `wasm/bindings.cpp`; a
 * test compares the names here with the module's. Errors arrive as `Error` with `code`.
 */

/**
 * A range of bytes that a query lacks; `begin` is -1 where the whole object is wanted, or
 * just the last `tail` bytes of it where that is not 0.
 */
export interface CoreRequest {
	readonly key: string;
	readonly begin: number;
	readonly end: number;
	/** False for keys that a data set may well do without. */
	readonly required: boolean;
	readonly tail: number;
}

export type CoreView =
	| Int8Array
	| Uint8Array
	| Int16Array
	| Uint16Array
	| Int32Array
	| Uint32Array
	| Float32Array
	| Float64Array
	| BigInt64Array
	| BigUint64Array;

/** One array of a result. `data` views WebAssembly memory: dead after the next call. */
export interface CoreArray {
	readonly name: string;
	/** NumPy's little-endian code, e.g. `<f8`, or `utf8`. */
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly data: CoreView;
}

/** One question. `missing()` and `build()` are the two halves of the host's loop. */
export interface CoreQuery {
	missing(): readonly CoreRequest[];
	build(): readonly CoreArray[];
	delete(): void;
}

/** A question about the store itself. */
export interface CoreStoreQuery extends CoreQuery {
	/** To be read when nothing else is: what whoever goes on like this wants next. */
	ahead(): readonly CoreRequest[];
}

export interface CoreRows {
	array: string;
	begin?: number | undefined;
	end?: number | undefined;
	step?: number | undefined;
	indices?: Float64Array;
	/** One byte a row: those that are not 0. */
	mask?: Uint8Array;
	/** In place of rows, four numbers an axis: begin, end, step, index; NaN if not given. */
	axes?: Float64Array;
	fields?: readonly string[];
	layout?: "columns" | "records";
}

export interface CoreFrameOptions {
	past?: number;
	future?: number;
	threshold?: number;
	/** Later frames follow: chunks are asked for whole. */
	sequential?: boolean;
}

export interface CoreCacheStats {
	readonly bytesHeld: number;
	readonly byteBudget: number;
	readonly hits: number;
	readonly misses: number;
	readonly evictions: number;
}

/** What reads of absent chunks do, see `OpenOptions.missing`; empty for the default. */
export type CoreMissing = "" | "fill" | "error";

export interface CoreEngine {
	open(): CoreStoreQuery;
	rows(options: CoreRows): CoreStoreQuery;
	frame(scene: number, frame: number, options: CoreFrameOptions): CoreStoreQuery;
	/** By the index in the `frames` array. */
	frameAt(index: number, options: CoreFrameOptions): CoreStoreQuery;
	/** A scene with all that belongs to it, intervals rebased. */
	scene(scene: number): CoreStoreQuery;
	/** How the ego vehicle moves, or a track as well, and what is odd. */
	timeline(scene: number, track: bigint | undefined): CoreStoreQuery;
	summary(): CoreStoreQuery;
	/** `begin` is -1 for a whole object; copies `bytes`. */
	supply(key: string, begin: number, end: number, bytes: Uint8Array): void;
	supplyAbsent(key: string): void;
	/** Forgets the failure of the chunk `key`, or all if `key` is empty; returns the keys of damaged objects. */
	forgetFailures(key: string): readonly string[];
	/** JSON, see `Description`. */
	describe(): string;
	cache(): CoreCacheStats;
	absentCount(): number;
	absentChunks(): readonly string[];
	delete(): void;
}

/** A parsed semantic map. */
export interface CoreMap {
	build(): readonly CoreArray[];
	/** Rows of the lanes whose bounds grown by `radius` metres hold the point of world. */
	near(x: number, y: number, radius: number): Uint32Array;
	crosswalksNear(x: number, y: number, radius: number): Uint32Array;
	/** `left`, `right` and `mid` of a lane, `<f8` (k, 3), at equal distances. */
	laneByCount(lane: number, count: number): readonly CoreArray[];
	laneByMetres(lane: number, step: number): readonly CoreArray[];
	/** 0 to 3 by the colour that `faces` show the lane, 4 without a traffic light. */
	lightFeature(lane: number, faces: readonly string[]): number;
	/** Degrees of latitude and longitude, metres of altitude. */
	geodetic(x: number, y: number, z: number): Float64Array;
	/** One value a lane, 0 none, 1 red, 2 yellow, 3 green, where `faces` are lit. */
	laneColours(faces: readonly string[]): Uint8Array;
	delete(): void;
}

/** An aerial image, black until it is filled. */
export interface CoreAerial {
	/** Whole rows from `first` on, of four bytes a pixel; copies them. */
	putRows(first: number, rgba: Uint8Array): void;
	delete(): void;
}

/** L5Kit's AckermanPerturbation; `mean` and `deviation` are lateral, longitudinal, yaw. */
export interface CorePerturbation {
	probability?: number;
	mean?: Float64Array;
	deviation?: Float64Array;
	seed?: number;
	offset_seed?: number;
	min_displacement?: number;
}

export interface CoreSampleOptions {
	/** L5Kit's config as JSON. */
	config: string;
	kind?: "ego" | "agent" | "ego_agent";
	image?: "none" | "f32" | "u8" | "rgba";
	vectorized?: boolean;
	eval?: boolean;
	/** Only this scene, as `get_scene_dataset` gives it. */
	scene?: number;
	perturbation?: CorePerturbation;
}

/** Samples, one after the other: aim, run the host's loop, build. */
export interface CoreSamples extends CoreQuery {
	/** `EgoDataset[index]`; negative ones count from the end. */
	atFrame(index: number): void;
	/** The sample of the agent in a row of `agents`. */
	atAgent(row: number): void;
	atEgo(scene: number, frame: number): void;
	atTrack(scene: number, frame: number, trackId: bigint): void;
	/** Whether later samples follow in order: chunks are asked for whole then. */
	expectMore(on: boolean): void;
	/** What the channels of the image are, in words. */
	channels(): string[];
	/** Unpins the chunks of a sample that is not built. */
	releasePins(): void;
	/** Of rgba: one channel alone in grey, until `showAll`. */
	showChannel(channel: number): void;
	showAll(): void;
}

/** The files beside a data set that a config asks for, by its names for them. */
export interface CoreDataKeys {
	readonly meta?: string;
	readonly semantic_map?: string;
	readonly aerial_image?: string;
}

/** When an agent counts; the defaults are L5Kit's. */
export interface CoreSelectionRules {
	label_threshold?: number;
	/** Degrees from frame to frame. */
	max_yaw_step_deg?: number;
	/** Of areas, from frame to frame. */
	max_extent_ratio?: number;
	/** Metres. */
	max_distance_to_ego?: number;
}

/** Frames before and after it that an agent must be seen in. Defaults 10 and 1. */
export interface CoreMinima {
	min_frame_history?: number;
	min_frame_future?: number;
}

/** The threshold of labels is the config's. */
export interface CoreAgentIndexOptions
	extends Omit<CoreSelectionRules, "label_threshold">,
		CoreMinima {
	/** Whether to take the mask that the store may hold. Default true. */
	use_stored?: boolean;
}

/** The items of an agent data set. */
export interface CoreAgentItems {
	/** `agents_indices`: their rows in `agents`. */
	rows(): readonly CoreArray[];
	delete(): void;
}

export interface CoreAgentIndex extends CoreStoreQuery {
	/** Agents looked at, of all. */
	progress(): {
		readonly done: number;
		readonly of: number;
		readonly from_store: boolean;
	};
	/** What was left out of the agents selected so far. */
	report(): Readonly<Record<string, number>>;
	/** Once nothing is missing. */
	items(): CoreAgentItems;
}

/** L5Kit's agent selection: `next`, run the host's loop, build `mask` and `first`. */
export interface CoreSelect extends CoreStoreQuery {
	next(): boolean;
	report(): Readonly<Record<string, number>>;
	/** Of which scene the mask is, of how many, of agents in all. */
	progress(): {
		readonly scene: number;
		readonly scenes: number;
		readonly agents: number;
	};
}

/** A zip archive, of which the host reads what is missing: ranges without a key. */
export interface CoreZip {
	missing(): readonly CoreRequest[];
	supply(bytes: Uint8Array): void;
	/** Of the zarr in it, with its slash; throws where there is none. */
	storeFolder(name: string): string;
	/** Of all zarrs in it, the shortest path first. */
	storeFolders(): string[];
	/** Null for a name that is not there; `begin` is -1 for the whole member. */
	read(name: string, begin: number, end: number): CoreZipRead | null;
	/** Bytes of a member; -1 for a name that is not there. */
	size(name: string): number;
	delete(): void;
}

export interface CoreZipRead {
	missing(): readonly CoreRequest[];
	supply(bytes: Uint8Array): void;
	/** Whether `take` gives the whole member, whatever was asked for. */
	isWhole(): boolean;
	take(): Uint8Array<ArrayBuffer>;
	delete(): void;
}

export interface CoreModule {
	readonly Engine: new (byteBudget: number, missing: CoreMissing) => CoreEngine;
	parseMap(pb: Uint8Array, metaJson: Uint8Array): CoreMap;
	makeAerial(width: number, height: number, metaJson: Uint8Array): CoreAerial;
	/** Of the module that reads every format. */
	makeZip?(name: string, size: number): CoreZip;
	samples(
		engine: CoreEngine,
		options: CoreSampleOptions,
		map: CoreMap | null,
		aerial: CoreAerial | null,
		validAgents: CoreAgentItems | null,
	): CoreSamples;
	dataKeys(config: string, vectorized: boolean): CoreDataKeys;
	select(
		engine: CoreEngine,
		rules: CoreSelectionRules & { readonly first_scene?: number },
	): CoreSelect;
	agentIndex(
		engine: CoreEngine,
		config: string,
		options: CoreAgentIndexOptions,
	): CoreAgentIndex;
	/** One value an agent; all but 0 are items. */
	itemsOfMask(mask: Uint8Array): CoreAgentItems;
	/** (n, 2): past and future frames of every agent. */
	itemsOfCounts(counts: Uint32Array, minima: CoreMinima): CoreAgentItems;
	itemsOfScene(
		engine: CoreEngine,
		items: CoreAgentItems,
		scene: number,
	): CoreStoreQuery;
	itemsOfFrame(
		engine: CoreEngine,
		items: CoreAgentItems,
		frame: number,
	): CoreStoreQuery;
	version(): string;
}
