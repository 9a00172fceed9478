import type {
	AbortOptions,
	DatasetFiles,
	FrameOptions,
	RowsOptions,
} from "../../api.js";
import type { Columns } from "../../arrays/columns.js";
import type { ChunkedDataset } from "../../dataset/dataset.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import type { Patch } from "../../dataset/patch.js";
import type { SceneTimeline, TimelineOptions } from "../../dataset/timeline.js";
import type { ClausedPart, FactDescription } from "../../facts/fact-table.js";
import type { ClausedReadOptions, FactsOptions } from "../../facts/options.js";
import type { SceneImageOptions } from "../../facts/scene-images.js";
import type { ReaderExplanation } from "../../reader/explanation.js";
import type { ReaderOptions } from "../../reader/options.js";
import type { Folder } from "../../source/folder.js";
import type { Source, Waiting } from "../../source/source.js";
import type { AerialView } from "../aerial/aerial.js";
import type { SelectScene } from "../agents/agents-state.js";
import type { ReadMap } from "../map/open-map.js";
import type { RasterSource } from "../raster/rasters.js";

/** Rows of an array as the viewer reads them; implemented by `Columns`. */
export interface RowColumns {
	/** Number of rows. */
	readonly length: number;
	/** Names of the columns; without it, the plots offer no fields. */
	readonly names?: readonly string[] | undefined;
	/** Returns the values of a column, and the code of its type. */
	column(name: string): {
		/** Values of all rows, row by row. */
		readonly data: ArrayLike<number | bigint>;
		/** NumPy's code of the type; `utf8` for text. */
		readonly dtype?: string | undefined;
	};
	/** Returns the values of a text column. */
	strings(name: string): readonly string[];
}

export interface RowTable {
	/** Number of rows. */
	readonly length: number;
	/** Reads rows `begin` to `end`, exclusive. */
	rows(begin: number, end: number, options?: RowsOptions): Promise<RowColumns>;
}

export interface TransferStats {
	/** Bytes read so far. */
	readonly bytes: number;
	/** Number of requests so far. */
	readonly requests: number;
	/** Number of absent chunks met so far. */
	readonly absentChunks: number;
	/** Optional keys whose response could not be read and that were presumed absent. */
	readonly presumedAbsent?: readonly string[] | undefined;
	/** The longest pending delay requested by the server (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

/** Rows of a block that pass a filter. */
export interface FoundRows {
	readonly length: number;
	/** Blocks searched, and all blocks. */
	readonly progress: { readonly done: number; readonly of: number };
	column(name: string): { readonly data: ArrayLike<number | bigint> };
	/** The columns of variable length, if the table may have such. */
	readonly columns?: Pick<Columns, "ragged"> | undefined;
	release(): void;
}

/** The part of `DatasetReader` that the viewer uses. */
export interface TableReader {
	batches(options: AbortOptions): AsyncIterable<FoundRows>;
	explain(
		options: AbortOptions,
	): Promise<
		Pick<ReaderExplanation, "columns" | "labels"> &
			Partial<Pick<ReaderExplanation, "rows" | "statisticsProblem">>
	>;
	close(): void;
}

/** The part of `DatasetFacts` that the viewer uses. */
export interface FactReader {
	/** Without `passing`, all alternatives of a filter count as true. */
	parts(options: ClausedReadOptions): AsyncIterable<ClausedPart>;
	describe(options: AbortOptions): Promise<FactDescription>;
	/** Returns the stored picture of a scene's first frame as PNG, if there is one. */
	image?(scene: number, options: SceneImageOptions): Promise<Uint8Array | undefined>;
}

/** Reads the tags of each scene. */
export type SceneTags = (
	options: AbortOptions,
) => Promise<readonly (readonly string[])[]>;

/**
 * The part of `ChunkedDataset` that the viewer uses. Any object with these members can
 * be displayed, for example an in-memory data set.
 */
export interface ViewerDataset {
	/** Names of the label probabilities, in order. */
	readonly labels: readonly string[];
	/** Attributes of the group; of a converted data set, with the tracks to predict. */
	readonly attrs?: Readonly<Record<string, unknown>> | undefined;
	/**
	 * Names of the scenes, if their records are read only one by one: then the list of
	 * scenes contains only names.
	 */
	readonly names?: readonly string[] | undefined;
	/** Absent if attributes have the tags, or there are none. */
	readonly sceneTags?: SceneTags | undefined;
	/** Begin and end of each scene in nanoseconds, if `names` are known but not records. */
	readonly sceneTimes?: BigInt64Array | undefined;
	/** The array of scenes. */
	readonly scenes: RowTable;
	/** The array of frames. */
	readonly frames: RowTable;
	/** The array of agents. */
	readonly agents: RowTable;
	/** Statistics of reading. */
	readonly stats: TransferStats;
	/** Returns the keys of absent chunks. */
	absentChunks?(): Promise<readonly string[]>;
	/** Reads a frame of a scene. */
	frame(scene: number, frame: number, options?: FrameOptions): Promise<FrameView>;
	/** Reads the time series of a scene. */
	timeline(scene: number, options?: TimelineOptions): Promise<SceneTimeline>;
	/**
	 * Reads a scene's own map, which the caller releases; absent if all scenes have the same
	 * one.
	 */
	sceneMap?(scene: number, options: AbortOptions): Promise<MapView | undefined>;
	/** Returns a reader of the table's rows; absent if all scenes cannot be searched. */
	reader?(options: ReaderOptions): TableReader;
	/** Returns facts of scenes and tracks; absent if they cannot be computed. */
	facts?(options: FactsOptions): FactReader;
	/** Returns the data set with edited scenes; absent if scenes cannot be edited. */
	patched?(patch: Patch, options: AbortOptions): Promise<ChunkedDataset>;
	/** Calls `callback` when `stats` changes; returns a function that unsubscribes. */
	onStats(callback: (stats: TransferStats) => void): () => void;
	/**
	 * Allows failed chunks to be requested again; optional if failures are not cached.
	 */
	forgetFailures?(): void;
	/** Releases the data set; pending reads reject. */
	close(): void;
}

/** The result of opening: the data set and readers for the data beside it. */
export interface Opened {
	/** The data set. */
	readonly dataset: ViewerDataset;
	/**
	 * Reads the semantic map beside the data; undefined if there is none.
	 *
	 * @param scene the displayed scene
	 */
	findMap(options: AbortOptions, scene?: number): Promise<MapView | undefined>;
	/** Whether each scene has its own map. */
	readonly mapsByScene?: boolean | undefined;
	/** Reads another map; absent if this is not supported. */
	readMap?: ReadMap | undefined;
	/** Reads the aerial image beside the data; absent if there is no such location. */
	findAerial?: ((options: AbortOptions) => Promise<AerialView | undefined>) | undefined;
	/**
	 * Counts history and future frames of the agents in a scene; absent if not supported.
	 */
	readonly selectScene?: SelectScene | undefined;
	/** Returns the folder that contains the data set; absent if there is none. */
	readonly beside?: (() => Source) | undefined;
	/** Rasters of the data set's samples; absent if it cannot be sampled. */
	readonly rasters?: RasterSource | undefined;
	/** Returns the same of the data set with edits; absent if it cannot be edited. */
	readonly edited?: ((dataset: ChunkedDataset) => Opened) | undefined;
	/** Told to the user once it is open. */
	readonly notice?: string | undefined;
}

/** Progress of opening. */
export interface OpenProgress {
	/** Display text of the current step. */
	readonly what: string;
	/** Bytes received so far. */
	readonly bytes: number;
	/** Number of requests so far. */
	readonly requests: number;
	/** Total bytes of the current step, if known. */
	readonly total?: number | undefined;
	/** The longest pending delay requested by the server (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

export interface OpenerOptions extends AbortOptions {
	/** Called while the data set is opened. */
	onProgress?: ((progress: OpenProgress) => void) | undefined;
}

/** Something to open: an address, files with a display name, or an open data set. */
export type Place =
	| {
			/** Where the data set is. */
			readonly kind: "address";
			/**
			 * URL of the data set. Of a scenario of CommonRoad or INTERACTION, `#ego=ID` names the
			 * obstacle or track that is the ego vehicle.
			 */
			readonly address: string;
			/**
			 * Whether a person typed it: if there is no data set, the folders below are searched
			 * for one.
			 */
			readonly typed?: boolean | undefined;
			/** Map URL that replaces the one beside the data. */
			readonly map?: string | undefined;
	  }
	| {
			/** Where the data set is. */
			readonly kind: "files";
			/** Name to display. */
			readonly name: string;
			/** Dropped or chosen files. */
			readonly files: DatasetFiles | Folder;
			/** Path of the data set or zip in `files`; if absent, it is searched for. */
			readonly root?: string | undefined;
			/**
			 * Of scenarios of CommonRoad and INTERACTION: id of the obstacle or track that is the
			 * ego vehicle, which each must have.
			 */
			readonly ego?: string | undefined;
			/**
			 * File handles that allow reopening after a reload, if the browser supports them.
			 */
			readonly handles?: Promise<readonly (FileSystemHandle | null)[]> | undefined;
	  }
	| {
			/** Where the data set is. */
			readonly kind: "given";
			/** Name to display. */
			readonly name: string;
			/** Data in memory. */
			readonly opened: Opened;
	  };

/** Opens the data set at a place. */
export type Opener = (place: Place, options: OpenerOptions) => Promise<Opened>;
