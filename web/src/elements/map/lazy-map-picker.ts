import { Lazy } from "../session/lazy-object.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import type { MapPicker } from "./map-picker.js";
import type { MapObject } from "./map-state.js";

type Act = (picker: MapPicker) => void;

/** The selected map element of a viewer. Its code is loaded on first use. */
export class LazyMapPicker {
	readonly #store: Store<ViewerState>;
	readonly #late: Lazy<MapPicker>;
	/** The newest calls, which alone are executed when the code is loaded. */
	readonly #newest = new Map<"select" | "hover", Act>();

	constructor(store: Store<ViewerState>, notify: (notice: string) => void) {
		this.#store = store;
		this.#late = new Lazy(
			async () => new (await import("./map-picker.js")).MapPicker(store),
			(error) => notify(`Map: loading failed: ${String(error)}`),
		);
	}

	/** See `MapPicker.at`. */
	at(...point: Parameters<MapPicker["at"]>): void {
		this.#use("select", (it) => it.at(...point));
	}

	/** See `MapPicker.select`. */
	select(object: MapObject): void {
		this.#use("select", (it) => it.select(object));
	}

	/** See `MapPicker.hover`. */
	hover(id: string | undefined): void {
		if (id !== undefined || this.#late.value) this.#use("hover", (it) => it.hover(id));
		else this.#newest.delete("hover");
	}

	/** See `MapPicker.clear`. */
	clear(): void {
		this.#newest.delete("select");
		this.#late.value?.clear();
	}

	#use(kind: "select" | "hover", act: Act): void {
		const { map, scene } = this.#store.state;
		this.#newest.set(kind, act);
		void this.#late.use((picker) => {
			const now = this.#store.state;
			const isNewest = this.#newest.get(kind) === act;
			if (isNewest && now.map === map && now.scene === scene) act(picker);
		});
	}
}
