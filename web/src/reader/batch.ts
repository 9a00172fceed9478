import "../base/dispose.js";
import { type Column, Columns } from "../arrays/columns.js";
import type { ResultArrays } from "../arrays/result.js";
import type { BatchInfo, Progress, ReaderPosition } from "../worker/protocol.js";

/**
 * Names of the columns of a reader's fields `K`: those, members of records, fields by
 * offset, and what marks missing rows and repeated items.
 */
export type ColumnName<K extends string> =
	| K
	| `${K}${"." | "@"}${string}`
	| "window.mask"
	| "padded";

/**
 * Items of a reader, one column per field. `K` are the reader's fields if all are literal
 * names; by default, any name is allowed.
 */
export class ReaderBatch<K extends string = string> implements Disposable {
	/** Number of items. */
	readonly items: number;
	/** The position after the batch. A reader that seeks it continues with the next. */
	readonly position: ReaderPosition;
	/** Blocks of the epoch that were searched for items, and all blocks. */
	readonly progress: Progress;
	/**
	 * The items' columns, of shape (items, ...), or (items, window length, ...) with a
	 * window. With `fields_at` their names are `yaw@-10`. `window.mask` has 1 for present
	 * rows of windows, `padded` for repeated items of shards.
	 */
	readonly columns: Columns;

	constructor(info: BatchInfo, arrays: ResultArrays) {
		this.items = info.items;
		this.position = info.position;
		this.progress = { done: info.blocksDone, of: info.blockCount };
		this.columns = new Columns(arrays);
	}

	/** Names of the columns. */
	get names(): readonly string[] {
		return this.columns.names;
	}

	/** Returns a column. Throws `not_found` for other names. */
	column(name: ColumnName<K>): Column {
		return this.columns.column(name);
	}

	/** Recycles the memory for later batches; the columns are empty afterwards. */
	release(): void {
		this.columns.release();
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}
