import { Latest } from "../../base/latest.js";
import type { SceneTimeline } from "../../dataset/timeline.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

/** The frames of a scene in which a track is visible. */
export interface Presence {
	readonly first: number;
	readonly last: number;
	/** Number of frames; less than `last - first + 1` if the track has gaps. */
	readonly count: number;
}

/**
 * Returns the presence of the timeline's track; undefined if it is never visible, or if
 * there is no track.
 */
export function presenceOf({ track }: SceneTimeline): Presence | undefined {
	if (!track) return undefined;
	const seen = Array.from(track.yaw.keys()).filter(
		(frame) => !Number.isNaN(track.yaw[frame]),
	);
	const [first, last] = [seen[0], seen.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	return { first, last, count: seen.length };
}

/** The result of a search. */
export interface SearchResult {
	readonly scene: number;
	readonly track: bigint;
	/** Undefined if the scene does not contain the track. */
	readonly presence: Presence | undefined;
}

/** `reading`: the scene is being read; a string: the error. */
export type SearchState = SearchResult | "reading" | string | undefined;

/** Parses a track id; undefined for other queries. */
export function trackOf(query: string): bigint | undefined {
	const words = query.trim();
	if (!/^\d{1,20}$/.test(words)) return undefined;
	const track = BigInt(words);
	return track < 2n ** 64n ? track : undefined;
}

/** Searches for a track in all frames of the open scene. */
export class TrackSearch {
	readonly #latest = new Latest();
	readonly #changed: (state: SearchState) => void;

	constructor(changed: (state: SearchState) => void) {
		this.#changed = changed;
	}

	/** Starts a search; supersedes the previous one. */
	async search(store: Store<ViewerState>, track: bigint): Promise<void> {
		const { dataset, scene } = store.state;
		if (!dataset) return;
		this.#changed("reading");
		await this.#latest.run((signal) => dataset.timeline(scene, { track, signal }), {
			done: (timeline) =>
				this.#changed({ scene, track, presence: presenceOf(timeline) }),
			failed: (error) => this.#changed(isAbort(error) ? undefined : whyOf(error)),
		});
	}

	/** Clears search and result. */
	clear(): void {
		this.#latest.cancel();
		this.#changed(undefined);
	}
}
