import type { AbortOptions } from "../api.js";
import type { AerialView } from "./aerial.js";
import { problemOf } from "./pure/problem.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

type Find = (options: AbortOptions) => Promise<AerialView | undefined>;

/** Looks for the aerial image beside the data, once the layer is switched on: it is large. */
export class AerialDesk {
	readonly #store: Store<ViewerState>;
	readonly #find: Find;
	readonly #life = new AbortController();
	readonly #unsubscribe: () => void;

	constructor(store: Store<ViewerState>, find: Find) {
		this.#store = store;
		this.#find = find;
		this.#unsubscribe = store.subscribe((state, before) => {
			if (state.layers !== before.layers) this.#look();
		});
		this.#look();
	}

	/** Shows another image: the one that `found` gives. */
	async open(found: Promise<AerialView | undefined>): Promise<void> {
		const { signal } = this.#life;
		this.#store.patch({ aerialState: "loading" });
		try {
			const aerial = await found;
			if (signal.aborted) aerial?.release();
			else this.#show(aerial);
		} catch (error) {
			if (signal.aborted) return;
			const { notices } = this.#store.state;
			const notice = `The aerial image cannot be read: ${problemOf(error).why}`;
			this.#store.patch({ aerialState: "failed", notices: [...notices, notice] });
		}
	}

	dispose(): void {
		this.#life.abort();
		this.#unsubscribe();
		this.#store.state.aerial?.release();
	}

	#look(): void {
		const { layers, aerialState } = this.#store.state;
		if (!layers.has("aerial") || aerialState !== "unknown") return;
		void this.open(this.#find({ signal: this.#life.signal }));
	}

	#show(aerial: AerialView | undefined): void {
		const { aerial: before } = this.#store.state;
		this.#store.patch({ aerial, aerialState: aerial ? "present" : "absent" });
		before?.release();
	}
}
