import { Latest } from "../../base/latest.js";
import type { SelectionRules } from "../../samples/options.js";
import { withFault } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import type { SelectScene } from "./agents-state.js";

/** Updates `trackLengths` for the scene and the thresholds while a minimum is set. */
export class TrackLengthLoader {
	readonly #store: Store<ViewerState>;
	readonly #select: SelectScene | undefined;
	readonly #unsubscribe: () => void;
	readonly #asking = new Latest();
	/** Inputs of the last request, whether or not it succeeded. */
	#asked: readonly unknown[] = [];

	constructor(store: Store<ViewerState>, select: SelectScene | undefined) {
		this.#store = store;
		this.#select = select;
		this.#unsubscribe = store.subscribe(() => this.#update());
		this.#update();
	}

	dispose(): void {
		this.#unsubscribe();
		this.#asking.cancel();
	}

	/** Retries a failed read. */
	retry(): void {
		if (this.#store.state.trackLengths || this.#asking.isBusy) return;
		this.#asked = [];
		this.#update();
	}

	#update(): void {
		const { sceneInfo, threshold, distance, minHistory, minFuture } = this.#store.state;
		const wanted =
			sceneInfo && (minHistory > 0 || minFuture > 0)
				? [sceneInfo, threshold, distance]
				: [];
		const same =
			wanted.length === this.#asked.length &&
			wanted.every((value, i) => value === this.#asked[i]);
		if (same) return;
		this.#asked = wanted;
		this.#asking.cancel();
		if (wanted.length === 0 || !sceneInfo || !this.#select) {
			this.#store.patch({ trackLengths: undefined, trackLengthsDue: false });
			return;
		}
		this.#store.patch({ trackLengths: undefined, trackLengthsDue: true });
		const rules = { labelThreshold: threshold, maxDistanceToEgo: distance };
		void this.#ask(this.#select, sceneInfo.index, rules);
	}

	#ask(select: SelectScene, scene: number, rules: SelectionRules): Promise<void> {
		return this.#asking.run((signal) => select(scene, rules, { signal }), {
			done: (trackLengths) =>
				this.#store.patch({ trackLengths, trackLengthsDue: false }),
			failed: (error) => {
				const cause = whyOf(error);
				const why = `read failed, minimum history and future are not applied: ${cause}`;
				const fault = { code: "tracks", what: "Track lengths", why, cause } as const;
				const told = withFault(this.#store.state, fault);
				this.#store.patch({ trackLengthsDue: false, ...told });
			},
		});
	}
}
