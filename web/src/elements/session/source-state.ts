import type { Waiting } from "../../source/source.js";
import type { TransferStats } from "./dataset.js";
import type { ServerWait, ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** Optional keys whose absence is visible, and the effect. */
const MISSED: readonly (readonly [RegExp, string])[] = [
	[/^traffic_light_faces\/(\.zarray|zarr\.json)$/, "no traffic lights are displayed"],
	[/^\.zattrs$/, "labels have L5Kit's default names"],
];

/**
 * Returns what lacks an optional key whose response was unreadable, and the effect;
 * undefined if its absence is not visible.
 */
export function absenceOf(
	key: string,
): { readonly what: string; readonly why: string } | undefined {
	const missed = MISSED.find(([pattern]) => pattern.test(key))?.[1];
	if (missed === undefined) return undefined;
	const what = key.replace(/\/(\.zarray|zarr\.json)$/, "");
	return { what, why: `unreadable response, treated as absent: ${missed}` };
}

/**
 * Copies a data set's statistics into the store, and counts down the server's delay.
 */
export class SourceState {
	readonly #store: Store<ViewerState>;
	readonly #told = new Set<string>();
	#waiting: Waiting | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(store: Store<ViewerState>) {
		this.#store = store;
	}

	read(stats: TransferStats): void {
		const { bytes, requests, absentChunks, presumedAbsent = [], waiting } = stats;
		this.#store.patch({ bytes, requests, absentChunks });
		const lost = presumedAbsent.filter((key) => !this.#told.has(key) && absenceOf(key));
		if (lost.length > 0) {
			for (const key of lost) this.#told.add(key);
			this.#store.patch({
				presumedAbsent: [...this.#store.state.presumedAbsent, ...lost],
			});
		}
		const { key, until } = this.#waiting ?? {};
		if (waiting?.key === key && waiting?.until === until) return;
		this.#waiting = waiting;
		this.#count();
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}

	/** Reports the remaining whole seconds until none are left. */
	#count(): void {
		clearTimeout(this.#timer);
		const left = this.#waiting ? this.#waiting.until - Date.now() : 0;
		const seconds = Math.ceil(left / 1000);
		const wait: ServerWait | undefined =
			this.#waiting && seconds > 0 ? { key: this.#waiting.key, seconds } : undefined;
		if (wait || this.#store.state.serverWait) this.#store.patch({ serverWait: wait });
		if (wait)
			this.#timer = setTimeout(() => this.#count(), left - (seconds - 1) * 1000);
	}
}

/** Reports that the network is back; a page's `window`. */
export type Network = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** The page's `window`; undefined outside of pages. */
export const PAGE_NETWORK: Network | undefined =
	typeof window === "undefined" ? undefined : window;

/**
 * Calls `act` whenever the browser goes online; returns a function that unsubscribes.
 */
export function whenOnline(network: Network | undefined, act: () => void): () => void {
	network?.addEventListener("online", act);
	return () => network?.removeEventListener("online", act);
}
