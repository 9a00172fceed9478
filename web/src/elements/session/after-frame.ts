import { AerialLoader } from "../aerial/aerial-loader.js";
import { TrackLengthLoader } from "../agents/track-length-loader.js";
import { MapLoader } from "../map/map-loader.js";
import { TimelineLoader } from "../timeline/timeline-loader.js";
import type { Opened } from "./dataset.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** What a session reads after its first frame. */
export class AfterFrame {
	/** The aerial image. */
	readonly aerial: AerialLoader;
	/** The semantic map. */
	readonly map: MapLoader;
	/** Quantities and light states over the scene. */
	readonly timeline: TimelineLoader;
	readonly #trackLengths: TrackLengthLoader;

	constructor(store: Store<ViewerState>, { findAerial, selectScene }: Opened) {
		this.timeline = new TimelineLoader(store);
		this.#trackLengths = new TrackLengthLoader(store, selectScene);
		this.aerial = new AerialLoader(store, findAerial ?? (async () => undefined));
		this.map = new MapLoader(store);
	}

	/** Retries failed reads, except those of images and maps. */
	retry(): void {
		this.timeline.retry();
		this.#trackLengths.retry();
	}

	dispose(): void {
		this.map.dispose();
		this.aerial.dispose();
		this.timeline.dispose();
		this.#trackLengths.dispose();
	}
}
