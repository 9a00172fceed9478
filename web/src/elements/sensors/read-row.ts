import type { RaggedColumn } from "../../arrays/ragged.js";
import { BevError } from "../../base/errors.js";
import type { ViewerDataset } from "../session/dataset.js";
import type { SensorField } from "./sensor-tables.js";

/** One row of a field. Its values are views, valid until it is released. */
export interface FieldRow {
	/** Values of the row; undefined if it is null. */
	readonly values: ReturnType<RaggedColumn["at"]>;
	/** Values of an element. */
	readonly width: number;
	release(): void;
}

/**
 * Reads a row of a field, and nothing of other fields.
 *
 * @param sequential whether to read whole chunks, for the rows that follow; otherwise only
 * the bytes of the row, where its codec allows
 */
export async function readRow(
	dataset: Pick<ViewerDataset, "reader">,
	{ table, field }: Pick<SensorField, "table" | "field">,
	row: number,
	{ signal, sequential }: { signal: AbortSignal; sequential: boolean },
): Promise<FieldRow> {
	const made = dataset.reader?.({
		from: table.name,
		where: `row == ${row}`,
		fields: [field],
		order: sequential ? "none" : "full",
		batch: 1,
	});
	try {
		for await (const batch of made?.batches({ signal }) ?? []) {
			const column = batch.columns?.ragged(field);
			if (!column) break;
			return {
				values: column.at(0),
				width: column.width,
				release: () => batch.release(),
			};
		}
	} finally {
		made?.close();
	}
	throw new BevError("not_found", `${table.name}: row ${row} not found`);
}
