import type { MapView } from "../../../dataset/map-view.js";
import type { Point, View } from "../../scene-view/camera.js";
import type { Pickable, Selection } from "../../scene-view/picking.js";
import type { SolidPainter } from "../picture.js";

/** Paints and picks the boxes of tilted pictures. */
export interface SolidCode extends SolidPainter {
	/** Returns the front-most agent at `at`, or the nearest within `slack` CSS pixels. */
	picked(what: Pickable, view: View, at: Point, slack: number): Selection | undefined;
	/** Returns the id of the traffic light at `at`; undefined behind an agent. */
	pickedLight(
		what: Pickable,
		view: View,
		at: Point,
		map: MapView | undefined,
	): string | undefined;
}
