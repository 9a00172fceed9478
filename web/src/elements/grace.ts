import type { ViewerController } from "./controller.js";
import type { Place } from "./dataset.js";
import type { LinkState } from "./pure/link.js";

/** Long enough to be moved to another place of a page, or into another page's window. */
const GRACE_MS = 5_000;

/**
 * Lets go of a data set, its worker and its memory some time after who shows it left the
 * page; opens it again, where it was, when that comes back. What a page holds itself stays.
 */
export class Grace {
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
		// Something else may have been opened meanwhile.
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
