/**
 * Interface of the WebAssembly module, kept in step with `wasm/bindings.cpp` by hand; a
 * test compares the names with the module's. Errors are thrown as `Error` with a
 * `code`.
 */

/**
 * A byte range that a query needs. If `begin` is -1: the whole object, or only its last
 * `tail` bytes if `tail` is not 0.
 */
export interface CoreRequest {
	readonly key: string;
	readonly begin: number;
	readonly end: number;
	/** False for keys that may be absent. */
	readonly required: boolean;
	readonly tail: number;
}

/** Values of an array in a result. */
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

/**
 * One array of a result. `data` is a view of WebAssembly memory, valid until the next
 * call.
 */
export interface CoreArray {
	readonly name: string;
	/** NumPy's little-endian code, e.g. `<f8`; `utf8` for text. */
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly data: CoreView;
}

/** A query. `missing()` and `build()` are the two halves of the host's loop. */
export interface CoreQuery {
	missing(): readonly CoreRequest[];
	build(): readonly CoreArray[];
	delete(): void;
}

/** A query that reads the store. */
export interface CoreStoreQuery extends CoreQuery {
	/**
	 * Returns prefetch requests: what a sequential reader needs next. To be read when
	 * idle.
	 */
	ahead(): readonly CoreRequest[];
}

export interface CoreRows {
	array: string;
	begin?: number | undefined;
	end?: number | undefined;
	step?: number | undefined;
	indices?: Float64Array;
	/** One byte per row; selects the rows whose byte is not 0. */
	mask?: Uint8Array;
	/**
	 * Instead of rows, four numbers per axis: begin, end, step, index; NaN if not given.
	 */
	axes?: Float64Array;
	fields?: readonly string[];
	layout?: "columns" | "records";
}

export interface CoreFrameOptions {
	past?: number;
	future?: number;
	threshold?: number;
	/** Hint that later frames follow: requests whole chunks. */
	sequential?: boolean;
	/** Parts that are not read are empty. */
	agents?: boolean;
	lights?: boolean;
}

export interface CoreTimelineOptions
	extends Pick<CoreFrameOptions, "agents" | "lights"> {
	/** The agent whose motion is computed. */
	track?: bigint | undefined;
}

/** Statistics of the chunks in memory. */
export interface CoreCacheStats {
	/** Encoded bytes in memory. */
	readonly bytesHeld: number;
	/** Maximum of `bytesHeld`. */
	readonly byteBudget: number;
	/** Lookups of chunks that were in memory. */
	readonly hits: number;
	/** Lookups of chunks that were not. */
	readonly misses: number;
	/** Chunks removed for others. */
	readonly evictions: number;
}

/**
 * Behaviour of reads of absent chunks, see `OpenOptions.missing`; empty for the
 * default.
 */
export type CoreMissing = "" | "fill" | "error";

export interface CoreEngine {
	open(): CoreStoreQuery;
	rows(options: CoreRows): CoreStoreQuery;
	frame(scene: number, frame: number, options: CoreFrameOptions): CoreStoreQuery;
	/** As `frame`, by index in the `frames` array. */
	frameAt(index: number, options: CoreFrameOptions): CoreStoreQuery;
	/** A scene's rows of all arrays, intervals rebased. */
	scene(scene: number): CoreStoreQuery;
	/** Motion of the ego vehicle and optionally of a track, anomalies, traffic lights. */
	timeline(scene: number, options: CoreTimelineOptions): CoreStoreQuery;
	summary(): CoreStoreQuery;
	/** Supplies a range, or the whole object if `begin` is -1; copies `bytes`. */
	supply(key: string, begin: number, end: number, bytes: Uint8Array): void;
	supplyAbsent(key: string): void;
	/**
	 * Clears the failure of chunk `key`, or of all chunks if `key` is empty. Returns the
	 * keys of damaged objects.
	 */
	forgetFailures(key: string): readonly string[];
	/** Returns JSON, see `Description`. */
	describe(): string;
	cache(): CoreCacheStats;
	absentCount(): number;
	absentChunks(): readonly string[];
	delete(): void;
}

/** A parsed semantic map. */
export interface CoreMap {
	build(): readonly CoreArray[];
	/**
	 * Returns the lanes whose bounds, grown by `radius` metres, contain the world point.
	 */
	near(x: number, y: number, radius: number): Uint32Array;
	crosswalksNear(x: number, y: number, radius: number): Uint32Array;
	/** Returns a lane's `left`, `right` and `mid`, `<f8` (k, 3), at equal distances. */
	laneByCount(lane: number, count: number): readonly CoreArray[];
	laneByMetres(lane: number, step: number): readonly CoreArray[];
	/**
	 * Returns 0 to 3 by the colour of the lane's active `faces`, 4 without a traffic
	 * light.
	 */
	lightFeature(lane: number, faces: readonly string[]): number;
	/** Returns latitude and longitude in degrees, altitude in metres. */
	geodetic(x: number, y: number, z: number): Float64Array;
	/**
	 * Returns one value per lane if `faces` are active: 0 none, 1 red, 2 yellow, 3 green.
	 */
	laneColours(faces: readonly string[]): Uint8Array;
	delete(): void;
}

/** An aerial image, initially black. */
export interface CoreAerial {
	/** Copies whole rows from `first` on, four bytes per pixel. */
	putRows(first: number, rgba: Uint8Array): void;
	delete(): void;
}

/**
 * L5Kit's AckermanPerturbation; `mean` and `deviation` are (lateral, longitudinal,
 * yaw).
 */
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
	/** Only this scene, as `get_scene_dataset` returns it. */
	scene?: number;
	perturbation?: CorePerturbation;
}

/** Samples one at a time: select an item, run the host's loop, build. */
export interface CoreSamples extends CoreQuery {
	/** As `EgoDataset[index]`; negative indexes count from the end. */
	atFrame(index: number): void;
	/** The sample of the agent at a row of `agents`. */
	atAgent(row: number): void;
	atEgo(scene: number, frame: number): void;
	atTrack(scene: number, frame: number, trackId: bigint): void;
	/** Hint whether later samples follow in order; if so, whole chunks are requested. */
	expectMore(on: boolean): void;
	/** Returns descriptions of the image's channels. */
	channels(): string[];
	/**
	 * As `build`, but `data` of a large float image has space for a part of the image
	 * only, which `nextPart` fills.
	 */
	buildInParts(): readonly CoreArray[];
	/**
	 * Converts the next part of the image; returns its bytes, 0 at the end. If they are
	 * zeros, it returns a negative number, and `data` does not have them.
	 */
	nextPart(): number;
	/** Unpins the chunks of a sample that was not built. */
	releasePins(): void;
	/** Images of form `rgba`: shows one channel in grey until `showAll`. */
	showChannel(channel: number): void;
	showAll(): void;
}

/** Keys of the files beside a data set that a config refers to. */
export interface CoreDataKeys {
	readonly meta?: string;
	readonly semantic_map?: string;
	readonly aerial_image?: string;
}

/** Conditions for selecting an agent; the defaults are L5Kit's. */
export interface CoreSelectionRules {
	/** Lower bound, exclusive, of the sum of known classes' probabilities. */
	label_threshold?: number;
	/** Between consecutive frames, degrees. */
	max_yaw_step_deg?: number;
	/** Ratio of areas between consecutive frames. */
	max_extent_ratio?: number;
	/** Metres. */
	max_distance_to_ego?: number;
}

/** Minimum number of visible past and future frames of an agent. Defaults 10 and 1. */
export interface CoreMinima {
	/** Minimum number of visible past frames. Default 10. */
	min_frame_history?: number;
	/** Minimum number of visible future frames. Default 1. */
	min_frame_future?: number;
}

/** The label threshold comes from the config. */
export interface CoreAgentIndexOptions
	extends Omit<CoreSelectionRules, "label_threshold">,
		CoreMinima {
	/** Whether to use the mask in the store, if there is one. Default true. */
	use_stored?: boolean;
}

/** The items of an agent data set. */
export interface CoreAgentItems {
	/** `agents_indices`: rows of the items in `agents`. */
	rows(): readonly CoreArray[];
	delete(): void;
}

export interface CoreAgentIndex extends CoreStoreQuery {
	/** Agents examined, and the total. */
	progress(): {
		readonly done: number;
		readonly of: number;
		readonly from_store: boolean;
	};
	/** Number of rejected agents so far, by reason. */
	report(): Readonly<Record<string, number>>;
	/** Valid when nothing is missing. */
	items(): CoreAgentItems;
}

/**
 * L5Kit's agent selection: call `next`, run the host's loop, build `mask` and `first`.
 */
export interface CoreSelect extends CoreStoreQuery {
	next(): boolean;
	report(): Readonly<Record<string, number>>;
	/** Scene of the mask, number of scenes, number of agents in all scenes. */
	progress(): {
		readonly scene: number;
		readonly scenes: number;
		readonly agents: number;
	};
}

/** Position, length and work of a reader. */
export interface CoreReaderProgress {
	/** Items of the batch. */
	readonly items: number;
	readonly epoch: number;
	/** Items of the epoch after the batch, see `ReaderPosition`. */
	readonly position: number;
	readonly blocksDone: number;
	readonly blockCount: number;
	/** Items of an epoch; -1 if unknown. */
	readonly length: number;
	readonly rows: number;
	readonly rowsTested: number;
	readonly pieces: number;
	readonly piecesExcludedByFrame: number;
	readonly piecesExcluded: number;
	readonly piecesIncluded: number;
}

/**
 * Batches of a plan's items: run the host's loop to read the metadata; then, for each
 * batch, call `advance`, run the loop, build.
 */
export interface CoreReader extends CoreStoreQuery {
	/** Goes on to the next batch. */
	advance(): void;
	/** Whether the epoch has no further batch. */
	atEnd(): boolean;
	seek(epoch: number, items: number): void;
	/** Goes to the position of a state. */
	restore(state: string): void;
	/** Returns the position as JSON. Requires the metadata. */
	state(): string;
	/** Returns the plan, the columns and what was read as JSON. Requires the metadata. */
	explain(): string;
	/** Blocks left out because of damaged chunks; see `on_damage`. */
	skipped(): readonly { readonly block: number; readonly error: string }[];
	progress(): CoreReaderProgress;
}

/** Limits, means, quantiles and histograms of a plan's fields. */
export interface CoreReaderDescription {
	/** What has to be read before `step`. */
	missing(): readonly CoreRequest[];
	/** Uses what was read. Returns false after the last rows. */
	step(): boolean;
	/** Blocks that were read, and all blocks. */
	progress(): { readonly done: number; readonly of: number };
	/** Returns the description as JSON. */
	json(): string;
	delete(): void;
}

/** Facts of scenes: go to a scene, run the host's loop; build after the last one. */
export interface CoreFacts extends CoreStoreQuery {
	/** Goes to a scene. */
	seek(scene: number): void;
	/** Goes to a scene whose rows follow those of the previous scenes. */
	add(scene: number): void;
	/** Leaves out the scene, whose chunks cannot be read, and keeps the rows so far. */
	leaveOut(): void;
	/** Returns the keys of the chunks that the scenes are in; none if they are unknown. */
	chunks(): readonly string[];
}

/** Chooses rows of a table of facts. */
export interface CoreFactChoice {
	/** Returns all columns of the rows that pass. */
	select(columns: readonly Uint8Array[]): readonly CoreArray[];
	delete(): void;
}

/** The rule of several readers: which of them each batch comes from. */
export interface CoreReaderOrder {
	/** Returns the number of the reader to read the next batch from; -1 at the end. */
	choice(): number;
	/**
	 * Reports that the chosen reader is at the end of its epoch; it continues with its
	 * next one. Throws if a restarted reader has no items.
	 */
	exhausted(): void;
	/** Goes to the first batch. */
	reset(): void;
	/** Returns the position and the readers' states as JSON. */
	state(readers: readonly string[]): string;
	/** Returns the readers' states. Throws if the state belongs to another rule. */
	readerStates(state: string): string[];
	/** Goes to the position of a state. Restore the readers first. */
	restore(state: string): void;
	delete(): void;
}

/** The rule of a mixture. */
export interface CoreMixture extends CoreReaderOrder {
	/** Goes on to the next batch, once the chosen reader returned one. */
	took(): void;
}

/** A zip archive. Its requests are ranges without a key. */
export interface CoreZip {
	missing(): readonly CoreRequest[];
	supply(bytes: Uint8Array): void;
	/** Path of the zarr store in it, ending in a slash; throws if there is none. */
	storeFolder(name: string): string;
	/** Paths of all zarr stores in it, shortest first. */
	storeFolders(): string[];
	/** Returns null if `name` is absent; `begin` is -1 for the whole member. */
	read(name: string, begin: number, end: number): CoreZipRead | null;
	/** Returns a member's length; -1 if `name` is absent. */
	size(name: string): number;
	delete(): void;
}

export interface CoreZipRead {
	missing(): readonly CoreRequest[];
	supply(bytes: Uint8Array): void;
	/** Whether `take` returns the whole member instead of the requested range. */
	isWhole(): boolean;
	take(): Uint8Array<ArrayBuffer>;
	delete(): void;
}

export interface CoreModule {
	readonly Engine: new (byteBudget: number, missing: CoreMissing) => CoreEngine;
	parseMap(pb: Uint8Array, metaJson: Uint8Array): CoreMap;
	makeAerial(width: number, height: number, metaJson: Uint8Array): CoreAerial;
	/** Only in the modules that read every format. */
	makeZip?(name: string, size: number): CoreZip;
	/** Only in the module for readers. Maps are those of samples. */
	reader?(
		engine: CoreEngine,
		plan: string,
		map: CoreMap | null,
		aerial: CoreAerial | null,
	): CoreReader;
	/** As `reader`, only in its module. */
	facts?(engine: CoreEngine, map: CoreMap | null): CoreFacts;
	factChoice?(table: string, where: string): CoreFactChoice;
	/** Returns names, types and units of all facts as JSON. */
	describeFacts?(): string;
	/** Batches without arrays, whose items sum up to those of an epoch of the plan. */
	readerOfCounts?(engine: CoreEngine, plan: string): CoreReader;
	/** @param options JSON: {"weights": [3, 1], "seed": 7, "on_exhausted": "stop"} */
	mixture?(options: string): CoreMixture;
	/** The rule of readers that are read one after another. */
	concatenation?(readers: number): CoreReaderOrder;
	/** @param by none, or the column of the groups */
	readerDescription?(
		engine: CoreEngine,
		plan: string,
		by: readonly string[],
	): CoreReaderDescription;
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
	/** `mask` has one value per agent; non-zero agents are items. */
	itemsOfMask(mask: Uint8Array): CoreAgentItems;
	/** `counts` is (n, 2): each agent's number of past and future frames. */
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
