import type { ObjectFrom } from "../../api.js";
import type { MapView } from "../../dataset/map-view.js";
import type { MapPlace } from "../open/places.js";
import type { Slice } from "../session/store.js";

/** A selected map element: a row of lanes or crosswalks, or a traffic light. */
export type MapObject =
	| { readonly kind: "lane" | "crosswalk"; readonly row: number }
	| { readonly kind: "light"; readonly id: string };

/** Rows of the map's elements to outline. */
export interface MapMarks {
	readonly lanes: readonly number[];
	readonly crosswalks: readonly number[];
}

export const NO_MARKS: MapMarks = { lanes: [], crosswalks: [] };

/** A selected map element and its outlines. */
export interface MapChoice {
	readonly object: MapObject;
	readonly marks: MapMarks;
	/** A light's faces, sorted, from which `marks` was computed. */
	readonly faces?: readonly string[];
}

export function isSameObject(a: MapObject, b: MapObject | undefined): boolean {
	if (a.kind === "light") return b?.kind === "light" && a.id === b.id;
	return b?.kind === a.kind && "row" in b && a.row === b.row;
}

/** `absent`: searched for and not found. */
export type MapState = "unknown" | "loading" | "present" | "absent" | "failed";

/** State of the semantic map. */
export interface MapSlice {
	/** The semantic map; undefined unless `mapState` is `present`. */
	readonly map: MapView | undefined;
	/** Whether there is a map. */
	readonly mapState: MapState;
	/** Files of a chosen map; undefined for the map beside the data. */
	readonly mapPlace: MapPlace<ObjectFrom> | undefined;
	/** Address of a chosen map in links. */
	readonly mapAddress: string | undefined;
	/** Per lane: 0 none, 1 red, 2 yellow, 3 green. */
	readonly laneColours: Uint8Array | undefined;
	/** Whether `laneColours` are being computed. */
	readonly laneColoursDue: boolean;
	/** The selected map element; excludes the selection of an agent. */
	readonly mapChoice: MapChoice | undefined;
	/** Outlines of the traffic light under the pointer or with the focus. */
	readonly mapHover: MapMarks | undefined;
	/** Traffic light that the ego vehicle approaches, or approached last. */
	readonly egoLight: string | undefined;
}

export const MAP_SLICE: Slice<MapSlice> = {
	empty: {
		map: undefined,
		mapState: "unknown",
		mapPlace: undefined,
		mapAddress: undefined,
		laneColours: undefined,
		laneColoursDue: false,
		mapChoice: undefined,
		mapHover: undefined,
		egoLight: undefined,
	},
	kept: () => ({}),
};
