import type { LinkState } from "../link/link.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";

/** Long enough to move the element within the page or to another window. */
const GRACE_MS = 5_000;

/**
 * Closes the data set, its worker and its memory some time after the viewer was removed
 * from the page, and reopens it at the same state when the viewer returns. Data sets
 * owned by the page stay open.
 */
export class IdleClose {
	readonly #controller: ViewerController;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#parked: { readonly place: Place; readonly start: LinkState } | undefined;

	constructor(controller: ViewerController) {
		this.#controller = controller;
	}

	left(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#park(), GRACE_MS);
	}

	back(): void {
		clearTimeout(this.#timer);
		const parked = this.#parked;
		this.#parked = undefined;
		// Another data set may have been opened meanwhile.
		if (!parked || this.#controller.state.place) return;
		void this.#controller.open(parked.place, parked.start);
	}

	#park(): void {
		const { place, phase } = this.#controller.state;
		if (!place || place.kind === "given" || phase === "failed") return;
		this.#parked = { place, start: this.#controller.linkState() };
		this.#controller.close();
	}
}
