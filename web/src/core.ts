/**
 * The interface of the WebAssembly module, written by hand beside `wasm/bindings.cpp`; a
 * test compares the names here with the module's. Errors arrive as `Error` with `code`.
 */

/** A range of bytes that a query lacks; `begin` is -1 where the whole object is wanted. */
export interface CoreRequest {
	readonly key: string;
	readonly begin: number;
	readonly end: number;
	/** False for keys that a data set may well do without. */
	readonly required: boolean;
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

export interface CoreRows {
	array: string;
	begin?: number;
	end?: number;
	step?: number;
	indices?: Float64Array;
	fields?: readonly string[];
	layout?: "columns" | "records";
}

export interface CoreFrameOptions {
	past?: number;
	future?: number;
	threshold?: number;
}

export interface CoreCacheStats {
	readonly bytesHeld: number;
	readonly byteBudget: number;
	readonly hits: number;
	readonly misses: number;
	readonly evictions: number;
}

export interface CoreEngine {
	open(): CoreQuery;
	rows(options: CoreRows): CoreQuery;
	frame(scene: number, frame: number, options: CoreFrameOptions): CoreQuery;
	/** By the index in the `frames` array. */
	frameAt(index: number, options: CoreFrameOptions): CoreQuery;
	/** A scene with all that belongs to it, intervals rebased. */
	scene(scene: number): CoreQuery;
	summary(): CoreQuery;
	/** `begin` is -1 for a whole object; copies `bytes`. */
	supply(key: string, begin: number, end: number, bytes: Uint8Array): void;
	supplyAbsent(key: string): void;
	/** JSON, see `Description`. */
	describe(): string;
	cache(): CoreCacheStats;
	absentChunks(): readonly string[];
	delete(): void;
}

/** A parsed semantic map. */
export interface CoreMap {
	build(): readonly CoreArray[];
	/** Rows of the lanes whose bounds grown by `radius` metres hold the point of world. */
	near(x: number, y: number, radius: number): Uint32Array;
	/** One value a lane, 0 none, 1 red, 2 yellow, 3 green, where `faces` are lit. */
	laneColours(faces: readonly string[]): Uint8Array;
	delete(): void;
}

export interface CoreModule {
	readonly Engine: new (byteBudget: number) => CoreEngine;
	parseMap(pb: Uint8Array, metaJson: Uint8Array): CoreMap;
	version(): string;
}
