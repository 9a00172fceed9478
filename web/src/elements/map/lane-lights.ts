import { Latest } from "../../base/latest.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import { frameWith, type ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

const ACTIVE = 0;
/** Maximum number of cached sets of active faces; a scene has a few dozen. */
const REMEMBERED = 200;

/** Returns the active faces in `frame`, sorted. */
export function activeFaces(frame: FrameView): string[] {
	const { face_id, state } = frame.lights;
	return face_id.filter((_, i) => state[i] === ACTIVE).sort();
}

/**
 * Updates the lanes' colours for the displayed frame. The core computes them; results
 * are cached by active faces, since lights change rarely.
 */
export class LaneLights {
	readonly #store: Store<ViewerState>;
	readonly #map: MapView;
	readonly #known = new Map<string, Uint8Array>();
	readonly #unsubscribe: () => void;
	readonly #asking = new Latest();

	constructor(store: Store<ViewerState>, map: MapView) {
		this.#store = store;
		this.#map = map;
		this.#unsubscribe = store.subscribe((state, before) => {
			if (frameWith(state, "lights") !== frameWith(before, "lights")) this.#update();
		});
		this.#update();
	}

	dispose(): void {
		this.#asking.cancel();
		this.#unsubscribe();
		this.#map.release();
	}

	#update(): void {
		const shown = frameWith(this.#store.state, "lights");
		if (!shown) {
			this.#asking.cancel();
			this.#store.patch({ laneColours: undefined, laneColoursDue: false });
			return;
		}
		const lit = activeFaces(shown);
		const key = lit.join("\n");
		const known = this.#known.get(key);
		if (known) {
			this.#asking.cancel();
			this.#store.patch({ laneColours: known, laneColoursDue: false });
		} else void this.#ask(lit, key);
	}

	async #ask(lit: readonly string[], key: string): Promise<void> {
		this.#store.patch({ laneColoursDue: true });
		await this.#asking.run((signal) => this.#map.laneColours(lit, { signal }), {
			done: (colours) => this.#answer(key, colours),
			// Without a result, lanes are drawn without colours.
			failed: () => this.#answer(key, new Uint8Array()),
		});
	}

	#answer(key: string, colours: Uint8Array): void {
		const [oldest] = this.#known.keys();
		if (this.#known.size >= REMEMBERED && oldest !== undefined)
			this.#known.delete(oldest);
		this.#known.set(key, colours);
		this.#store.patch({ laneColours: colours, laneColoursDue: false });
	}
}
