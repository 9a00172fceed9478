import "../base/dispose.js";
import { type Column, Columns } from "../arrays/columns.js";
import type { ResultArrays } from "../arrays/result.js";
import type { AnyFields } from "../arrays/schema.js";
import type { TypedArray } from "../core/types.js";
import type { BatchInfo, Progress, ReaderPosition } from "../worker/protocol.js";

/** The class of the data of column `N`. */
export type DataOf<F, N extends keyof F> = F[N] extends TypedArray ? F[N] : TypedArray;

/** Items of a reader, one column per field. `F` has the type of each column. */
export class ReaderBatch<F extends object = AnyFields> implements Disposable {
	/** Number of items. */
	readonly length: number;
	/** The position after the batch. A reader that seeks it continues with the next. */
	readonly position: ReaderPosition;
	/** Blocks of the epoch that were searched for items, and all blocks. */
	readonly progress: Progress;
	/**
	 * The items' columns, of shape (items, ...), or (items, window length, ...) with a
	 * window. With `fieldsAt` their names are `yaw@-10`. `window.mask` has 1 for present
	 * rows of windows, `padded` for repeated items of shards.
	 */
	readonly columns: Columns;

	/** @internal */
	constructor(info: BatchInfo, arrays: ResultArrays) {
		this.length = info.items;
		this.position = info.position;
		this.progress = { done: info.blocksDone, of: info.blockCount };
		this.columns = new Columns(arrays);
	}

	/** @deprecated The former name of `length`; removed in 0.4. */
	get items(): number {
		return this.length;
	}

	/** Names of the columns. */
	get names(): readonly string[] {
		return this.columns.names;
	}

	/** Returns a column. Throws `not_found` for other names. */
	column<N extends keyof F & string>(name: N | `${N}@${string}`): Column<DataOf<F, N>>;
	/** Returns which rows of windows are present, or which items of shards are repeated. */
	column(name: "window.mask" | "padded"): Column<Uint8Array>;
	/** Returns a member of a record. */
	column(name: `${keyof F & string}.${string}`): Column;
	column(name: string): Column {
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
