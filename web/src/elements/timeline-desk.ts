import type { Selection } from "./pure/link.js";
import { isAbort, problemOf } from "./pure/problem.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

function trackOf(selection: Selection | undefined): bigint | undefined {
	return selection === "ego" ? undefined : selection;
}

/**
 * Keeps `timeline` in step with the scene and the selection. The whole scene is read for it,
 * so it waits for the picture.
 */
export class TimelineDesk {
	readonly #store: Store<ViewerState>;
	readonly #unsubscribe: () => void;
	#asking: AbortController | undefined;
	/** What was asked for last, whether it came or not. */
	#asked: readonly unknown[] = [];

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		this.#unsubscribe = store.subscribe(() => this.#look());
	}

	dispose(): void {
		this.#unsubscribe();
		this.#asking?.abort();
	}

	#look(): void {
		const { sceneInfo, shown, selection } = this.#store.state;
		// What is read of the scene before would be in the way of the one that is opened.
		if (sceneInfo !== this.#asked[0]) this.#asking?.abort();
		if (!sceneInfo || shown?.scene !== sceneInfo.index) return;
		const wanted = [sceneInfo, trackOf(selection)];
		if (wanted.every((value, i) => value === this.#asked[i])) return;
		this.#asked = wanted;
		this.#asking?.abort();
		this.#asking = new AbortController();
		void this.#ask(sceneInfo.index, trackOf(selection), this.#asking.signal);
	}

	async #ask(
		scene: number,
		track: bigint | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const { dataset } = this.#store.state;
		try {
			const options = { signal, track, prefetch: true };
			const timeline = await dataset?.timeline(scene, options);
			if (!signal.aborted) this.#store.patch({ timeline });
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			const { notices } = this.#store.state;
			const notice = `The scene as a whole cannot be read: ${problemOf(error).why}`;
			this.#store.patch({ notices: [...notices, notice] });
		}
	}
}
