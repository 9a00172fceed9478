import { Latest } from "../../base/latest.js";
import { withFault, withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { LaneLights } from "./lane-lights.js";
import type { FoundMap } from "./open-map.js";

type Found = Pick<FoundMap, "view"> & Partial<FoundMap>;
type Find = (options: { readonly signal: AbortSignal }) => Promise<Found | undefined>;

/** The origin of a map other than the one beside the data. */
export interface Chosen {
	/** Address in links; undefined for local files. */
	readonly address: string | undefined;
}

/** Loads the semantic map: the one beside the data, or a chosen one. */
export class MapLoader {
	readonly #store: Store<ViewerState>;
	readonly #reading = new Latest();
	#lights: LaneLights | undefined;

	constructor(store: Store<ViewerState>) {
		this.#store = store;
	}

	/**
	 * Shows the map returned by `find`; the latest call wins. If it cannot be read, the
	 * previous map stays.
	 */
	async open(find: Find, chosen?: Chosen): Promise<void> {
		this.#store.patch({ mapState: "loading" });
		await this.#reading.run((signal) => find({ signal }), {
			done: (found) => this.#show(found, chosen),
			failed: (error) => this.#fail(error, chosen),
			discard: (found) => found?.view.release(),
		});
	}

	/** Whether the map on display, if any, is the one beside the data. */
	get isBeside(): boolean {
		const { mapPlace, mapAddress } = this.#store.state;
		return mapPlace === undefined && mapAddress === undefined;
	}

	/** Removes the map, and cancels reading. */
	clear(): void {
		this.#reading.cancel();
		this.#show(undefined, undefined);
		this.#store.patch({ mapState: "unknown" });
	}

	dispose(): void {
		this.#reading.cancel();
		this.#lights?.dispose();
	}

	#show(found: Found | undefined, chosen: Chosen | undefined): void {
		this.#lights?.dispose();
		const map = found?.view;
		this.#store.patch({
			map,
			mapState: map ? "present" : "absent",
			mapPlace: chosen && found?.place,
			mapAddress: chosen?.address,
			laneColours: undefined,
			laneColoursDue: false,
		});
		this.#lights = map && new LaneLights(this.#store, map);
	}

	#fail(error: unknown, chosen: Chosen | undefined): void {
		const { state } = this.#store;
		const which = chosen ? (chosen.address ?? "Chosen map") : "Map beside the data";
		const cause = whyOf(error);
		const why = `read failed: ${cause}`;
		const mapState = state.map ? "present" : "failed";
		const told = chosen
			? withOutcomes(state, `${which}: ${why}`)
			: withFault(state, { code: "map", what: which, why, cause });
		this.#store.patch({ mapState, ...told });
	}
}
