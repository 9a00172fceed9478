import type { PatchEdit } from "../../dataset/patch.js";
import { isInClosedDialog } from "../keys/key-focus.js";
import type { KeyPress } from "../keys/key-press.js";
import { belongsTo } from "../keys/keys.js";
import type { ViewerState } from "../session/state.js";
import {
	canName,
	moved,
	nudged,
	removed,
	retimed,
	type Subject,
	stopped,
	subjectOf,
} from "./edit-actions.js";
import type { Editor } from "./edits-state.js";

/** A pressed key. */
interface EditKey {
	readonly key: string;
	readonly shiftKey: boolean;
	readonly altKey: boolean;
	/** Whether the picture has the focus. */
	readonly inPicture: boolean;
}

/** Metres of an arrow key, and with Shift. */
const STEP = [0.1, 1] as const;

/** Radians of an arrow key with Alt. */
const TURN = Math.PI / 180;

/** Speeds of a key, relative to the present one. */
export const SLOWER = 0.8;
export const FASTER = 1.25;

/** Metres ahead and to the left, by arrow key. */
const ARROWS: Readonly<Record<string, readonly [ahead: number, left: number]>> = {
	ArrowUp: [1, 0],
	ArrowDown: [-1, 0],
	ArrowLeft: [0, 1],
	ArrowRight: [0, -1],
};

function arrowEdit(subject: Subject, press: EditKey): PatchEdit | undefined {
	const { key, shiftKey, altKey, inPicture } = press;
	const arrow = ARROWS[key];
	if (!arrow || !inPicture) return undefined;
	const [ahead, left] = arrow;
	const metres = STEP[shiftKey ? 1 : 0];
	if (!altKey) return nudged(subject, ahead * metres, left * metres);
	return left === 0 ? undefined : moved(subject, { x: 0, y: 0 }, left * TURN);
}

function editOf(subject: Subject, press: EditKey): PatchEdit | undefined {
	if (press.key in ARROWS) return arrowEdit(subject, press);
	if (press.altKey) return undefined;
	switch (press.key) {
		case "s":
			return stopped(subject);
		case "[":
			return retimed(subject, SLOWER);
		case "]":
			return retimed(subject, FASTER);
		case "Delete":
		case "Backspace":
			return removed(subject);
		default:
			return undefined;
	}
}

/** Acts on a key of the viewer while the editor is on; returns whether it did. */
export function editsBy(editor: Editor, state: ViewerState, event: KeyPress): boolean {
	if (event.defaultPrevented || event.isComposing) return false;
	if (event.ctrlKey || event.metaKey) return false;
	const path = event.composedPath();
	if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return false;
	if (isInClosedDialog(event) || belongsTo(path[0], event.key)) return false;
	const isPicture = (node: EventTarget): boolean =>
		node instanceof Element && node.localName === "bev-scene-view";
	const { key, shiftKey, altKey } = event;
	return editKey(editor, state, {
		key,
		shiftKey,
		altKey,
		inPicture: path.some(isPicture),
	});
}

function editKey(editor: Editor, state: ViewerState, press: EditKey): boolean {
	const { selection, measured, editing } = state;
	if (!editing?.on || measured) return false;
	if (press.key === "Escape" && selection === undefined) {
		editor.turn(false);
		return true;
	}
	const subject = subjectOf(state, selection);
	if (!subject || editing.recorded || !canName(subject.of)) return false;
	const edit = editOf(subject, press);
	if (edit) editor.add(edit);
	return edit !== undefined;
}
