import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "./controller.js";
import type { ViewerState } from "./state.js";

/** Maximum number of remembered selections. */
const MAX_SELECTIONS = 50;

/** A selection, and the frame in which it was made. */
export interface PastSelection {
	readonly scene: number;
	readonly frame: number;
	readonly selection: Selection;
}

type Host = Pick<ViewerController, "store" | "goTo">;

/** The selections of a data set, in the order in which they were made. */
export class Selections {
	readonly #host: Host;
	readonly #unsubscribe: () => void;
	#all: readonly PastSelection[] = [];
	/** Position of the last one that was selected. */
	#at = -1;
	/** Whether a remembered selection is being selected. */
	#moving = false;

	constructor(host: Host) {
		this.#host = host;
		this.#note(host.store.state);
		this.#unsubscribe = host.store.subscribe((state, before) => {
			if (state.dataset?.scenes !== before.dataset?.scenes) {
				this.#all = [];
				this.#at = -1;
			}
			if (state.selection !== before.selection && !this.#moving) this.#note(state);
		});
	}

	dispose(): void {
		this.#unsubscribe();
	}

	/** The last different selections, the newest first. */
	get recent(): readonly PastSelection[] {
		const newest = [...this.#all].reverse();
		const isSame = (a: PastSelection, b: PastSelection): boolean =>
			a.scene === b.scene && a.selection === b.selection;
		return newest.filter((one, i) => newest.findIndex((it) => isSame(it, one)) === i);
	}

	/** Selects the one before (-1) or after (1); returns it, undefined if there is none. */
	move(direction: -1 | 1): PastSelection | undefined {
		const { selection } = this.#host.store.state;
		// After the selection was cleared, the one before is the cleared one.
		const isCleared = direction === -1 && selection === undefined;
		const to = isCleared ? this.#at : this.#at + direction;
		const past = this.#all[to];
		if (!past) return undefined;
		this.#at = to;
		this.select(past);
		return past;
	}

	/** Selects a remembered one; in another scene, in the frame in which it was made. */
	select({ scene, frame, selection }: PastSelection): void {
		const isHere = scene === this.#host.store.state.scene;
		this.#moving = true;
		try {
			this.#host.goTo({ selection, ...(isHere ? {} : { scene, frame }) });
		} finally {
			this.#moving = false;
		}
	}

	#note(state: ViewerState): void {
		const { scene, frame, selection, dataset } = state;
		if (selection === undefined || !dataset) return;
		const before = this.#all.slice(0, this.#at + 1);
		this.#all = [...before, { scene, frame, selection }].slice(-MAX_SELECTIONS);
		this.#at = this.#all.length - 1;
	}
}
