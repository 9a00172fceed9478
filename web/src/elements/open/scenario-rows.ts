import type { FrameView } from "../../dataset/frame-view.js";
import type { RowColumns } from "../session/dataset.js";

/** Fields that contain numbers of rows in another array. */
const INTERVALS = ["frame_index_interval", "agent_index_interval"];

function movedBy(rows: BigInt64Array, first: number): BigInt64Array {
	return rows.map((row) => row + BigInt(first));
}

/** Returns the rows of a scenario with intervals of a set, where it starts at `first`. */
export function movedRows(rows: RowColumns, first: number): RowColumns {
	const columns = new Map<string, BigInt64Array>();
	return {
		length: rows.length,
		strings: (name) => rows.strings(name),
		column: (name) => {
			const column = rows.column(name);
			const { data } = column;
			if (!INTERVALS.includes(name) || !(data instanceof BigInt64Array)) return column;
			const moved = columns.get(name) ?? movedBy(data, first);
			columns.set(name, moved);
			return { data: moved };
		},
	};
}

/** Returns a scenario's frame as that of `scene` in a set. */
export function movedFrame(view: FrameView, scene: number, first: number): FrameView {
	const agents = { ...view.agents, row: movedBy(view.agents.row, first) };
	return { ...view, scene, index: view.index + first, agents };
}
