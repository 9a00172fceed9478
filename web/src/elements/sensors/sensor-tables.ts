import { BevError } from "../../base/errors.js";
import type { ReaderColumn } from "../../reader/explanation.js";
import type { ViewerDataset } from "../session/dataset.js";

/** How rows of a table belong to frames; see docs/layouts.md. */
export type Join = "frame_index" | "timestamp" | "row";

/** A table with images or points. */
export interface SensorTable {
	readonly name: string;
	/** Number of rows. */
	readonly rows: number;
	readonly columns: readonly ReaderColumn[];
}

/** An image field, or one of points. */
export interface SensorField {
	readonly table: SensorTable;
	/** Name in the table. */
	readonly field: string;
	/** Display name. */
	readonly name: string;
	readonly kind: "image" | "points";
	/** Of points: whether they are in world, not relative to the ego vehicle. */
	readonly inWorld: boolean;
}

/** Settings of the attribute `bevscope_sensors`. */
export interface SensorSettings {
	/** Largest distance in seconds from a frame to the row that belongs to it. */
	readonly tolerance: number;
	/** Names of the point fields whose points are in world. */
	readonly world: ReadonlySet<unknown>;
}

const FIELDS = "bevscope_fields";
const SETTINGS = "bevscope_sensors";

const MAX_TABLES = 64;

/** Half of L5Kit's time between frames. */
const DEFAULT_TOLERANCE = 0.05;

type Attributes = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Attributes {
	return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Returns whether a data set describes tables. */
export function hasTables(attrs: Attributes | undefined): boolean {
	return attrs?.[FIELDS] !== undefined;
}

/** Returns the settings; those of a saved data set may be in its `additional`. */
export function settingsIn(attrs: Attributes): SensorSettings {
	const own = attrs[SETTINGS] ?? membersOf(attrs.additional)[SETTINGS];
	const { tolerance, world } = membersOf(own);
	const isValid = typeof tolerance === "number" && tolerance >= 0;
	return {
		tolerance: isValid ? tolerance : DEFAULT_TOLERANCE,
		world: new Set(Array.isArray(world) ? world : []),
	};
}

/** Returns how rows of `table` belong to `frames` frames; undefined if they do not. */
export function joinOf(table: SensorTable, frames: number): Join | undefined {
	const names = ["frame_index", "timestamp"] as const;
	const found = names.find((name) =>
		table.columns.some(
			(column) =>
				column.name === name &&
				column.stored &&
				column.shape.length === 0 &&
				/^[<|][iu]\d$/.test(column.dtype),
		),
	);
	return found ?? (table.rows === frames ? "row" : undefined);
}

function kindOf({ kind, dtype, shape }: ReaderColumn): SensorField["kind"] | undefined {
	if (kind === "image") return kind;
	const [count, width = 0] = shape;
	const isPoints = count === null && shape.length === 2 && width !== null && width >= 2;
	return kind === "array" && isPoints && /^<f[48]$/.test(dtype) ? "points" : undefined;
}

/** Returns the image and point fields of the tables, in their order. */
export function fieldsOf(
	tables: readonly SensorTable[],
	{ world }: SensorSettings,
): SensorField[] {
	const found = tables.flatMap((table) =>
		table.columns.flatMap((column) => {
			const kind = kindOf(column);
			return kind ? [{ table, field: column.name, kind }] : [];
		}),
	);
	const isOnly = new Set(found.map(({ table }) => table)).size < 2;
	return found.map(({ table, field, kind }) => ({
		...{ table, field, kind },
		name: isOnly ? field : `${table.name}/${field}`,
		inWorld: world.has(field),
	}));
}

/** Reads the columns of a data set's tables. */
export async function readTables(
	dataset: Pick<ViewerDataset, "attrs" | "reader">,
	signal: AbortSignal,
): Promise<SensorTable[]> {
	const names = Object.keys(membersOf(membersOf(dataset.attrs?.[FIELDS]).tables));
	if (names.length > MAX_TABLES) {
		const found = `found ${names.length}, expected at most ${MAX_TABLES}`;
		throw new BevError("limit_exceeded", `${FIELDS}: too many tables (${found})`);
	}
	const tables = names.map(async (name) => {
		const made = dataset.reader?.({ from: name, fields: [], order: "full" });
		if (!made) return [];
		try {
			const { columns, rows = 0 } = await made.explain({ signal });
			return [{ name, columns, rows }];
		} finally {
			made.close();
		}
	});
	return (await Promise.all(tables)).flat();
}
