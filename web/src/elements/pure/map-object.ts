/** A part of the map that is selected: a row of its lanes or crosswalks, or a traffic light. */
export type MapObject =
	| { readonly kind: "lane" | "crosswalk"; readonly row: number }
	| { readonly kind: "light"; readonly id: string };

/** What of the map is marked in the picture: rows. */
export interface MapMarks {
	readonly lanes: readonly number[];
	readonly crosswalks: readonly number[];
}

export const NO_MARKS: MapMarks = { lanes: [], crosswalks: [] };

/** A selected part of the map, and what is marked for it. */
export interface MapChoice {
	readonly object: MapObject;
	readonly marks: MapMarks;
	/** Faces of a light, sorted, that `marks` was made from. */
	readonly faces?: readonly string[];
}

export function isSameObject(a: MapObject, b: MapObject | undefined): boolean {
	if (a.kind === "light") return b?.kind === "light" && a.id === b.id;
	return b?.kind === a.kind && "row" in b && a.row === b.row;
}
