import type { ViewerController } from "../session/controller.js";
import { moved, setRows } from "./rows.js";

/** The keys of a row's name, as `aria-keyshortcuts` lists them. */
export const ROW_KEYS = "Alt+ArrowUp Alt+ArrowDown Delete";

function announce(controller: ViewerController, key: string): void {
	const { rows } = controller.state;
	controller.announce(`Row ${rows.indexOf(key) + 1} of ${rows.length}`);
}

/** A row whose name has the focus. */
export interface FocusedRow {
	readonly key: string;
	readonly controller: ViewerController | undefined;
	remove(): void;
	/** Focuses the row's name, wherever it is now. */
	focus(): void;
}

/** Moves or removes a row by keys of its name. */
export function onRowKey(event: KeyboardEvent, row: FocusedRow): void {
	const { key, controller } = row;
	const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
	const moves = event.altKey && by !== undefined;
	if (!controller || !(moves || event.key === "Delete")) return;
	event.preventDefault();
	event.stopPropagation();
	if (!moves) {
		row.remove();
		return;
	}
	setRows(controller, moved(controller.state.rows, key, by));
	row.focus();
	announce(controller, key);
}

/** A row that is dragged. */
export interface RowDrag {
	readonly key: string;
	readonly controller: ViewerController | undefined;
	/** Returns the lanes of all rows, in order. */
	rows(): readonly HTMLElement[];
	/** Called with the row's key, and with undefined at the end. */
	dragged(key: string | undefined): void;
}

/** Returns the row under a height on the page: the last one that begins above it. */
function rowAt(lanes: readonly HTMLElement[], y: number): number {
	const tops = lanes.map((lane) => lane.getBoundingClientRect().top);
	return Math.max(0, tops.filter((top) => top <= y).length - 1);
}

/** Moves a row with the pointer, from a press on its name to the release. */
export function onRowDrag(event: PointerEvent, drag: RowDrag): void {
	const { currentTarget: name } = event;
	const { key, controller } = drag;
	if (!(name instanceof HTMLElement) || !controller || event.button !== 0) return;
	name.setPointerCapture(event.pointerId);
	const ended = new AbortController();
	const { signal } = ended;
	let isMoving = false;
	const move = ({ clientY }: PointerEvent): void => {
		if (!isMoving && Math.abs(clientY - event.clientY) < 5) return;
		isMoving = true;
		drag.dragged(key);
		const { rows } = controller.state;
		const by = rowAt(drag.rows(), clientY) - rows.indexOf(key);
		if (by !== 0) setRows(controller, moved(rows, key, by));
	};
	name.addEventListener("pointermove", move, { signal });
	for (const type of ["pointerup", "pointercancel"] as const)
		name.addEventListener(
			type,
			() => {
				ended.abort();
				drag.dragged(undefined);
			},
			{ signal },
		);
}
