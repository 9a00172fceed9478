import type { FrameView } from "../../frame-view.js";
import type { MapView } from "../../map-view.js";
import type { Point, View } from "../pure/camera.js";
import type { LayerSet } from "../pure/layers.js";
import type { Selection } from "../pure/link.js";
import type { MapMarks } from "../pure/map-object.js";
import type { FrameLines } from "../review-state.js";
import type { Aerial } from "./paint-aerial.js";
import type { Footprint } from "./paint-footprint.js";
import type { Palette } from "./palette.js";
import type { GroundPen, Pen } from "./pen.js";

/** Everything a picture is a function of. Positions are metres in world. */
export interface Picture {
	readonly view: View;
	/** Device pixels per CSS pixel. */
	readonly density: number;
	/** It is one of many that follow each other at other angles: what stands still may be turned pixels. */
	readonly turning?: boolean;
	readonly palette: Palette;
	readonly layers: LayerSet;
	readonly map: MapView | undefined;
	/** Of each lane: 0 none, 1 red, 2 yellow, 3 green. */
	readonly laneColours: Uint8Array | undefined;
	/** Where its layer is on. */
	readonly aerial: Aerial | undefined;
	readonly frame: FrameView | undefined;
	/** Of each agent: HIDDEN, SHOWN or DROPPED. */
	readonly visibility: Uint8Array;
	/** What is predicted in that frame, or in the one before it that `predictions.frame` names. */
	readonly predictions: FrameLines | undefined;
	/** Of what a model sees in that frame. */
	readonly footprint?: Footprint | undefined;
	readonly selection: Selection | undefined;
	readonly hover: Selection | undefined;
	/** Lanes and crosswalks to outline. */
	readonly marks?: MapMarks;
	/** The points of the path that is measured. */
	readonly measured: readonly Point[];
	/** The words beside a selected or hovered thing. */
	readonly labelOf: (selection: Selection) => string;
}

/** CSS pixels from metres in world: `x' = a x + c y + e`, `y' = b x + d y + f`. */
export interface Projection {
	readonly a: number;
	readonly b: number;
	readonly c: number;
	readonly d: number;
	readonly e: number;
	readonly f: number;
}

export function projectionOf(view: View): Projection {
	const s = view.pixelsPerMetre;
	const cos = Math.cos(view.rotation) * s;
	const sin = Math.sin(view.rotation) * s;
	return {
		a: cos,
		b: -sin,
		c: -sin,
		d: -cos,
		e: view.width / 2 - cos * view.x + sin * view.y,
		f: view.height / 2 + sin * view.x + cos * view.y,
	};
}

/** What every layer gets. */
export interface Brush {
	readonly ctx: Pen;
	readonly picture: Picture;
	readonly projection: Projection;
}

/** What layers of the ground get. */
export interface GroundBrush extends Brush {
	readonly ground: GroundPen;
}

/** What layers with words get. */
export interface TextBrush extends Brush {
	readonly ctx: CanvasRenderingContext2D;
}
