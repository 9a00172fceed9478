import { Latest } from "../latest.js";
import type { SceneTimeline } from "../timeline.js";
import { isAbort, problemOf } from "./pure/problem.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** The frames of a scene in which a track is seen. */
export interface Presence {
	readonly first: number;
	readonly last: number;
	/** Fewer than from first to last where it is lost meanwhile. */
	readonly count: number;
}

/** When the timeline's track is seen; undefined if it never is, or none was asked for. */
export function presenceOf({ track }: SceneTimeline): Presence | undefined {
	if (!track) return undefined;
	const seen = Array.from(track.yaw.keys()).filter(
		(frame) => !Number.isNaN(track.yaw[frame]),
	);
	const [first, last] = [seen[0], seen.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	return { first, last, count: seen.length };
}

/** The answer to a search. */
export interface SearchResult {
	readonly scene: number;
	readonly track: bigint;
	/** Undefined: the scene does not have the track. */
	readonly presence: Presence | undefined;
}

/** `reading`: the scene is being read; a string: why it could not be. */
export type SearchState = SearchResult | "reading" | string | undefined;

/** The track id that a query names; undefined for other words. */
export function trackOf(query: string): bigint | undefined {
	const words = query.trim();
	if (!/^\d{1,20}$/.test(words)) return undefined;
	const track = BigInt(words);
	return track < 2n ** 64n ? track : undefined;
}

/** Looks for a track in all frames of the scene that is open. */
export class TrackSearch {
	readonly #latest = new Latest();
	readonly #changed: (state: SearchState) => void;

	constructor(changed: (state: SearchState) => void) {
		this.#changed = changed;
	}

	/** Searches; the answer of a search before no longer counts. */
	async search(store: Store<ViewerState>, track: bigint): Promise<void> {
		const { dataset, scene } = store.state;
		if (!dataset) return;
		this.#changed("reading");
		await this.#latest.run((signal) => dataset.timeline(scene, { track, signal }), {
			done: (timeline) =>
				this.#changed({ scene, track, presence: presenceOf(timeline) }),
			failed: (error) =>
				this.#changed(isAbort(error) ? undefined : problemOf(error).why),
		});
	}

	/** Forgets search and answer. */
	clear(): void {
		this.#latest.cancel();
		this.#changed(undefined);
	}
}
