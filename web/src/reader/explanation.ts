import type { AbortOptions } from "../api.js";
import type { FormerNames } from "../base/names.js";
import type { Progress, ReaderPosition } from "../worker/protocol.js";
import type { ReaderDiagnostics } from "./work.js";

/** A column of a reader's table, for filters and fields. */
export interface ReaderColumn {
	/** Name in filters and fields. */
	readonly name: string;
	/** NumPy's code, e.g. `<f8`. */
	readonly dtype: string;
	/** Shape of a value; empty for scalars; null for a length that varies. */
	readonly shape: readonly (number | null)[];
	/** Of variable length: `array`, `bytes`, `text`, `image` or `npy`. */
	readonly kind?: string;
	/** Whether values may be null: `NAME.valid` says which are not. */
	readonly nullable?: boolean;
	/** Type of images and bytes, if known. */
	readonly content_type?: string;
	/** What the column has one value for. */
	readonly level: "scene" | "frame" | "row";
	/** False for derived columns such as `speed`. */
	readonly stored: boolean;
	/** Names of the values, for columns of categories. */
	readonly names?: readonly string[];
}

/** What a reader reads, and how. */
export interface ReaderExplanation
	extends FormerNames<
		Record<"chunkRows", number> & Record<"statisticsProblem", string>
	> {
	/** The plan, with all members. */
	readonly plan: Readonly<Record<string, unknown>>;
	/** All columns of the table. */
	readonly columns: readonly ReaderColumn[];
	/** Names of the labels. */
	readonly labels: readonly string[];
	/** The filter's conditions on scenes, frames and rows; empty where there is none. */
	readonly conditions: readonly [scene: string, frame: string, row: string];
	/** Rows of the table. */
	readonly rows: number;
	/** Rows per chunk. */
	readonly chunkRows: number;
	/** Scenes, or chunks for tables without scenes. */
	readonly blocks: number;
	/** The arrays of a batch; shapes are those of an item. */
	readonly fields: readonly Omit<ReaderColumn, "level" | "stored" | "names">[];
	/** Whether the filter uses statistics of the chunks. */
	readonly statistics: boolean;
	/** Why statistics are not used; empty if they are, or if there are none. */
	readonly statisticsProblem: string;
	/** What was read and excluded so far. */
	readonly counts: Readonly<Record<string, number>>;
}

/** Options of counting. */
export interface CountOptions extends AbortOptions {
	/** Receives the number of blocks done, and of all blocks. */
	readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `DatasetReader.count`. */
export interface ReaderCountOptions extends CountOptions {
	/** Whether to count the items of all shards (default), or of this reader's shard. */
	readonly of?: "all" | "shard" | undefined;
}

/** The position of a reader, and what it did. */
export interface Cursor {
	/** Where the next batch begins. */
	start: ReaderPosition | string;
	/** Number of changes of `start` by the caller. */
	moves: number;
	diagnostics: ReaderDiagnostics | undefined;
}
