import type { PageLayer } from "../draw/page-layer.js";
import type { Overlay, Picture } from "../draw/picture.js";
import type { SolidCode } from "../draw/tilt/solid-code.js";
import type { Slice } from "../session/store.js";
import {
	type Camera,
	DEFAULT_CAMERA,
	type Follow,
	type Point,
	type View,
} from "./camera.js";
import type { Coords } from "./frames.js";
import type { Selection } from "./picking.js";

/**
 * What the picture is about while it is selected: the agent of a ranked prediction, or of
 * a hit of a search.
 */
export interface Focus {
	readonly scene: number;
	readonly of: Selection;
	/** Said beside the agent's name in the picture, for example the fact of a hit. */
	readonly words?: string | undefined;
	/** Duration of the camera's way in milliseconds. */
	readonly flightMs: number;
	/**
	 * Returns the camera moved by the minimum that brings its place `p` into the picture's
	 * central half; undefined if it is there.
	 */
	reached(camera: Camera, follow: Follow, view: View, p: Point): Camera | undefined;
	/** Returns the picture with everything else faint. */
	applied(picture: Picture): Picture;
}

/** State of the picture: camera, selection and measuring. */
export interface SceneViewSlice {
	/** What the camera moves with. */
	readonly follow: Follow;
	/** The camera's position, extent, rotation and tilt. */
	readonly camera: Camera;
	/** Code of tilted pictures; undefined until it is loaded, with the first one. */
	readonly solids: SolidCode | undefined;
	/** Coordinate frame of the position readout. */
	readonly coords: Coords;
	/** Points of the measured path in world; undefined when not measuring. */
	readonly measured: readonly Point[] | undefined;
	/** The page's points and lines over the picture. */
	readonly overlays: readonly Overlay[];
	/** The page's layers, drawn over the picture in this order. */
	readonly pageLayers: readonly PageLayer[];
	/** The selected track, or `ego`. */
	readonly selection: Selection | undefined;
	/** What the picture is about while that is selected. */
	readonly focus: Focus | undefined;
	/** The object under the pointer. */
	readonly hover: Selection | undefined;
}

export const SCENE_VIEW_SLICE: Slice<SceneViewSlice> = {
	empty: {
		follow: "position",
		camera: DEFAULT_CAMERA,
		solids: undefined,
		coords: "world",
		measured: undefined,
		overlays: [],
		pageLayers: [],
		selection: undefined,
		focus: undefined,
		hover: undefined,
	},
	// The other modes refer to a place or an agent of the previous data set.
	kept: ({ follow, solids, coords, overlays, pageLayers }) => ({
		follow: follow === "heading" ? follow : "position",
		solids,
		coords,
		overlays,
		pageLayers,
	}),
};
