import type { AbortOptions, DatasetFiles, FrameOptions, RowsOptions } from "../api.js";
import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import type { Folder } from "../source/folder.js";
import type { Waiting } from "../source/source.js";
import type { SceneTimeline, TimelineOptions } from "../timeline.js";
import type { AerialView } from "./aerial.js";
import type { ReadMap } from "./open-map.js";
import type { RasterSource } from "./rasters.js";
import type { SelectScene } from "./sights.js";

/** Rows of an array as the viewer reads them: `Columns` is one. */
export interface RowColumns {
	readonly length: number;
	column(name: string): { readonly data: ArrayLike<number | bigint> };
	strings(name: string): readonly string[];
}

export interface RowTable {
	readonly length: number;
	rows(begin: number, end: number, options?: RowsOptions): Promise<RowColumns>;
}

export interface TransferStats {
	readonly bytes: number;
	readonly requests: number;
	readonly absentChunks: number;
	/** Optional keys whose answer could not be read and was taken for absence. */
	readonly presumedAbsent?: readonly string[] | undefined;
	/** The longest wait under way that the server asked for (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

/**
 * The part of `ChunkedDataset` that the viewer needs. Anything that has these members can
 * be shown: a data set made up in memory, or one behind another transport.
 */
export interface ViewerDataset {
	readonly labels: readonly string[];
	readonly scenes: RowTable;
	readonly frames: RowTable;
	readonly agents: RowTable;
	readonly stats: TransferStats;
	/** Keys of chunks that are missing from the store. */
	absentChunks?(): Promise<readonly string[]>;
	frame(scene: number, frame: number, options?: FrameOptions): Promise<FrameView>;
	timeline(scene: number, options?: TimelineOptions): Promise<SceneTimeline>;
	/** Calls back when `stats` changed; returns what ends that. */
	onStats(callback: (stats: TransferStats) => void): () => void;
	/** Allows chunks that failed to be requested again; left out where none are remembered. */
	forgetFailures?(): void;
	close(): void;
}

/** What opening gives: the data, and how to look for the map that belongs to it. */
export interface Opened {
	readonly dataset: ViewerDataset;
	/** The semantic map beside the data; undefined where there is none. */
	findMap(options: AbortOptions): Promise<MapView | undefined>;
	/** Reads another map; left out where there is nobody who could. */
	readMap?: ReadMap | undefined;
	/** The aerial image beside the data, likewise; left out where there is no such place. */
	findAerial?: ((options: AbortOptions) => Promise<AerialView | undefined>) | undefined;
	/** Counts how long the agents of a scene are seen; left out where that is not known. */
	readonly selectScene?: SelectScene | undefined;
	/** What models see of the data; left out where it cannot be sampled. */
	readonly rasters?: RasterSource | undefined;
}

export interface OpenProgress {
	/** What is being read, in words. */
	readonly what: string;
	readonly bytes: number;
	readonly requests: number;
	/** Bytes of what is being read, where that is known. */
	readonly total?: number | undefined;
	/** The longest wait under way that the server asked for (`Retry-After`). */
	readonly waiting?: Waiting | undefined;
}

export interface OpenerOptions extends AbortOptions {
	onProgress?: ((progress: OpenProgress) => void) | undefined;
}

/** Something to open: an address, or files with the name to show for them. */
export type Place =
	| {
			readonly kind: "address";
			readonly address: string;
			/** Of the map to show in place of the one beside it. */
			readonly map?: string | undefined;
	  }
	| {
			readonly kind: "files";
			readonly name: string;
			readonly files: DatasetFiles | Folder;
			/** The path of the data set or zip in `files`; left out to look for it. */
			readonly root?: string | undefined;
			/** Of the same files, to ask for them again after a reload; where the browser has such. */
			readonly handles?: Promise<readonly (FileSystemHandle | null)[]> | undefined;
	  }
	| { readonly kind: "given"; readonly name: string; readonly opened: Opened };

export type Opener = (place: Place, options: OpenerOptions) => Promise<Opened>;
