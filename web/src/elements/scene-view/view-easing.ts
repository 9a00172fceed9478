import { blended, type View } from "./camera.js";

const DURATION_MS = 120;
/** Metres. Larger distances are not eased, since the movement would only blur. */
const TOO_FAR = 400;

/** Eases the picture from one view to the next in 120 ms, or switches immediately. */
export class ViewEasing {
	#from: View | undefined;
	#last: View | undefined;
	#start = 0;

	/** Starts easing from the last displayed view. */
	begin(now: number): void {
		this.#from = this.#last;
		this.#start = now;
	}

	/** Shows the next target immediately. */
	snap(): void {
		this.#from = undefined;
	}

	/** Returns the view to draw on the way to `target`, and whether it has arrived. */
	at(target: View, now: number): { view: View; arrived: boolean } {
		const from = this.#from;
		const t = Math.min(1, (now - this.#start) / DURATION_MS);
		const near = from && Math.hypot(from.x - target.x, from.y - target.y) < TOO_FAR;
		const view = from && near && t < 1 ? blended(from, target, t) : target;
		if (view === target) this.#from = undefined;
		this.#last = view;
		return { view, arrived: view === target };
	}
}
