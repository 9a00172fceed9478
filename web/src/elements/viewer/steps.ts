import type { ReactiveController } from "lit";
import type { PastSelection } from "../session/selections.js";
import { Selections } from "../session/selections.js";
import { type ChangedPart, Undo } from "../session/undo.js";
import type { ViewerHost } from "./viewer-host.js";

/** Words for what a step concerns. */
export const STEP_WORDS: Readonly<Record<ChangedPart, string>> = {
	scene: "scene",
	edits: "edits",
	selection: "selection",
	filters: "filters",
	distributions: "distributions",
	layers: "layers",
	paths: "trails and futures",
	section: "section and loop",
	rows: "rows of the timeline",
	plots: "plots",
	view: "view",
};

/** Returns the words for a selection: `track 17`, or with another scene its number. */
export function selectionWords(
	{ scene, selection }: PastSelection,
	here: number,
): string {
	const who = selection === "ego" ? "the ego" : `track ${selection}`;
	return scene === here ? who : `${who} in scene ${scene}`;
}

/** Undo and redo, and the selections before, of one viewer. */
export class Steps implements ReactiveController {
	readonly #host: ViewerHost;
	#undo: Undo | undefined;
	#selections: Selections | undefined;

	constructor(host: ViewerHost) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		const { controller } = this.#host;
		if (!controller || this.#undo) return;
		this.#undo = new Undo(controller, () => this.#host.requestUpdate());
		this.#selections = new Selections(controller);
		this.#host.addEventListener("pointerdown", this.#onPointer);
		for (const type of ["pointerup", "pointercancel"] as const)
			document.addEventListener(type, this.#onPointer, true);
	}

	hostDisconnected(): void {
		this.#undo?.dispose();
		this.#selections?.dispose();
		this.#undo = undefined;
		this.#selections = undefined;
		this.#host.removeEventListener("pointerdown", this.#onPointer);
		for (const type of ["pointerup", "pointercancel"] as const)
			document.removeEventListener(type, this.#onPointer, true);
	}

	/** What `undo` changes; undefined if there is nothing to undo. */
	get undoes(): ChangedPart | undefined {
		return this.#undo?.undoes;
	}

	/** What `redo` changes; undefined if there is nothing to redo. */
	get redoes(): ChangedPart | undefined {
		return this.#undo?.redoes;
	}

	/** The last selections, the newest first. */
	get recent(): readonly PastSelection[] {
		return this.#selections?.recent ?? [];
	}

	readonly undo = (): void => {
		const part = this.#undo?.undo();
		this.#announce(part ? `Undone: ${STEP_WORDS[part]}` : "Nothing to undo");
	};

	readonly redo = (): void => {
		const part = this.#undo?.redo();
		this.#announce(part ? `Redone: ${STEP_WORDS[part]}` : "Nothing to redo");
	};

	/** Selects what was selected before (-1) or after (1). */
	readonly reselect = (direction: -1 | 1): void => {
		const past = this.#selections?.move(direction);
		const words = past && selectionWords(past, this.#host.state.scene);
		const none = direction < 0 ? "No selection before" : "No selection after";
		this.#announce(words ? `Selected: ${words}` : none);
	};

	/** Selects a remembered selection. */
	readonly select = (past: PastSelection): void => this.#selections?.select(past);

	#announce(words: string): void {
		this.#host.controller?.announce(words);
	}

	readonly #onPointer = ({ type }: Event): void => {
		this.#undo?.press(type === "pointerdown");
	};
}
