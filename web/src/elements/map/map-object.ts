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
