import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import { isAbort } from "./pure/problem.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

const ACTIVE = 0;

/** The faces that are lit in `frame`, in an order that says nothing. */
export function activeFaces(frame: FrameView): string[] {
	const { face_id, state } = frame.lights;
	return face_id.filter((_, i) => state[i] === ACTIVE).sort();
}

/**
 * Keeps the lanes' colours in step with the frame on show. Which lanes a face colours is
 * the core's to say; lights change rarely, so each answer serves many frames.
 */
export class LaneLights {
	readonly #store: Store<ViewerState>;
	readonly #map: MapView;
	readonly #known = new Map<string, Uint8Array>();
	readonly #unsubscribe: () => void;
	readonly #life = new AbortController();
	#wanted: string | undefined;

	constructor(store: Store<ViewerState>, map: MapView) {
		this.#store = store;
		this.#map = map;
		this.#unsubscribe = store.subscribe((state, before) => {
			if (state.shown !== before.shown) this.#look();
		});
		this.#look();
	}

	dispose(): void {
		this.#life.abort();
		this.#unsubscribe();
		this.#map.release();
	}

	#look(): void {
		const { shown } = this.#store.state;
		if (!shown) {
			this.#wanted = undefined;
			this.#store.patch({ laneColours: undefined, laneColoursDue: false });
			return;
		}
		const lit = activeFaces(shown);
		const key = lit.join("\n");
		this.#wanted = key;
		const known = this.#known.get(key);
		if (known) this.#store.patch({ laneColours: known, laneColoursDue: false });
		else void this.#ask(lit, key);
	}

	async #ask(lit: readonly string[], key: string): Promise<void> {
		this.#store.patch({ laneColoursDue: true });
		const { signal } = this.#life;
		try {
			this.#known.set(key, await this.#map.laneColours(lit, { signal }));
		} catch (error) {
			if (signal.aborted || isAbort(error)) return;
			this.#known.set(key, new Uint8Array());
		}
		const colours = this.#known.get(key);
		if (signal.aborted || key !== this.#wanted || !colours) return;
		this.#store.patch({ laneColours: colours, laneColoursDue: false });
	}
}
