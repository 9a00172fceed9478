import { BevError } from "../base/errors.js";
import type { TypedArray } from "../core/types.js";
import type { Progress } from "../worker/protocol.js";

/** Tables of facts: one row per scene, or per track of a scene. */
export type FactTableName = "scenes" | "tracks";

/** A fact: a column of a table. docs/scenarios.md defines them. */
export interface Fact {
	/** Its name in filters. */
	readonly name: string;
	/** NumPy's code, e.g. `<f8`. */
	readonly dtype: string;
	/** `m/s`; empty without a unit. */
	readonly unit: string;
	/** Names of the values, of integers that stand for names. */
	readonly names?: readonly string[] | undefined;
	/** The column with the frame in which the fact happens. */
	readonly frame?: string | undefined;
	/** The column with the id of the track of which the fact tells. */
	readonly track?: string | undefined;
}

/** Definitions of all facts. */
export interface FactDescription {
	/** Version of the definitions. Facts of other versions are not comparable. */
	readonly version: number;
	/** Columns of the table of scenes. */
	readonly scenes: readonly Fact[];
	/** Columns of the table of tracks. */
	readonly tracks: readonly Fact[];
}

/** A scene whose facts are not known, because a chunk is damaged or absent. */
export interface UnreadScene {
	/** Number of the scene. */
	readonly scene: number;
	/** The error's message. */
	readonly error: string;
}

/** A column of facts, and its values. */
export interface FactColumn extends Fact {
	/** One value per row; unknown numbers are NaN. */
	readonly data: TypedArray;
}

/** Rows of a table of facts. */
export class FactTable {
	/** Number of rows. */
	readonly length: number;
	/** Names of the columns, in order. */
	readonly names: readonly string[];
	/** Scenes without rows, although they may have passed the filter. */
	readonly unread: readonly UnreadScene[];
	readonly #columns: ReadonlyMap<string, FactColumn>;

	/** @internal */
	constructor(columns: readonly FactColumn[], unread: readonly UnreadScene[]) {
		this.length = columns[0]?.data.length ?? 0;
		this.names = columns.map(({ name }) => name);
		this.unread = unread;
		this.#columns = new Map(columns.map((column) => [column.name, column]));
	}

	/** @deprecated The former name of `length`; removed in 0.4. */
	get rows(): number {
		return this.length;
	}

	/** Returns a column. Throws `not_found` if there is none of this name. */
	column(name: string): FactColumn {
		const found = this.#columns.get(name);
		if (found) return found;
		throw new BevError("not_found", `facts: column ${name}: not found`);
	}
}

/** Rows of consecutive scenes that pass the filter, and the progress so far. */
export interface FactPart {
	/** The rows. */
	readonly table: FactTable;
	/** Scenes that were examined, and all scenes. */
	readonly progress: Progress;
}

/** The rows that pass one condition of a filter. */
export interface ClausedTable {
	/** The condition's text. */
	readonly clause: string;
	/** The rows. */
	readonly table: FactTable;
}

/** A part and, for each of `ClausedReadOptions.clauses`, its rows of the same scenes. */
export interface ClausedPart extends FactPart {
	/** Undefined if no conditions were asked for, or no row passes the filter. */
	readonly passing?: readonly ClausedTable[] | undefined;
}

/** Rows of consecutive scenes. */
export interface PartRows {
	/** The scene after the last one. */
	readonly end: number;
	/** Returns those that pass; undefined if they cannot be read after all. */
	where(filter: string): Promise<FactTable | undefined>;
}

/** Returns facts of these values as a table. */
export function tableOf(
	facts: readonly Fact[],
	named: (name: string) => TypedArray,
	unread: readonly UnreadScene[],
): FactTable {
	const columns = facts.map(
		(fact): FactColumn => ({ ...fact, data: named(fact.name) }),
	);
	return new FactTable(columns, unread);
}
