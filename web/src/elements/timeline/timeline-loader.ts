import { Latest } from "../../base/latest.js";
import type { TimelineOptions } from "../../dataset/timeline.js";
import type { Selection } from "../scene-view/picking.js";
import { withFault } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { TimelineRest } from "../session/rest.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

function trackOf(selection: Selection | undefined): bigint | undefined {
	return selection === "ego" ? undefined : selection;
}

/** A timeline, of the readable parts if `error` says why others are not. */
type Answer = Partial<TimelineRest> & { readonly error?: unknown };

/**
 * Updates `timeline` for the scene and the selection. It reads the whole scene, so it
 * waits until the first frame and the map are loaded or have failed.
 */
export class TimelineLoader {
	readonly #store: Store<ViewerState>;
	readonly #unsubscribe: () => void;
	readonly #asking = new Latest();
	/** Inputs of the last request, whether or not it succeeded. */
	#asked: readonly unknown[] = [];

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		this.#unsubscribe = store.subscribe(() => this.#update());
	}

	dispose(): void {
		this.#unsubscribe();
		this.#asking.cancel();
	}

	/** Retries a failed read. */
	retry(): void {
		if (!this.#store.state.timelineFailed) return;
		this.#asked = [];
		this.#update();
	}

	/** Aborts a pending read of the timeline, and starts it again. */
	restart(): void {
		if (this.#store.state.timeline) return;
		this.#asking.cancel();
		this.#asked = [];
		this.#update();
	}

	#update(): void {
		const { sceneInfo, shown, selection, frameProblem, mapState } = this.#store.state;
		// Reads of the previous scene would delay the new one.
		if (sceneInfo !== this.#asked[0]) this.#asking.cancel();
		const isKnown = shown?.scene === sceneInfo?.index || frameProblem !== undefined;
		if (!sceneInfo || !isKnown || mapState === "loading") return;
		const wanted = [sceneInfo, trackOf(selection)];
		if (wanted.every((value, i) => value === this.#asked[i])) return;
		this.#asked = wanted;
		if (this.#store.state.timelineFailed) this.#store.patch({ timelineFailed: false });
		void this.#ask(sceneInfo.index, trackOf(selection));
	}

	async #ask(scene: number, track: bigint | undefined): Promise<void> {
		const { dataset } = this.#store.state;
		if (!dataset) return;
		const ask = async (signal: AbortSignal) => {
			const read = (options: TimelineOptions) =>
				dataset.timeline(scene, { signal, prefetch: true, ...options });
			try {
				return { made: await read({ track }), unread: [] };
			} catch (error) {
				if (signal.aborted) throw error;
				const rest = await import("../session/rest.js")
					.then(({ readTimelineRest }) => readTimelineRest(read, track, signal))
					.catch(() => undefined); // offline, perhaps
				return { ...rest, error };
			}
		};
		await this.#asking.run(ask, {
			done: ({ made, unread = [], ...failure }: Answer) => {
				// After a failure, the old timeline belongs to a previous selection.
				const timelineFailed = "error" in failure;
				this.#store.patch({ timeline: made, timelineFailed, timelineUnread: unread });
				if (timelineFailed) this.#notify(failure);
			},
			failed: () => {},
		});
	}

	#notify({ lost = "Plots and light states", error }: Answer): void {
		const cause = whyOf(error);
		const fault = {
			code: "plots",
			what: lost,
			why: `read failed: ${cause}`,
			cause,
		} as const;
		this.#store.patch(withFault(this.#store.state, fault));
	}
}
