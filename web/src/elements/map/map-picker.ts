import { Latest } from "../../base/latest.js";
import { unfollowed } from "../scene-view/anchor.js";
import type { Point } from "../scene-view/camera.js";
import { withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { facesOf } from "./faces.js";
import { choose, objectAt } from "./map-objects.js";
import type { MapChoice, MapObject } from "./map-state.js";

type Find = (signal: AbortSignal) => Promise<MapChoice | undefined>;

/** Selects map elements. Excludes selecting an agent; the latest call wins. */
export class MapPicker {
	readonly #store: Store<ViewerState>;
	readonly #finding = new Latest();
	readonly #hovering = new Latest();

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		store.subscribe((state, before) => {
			const isChosen =
				state.selection !== undefined && state.selection !== before.selection;
			const isOther =
				state.map !== before.map ||
				state.scene !== before.scene ||
				state.dataset !== before.dataset;
			if (isOther) this.hover(undefined);
			if (isChosen || isOther) this.clear();
			else if (state.shown !== before.shown) this.#follow(state);
		});
	}

	/**
	 * Selects the crosswalk or lane at a world point, or clears the selection if there is
	 * none.
	 */
	at(point: Point): void {
		const { map, selection } = this.#store.state;
		if (selection !== undefined)
			this.#store.patch({ selection: undefined, ...unfollowed(this.#store.state) });
		if (map) this.#find((signal) => objectAt(this.#now, point, signal));
		else this.clear();
	}

	select(object: MapObject): void {
		this.#find((signal) => choose(this.#now, object, signal));
	}

	/** Outlines the lanes of the traffic light under the pointer; undefined for none. */
	hover(id: string | undefined): void {
		if (id === undefined) {
			this.#hovering.cancel();
			if (this.#now.mapHover) this.#store.patch({ mapHover: undefined });
			return;
		}
		const find: Find = (signal) => choose(this.#now, { kind: "light", id }, signal);
		void this.#hovering.run(find, {
			done: (light) => this.#store.patch({ mapHover: light?.marks }),
			// The outlines only help to find the lanes; selecting the light reports errors.
			failed: () => this.#store.patch({ mapHover: undefined }),
		});
	}

	clear(): void {
		this.#finding.cancel();
		if (this.#now.mapChoice) this.#store.patch({ mapChoice: undefined });
	}

	get #now(): ViewerState {
		return this.#store.state;
	}

	/** Updates a light's lanes to the faces in the displayed frame. */
	#follow({ shown, mapChoice }: ViewerState): void {
		if (!shown || mapChoice?.object.kind !== "light") return;
		const faces = facesOf(shown, mapChoice.object.id);
		if (faces.length > 0 && faces.join() !== mapChoice.faces?.join())
			this.select(mapChoice.object);
	}

	#find(find: Find): void {
		void this.#finding.run(find, {
			done: (mapChoice) => {
				const agent = mapChoice
					? { selection: undefined, ...unfollowed(this.#now) }
					: {};
				this.#store.patch({ ...agent, mapChoice });
			},
			failed: (error) => {
				const notice = `Map: selection failed (${whyOf(error)})`;
				this.#store.patch({ mapChoice: undefined, ...withOutcomes(this.#now, notice) });
			},
		});
	}
}
