import type { AbortOptions } from "../../api.js";
import { Latest } from "../../base/latest.js";
import { withFault, withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import type { AerialView } from "./aerial.js";

type Find = (options: AbortOptions) => Promise<AerialView | undefined>;

/**
 * Loads the aerial image beside the data when its layer is first switched on; the file
 * is large.
 */
export class AerialLoader {
	readonly #store: Store<ViewerState>;
	readonly #find: Find;
	readonly #reading = new Latest();
	readonly #unsubscribe: () => void;

	constructor(store: Store<ViewerState>, find: Find) {
		this.#store = store;
		this.#find = find;
		this.#unsubscribe = store.subscribe((state, before) => {
			if (state.layers !== before.layers) this.#update();
		});
		this.#update();
	}

	/**
	 * Replaces the aerial image with the result of `found`, unless a later call
	 * supersedes it.
	 */
	async open(found: Promise<AerialView | undefined>): Promise<void> {
		await this.#read(() => found, true);
	}

	dispose(): void {
		this.#reading.cancel();
		this.#unsubscribe();
		this.#store.state.aerial?.release();
	}

	#update(): void {
		const { layers, aerialState } = this.#store.state;
		if (!layers.has("aerial") || aerialState !== "unknown") return;
		void this.#read((signal) => this.#find({ signal }));
	}

	async #read(
		read: (signal: AbortSignal) => Promise<AerialView | undefined>,
		isChosen = false,
	): Promise<void> {
		this.#store.patch({ aerialState: "loading" });
		await this.#reading.run(read, {
			done: (aerial) => this.#show(aerial),
			failed: (error) => {
				const { state } = this.#store;
				const what = "Aerial image";
				const cause = whyOf(error);
				const why = `read failed: ${cause}`;
				const aerialState = state.aerial ? "present" : "failed";
				const told = isChosen
					? withOutcomes(state, `${what}: ${why}`)
					: withFault(state, { code: "aerial", what, why, cause });
				this.#store.patch({ aerialState, ...told });
			},
			discard: (aerial) => aerial?.release(),
		});
	}

	#show(aerial: AerialView | undefined): void {
		const { aerial: before } = this.#store.state;
		this.#store.patch({ aerial, aerialState: aerial ? "present" : "absent" });
		before?.release();
	}
}
