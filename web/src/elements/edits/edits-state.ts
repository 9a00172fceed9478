import type { PatchEdit } from "../../dataset/patch.js";
import type { KeyPress } from "../keys/key-press.js";
import type { Edits } from "./edit-list.js";
import type { Scope } from "./edit-scope.js";

/** What the editor shows. */
export interface EditingState {
	/** Whether gestures and keys edit. */
	readonly on: boolean;
	readonly list: Edits;
	/** Whether edits are being applied. */
	readonly busy: boolean;
	/** Whether the recording is displayed instead of the edited scenes. */
	readonly recorded: boolean;
	/** The frames that edits concern. */
	readonly scope: Scope;
	/** Why the last edits were not applied. */
	readonly problem: string | undefined;
	/** Whether applying them again may succeed. */
	readonly canRetry: boolean;
	/** Acts on a key while it is on; returns whether it did. */
	readonly onKey: (event: KeyPress) => boolean;
}

/** What gestures and keys act on. */
export interface Editor {
	/** Replaces all edits. */
	set(edits: Edits): void;
	/** Adds an edit. */
	add(edit: PatchEdit): void;
	/** Lets gestures and keys edit, or not. */
	turn(on: boolean): void;
}

/** The edits of the open data set. Their code is loaded on first use. */
export interface EditsSlice {
	/** Edits as in links, see `textOf`; empty for none. */
	readonly edits: string;
	/** The editor; undefined until its code is loaded. */
	readonly editing?: EditingState | undefined;
}
