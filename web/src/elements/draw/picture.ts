import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import type { LayerSet } from "../layers/layer-set.js";
import type { MapMarks } from "../map/map-state.js";
import type { ModelLines } from "../review/model-lines.js";
import { type Point, squeeze, type View } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { MapLine } from "./map-lines.js";
import type { MapShape } from "./map-shapes.js";
import type { Palette } from "./palette.js";

/** (3, 3), row-major; the last row is 0 0 1. */
export type Affine = ArrayLike<number>;

export function mapped(m: Affine, { x, y }: Point): Point {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	return { x: a * x + b * y + tx, y: c * x + d * y + ty };
}

/** Returns the inverse of `m`; NaN or infinite if singular. */
export function inverse(m: Affine): Float64Array {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = Array.from(m);
	const det = a * d - b * c;
	const [ia, ib, ic, id] = [d / det, -b / det, -c / det, a / det];
	const rows = [ia, ib, -(ia * tx + ib * ty), ic, id, -(ic * tx + id * ty), 0, 0, 1];
	return Float64Array.from(rows);
}

/** Returns the length scale of a similarity transform. */
export function scaleOf(m: Affine): number {
	return Math.hypot(m[0] ?? 0, m[3] ?? 0);
}

/** An aerial image to draw. */
export interface Aerial {
	readonly image: ImageBitmap;
	/** (3, 3), row-major: world metres to image pixels. */
	readonly fromWorld: Affine;
}

/**
 * The drawing interface of layers: the subset of a 2D context that every painter
 * implements. The calls for a picture, in order, are its draw list. Units are CSS
 * pixels.
 */
export type Pen = Pick<
	CanvasRenderingContext2D,
	| ("fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "lineCap")
	| ("beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "setLineDash")
	| ("fill" | "stroke")
>;

/**
 * Draws the ground in a painter-specific representation, with the colour, width and
 * opacity set on its pen.
 */
export interface GroundPen {
	/** Fills each of the areas. */
	fillAreas(map: MapView, areas: readonly MapShape[]): void;
	/** Strokes all lines as one path. */
	strokeLines(map: MapView, lines: readonly MapLine[]): void;
	drawAerial(aerial: Aerial): void;
}

/** Transforms bitmap pixels to picture pixels: scale and rotation, then translation. */
export interface Placement {
	/** Cosine and sine of the angle, counter-clockwise, times the scale. */
	readonly cos: number;
	readonly sin: number;
	/** Position of the bitmap's first pixel. */
	readonly x: number;
	readonly y: number;
}

/** Draws bitmaps, with the opacity set on its pen. */
export interface BitmapPen {
	/** Draws `pixels`, or returns false if they are too large. */
	drawBitmap(pixels: ImageBitmap, placement: Placement): boolean;
}

/** The ground area covered by a raster. */
export interface Footprint {
	/** Size of the raster in pixels. */
	readonly width: number;
	readonly height: number;
	/** (3, 3), row-major: world metres to raster pixels. */
	readonly fromWorld: Affine;
}

/** Points of the page, drawn over the picture. */
export interface Overlay {
	/** (N, 2), row-major: world metres. */
	readonly points: Float64Array;
	/** `points`: a dot each; `line`: a line through all of them. Default `points`. */
	readonly kind?: "points" | "line" | undefined;
	/** A CSS colour. Default: the colour of predictions. */
	readonly color?: string | undefined;
	/** The scene it belongs to; shown in every scene if absent. */
	readonly scene?: number | undefined;
	/** The frame it belongs to; shown in every frame if absent. */
	readonly frame?: number | undefined;
}

/** All inputs of a drawing. Positions are world metres. */
export interface Picture {
	readonly view: View;
	/** Device pixels per CSS pixel. */
	readonly density: number;
	/**
	 * Whether this is one of a sequence at different angles; static layers may then be
	 * drawn by rotating a bitmap.
	 */
	readonly turning?: boolean;
	readonly palette: Palette;
	readonly layers: LayerSet;
	readonly map: MapView | undefined;
	/** Per lane: 0 none, 1 red, 2 yellow, 3 green. */
	readonly laneColours: Uint8Array | undefined;
	/** Undefined if the layer is off. */
	readonly aerial: Aerial | undefined;
	readonly frame: FrameView | undefined;
	/** Per agent: HIDDEN, SHOWN, DROPPED or DIMMED. */
	readonly visibility: Uint8Array;
	/** Each model's predictions of this frame, or of the earlier frame `lines.frame`. */
	readonly predictions: readonly ModelLines[];
	/** Paints them; undefined until its code is loaded, with the first predictions. */
	readonly predictionPainter?: PredictionPainter | undefined;
	/** Paints agents and lights as boxes; undefined if the picture is flat. */
	readonly solids?: SolidPainter | undefined;
	/** Area of the raster of that frame. */
	readonly footprint?: Footprint | undefined;
	readonly selection: Selection | undefined;
	/** The selection, if everything else is drawn faintly. */
	readonly focus?: Selection | undefined;
	readonly hover: Selection | undefined;
	/** Whether the ego vehicle and the selected agent brake in this frame. */
	readonly braking?: { readonly ego: boolean; readonly selection: boolean } | undefined;
	/** Whether to draw a grid: there is no map. */
	readonly grid?: boolean;
	/** Tracks of plots, which are outlined in the colours of their lines. */
	readonly plotted?: readonly Selection[] | undefined;
	/** Tracks to outline, with their labels. */
	readonly roles?: ReadonlyMap<bigint, string> | undefined;
	/** Lanes and crosswalks to outline. */
	readonly marks?: MapMarks;
	/** Lanes of the traffic light under the pointer, to outline thinly. */
	readonly hovered?: MapMarks | undefined;
	/** Points of the measured path. */
	readonly measured: readonly Point[];
	/** The page's points and lines. */
	readonly overlays?: readonly Overlay[];
	/** Returns the label of a selected or hovered agent. */
	readonly labelOf: (selection: Selection) => string;
}

/** A box on the screen; corners are front left, rear left, rear right, front right. */
export interface ScreenBox {
	readonly x: readonly [number, number, number, number];
	readonly y: readonly [number, number, number, number];
	readonly cx: number;
	readonly cy: number;
	/** CSS pixels. */
	readonly length: number;
	readonly width: number;
	/** Unit vector of the heading on the screen. */
	readonly hx: number;
	readonly hy: number;
}

/** The outline of an agent on the screen. */
export interface Outline {
	readonly box: ScreenBox;
	/** Adds the outline to the path. */
	readonly trace: (brush: Brush, box: ScreenBox) => void;
}

/** World metres to CSS pixels: `x' = a x + c y + e`, `y' = b x + d y + f`. */
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
	const [b, d] = [-sin * squeeze(view), -cos * squeeze(view)];
	return {
		a: cos,
		b,
		c: -sin,
		d,
		e: view.width / 2 - cos * view.x + sin * view.y,
		f: view.height / 2 - b * view.x - d * view.y,
	};
}

/** Returns the projection from image pixels to CSS pixels. */
export function screenFromImage(p: Projection, fromWorld: Affine): Projection {
	const [a = 0, b = 0, tx = 0, c = 0, d = 0, ty = 0] = inverse(fromWorld);
	return {
		a: p.a * a + p.c * c,
		b: p.b * a + p.d * c,
		c: p.a * b + p.c * d,
		d: p.b * b + p.d * d,
		e: p.a * tx + p.c * ty + p.e,
		f: p.b * tx + p.d * ty + p.f,
	};
}

/** Arguments of every layer. */
export interface Brush {
	readonly ctx: Pen;
	readonly picture: Picture;
	readonly projection: Projection;
	/** Draws bitmaps; undefined if they are drawn onto the picture's canvas. */
	readonly bitmaps?: BitmapPen | undefined;
}

/** Paints a picture's predictions. */
export interface PredictionPainter {
	/** Paints the lines of all visible models. */
	paint(brush: Brush): void;
	/** Paints the frame number of predictions from an earlier frame. */
	paintOver(brush: TextBrush): void;
}

/** Paints the agents and lights of a tilted picture. */
export interface SolidPainter {
	paint(brush: Brush): void;
	/** Paints the letters of lights. */
	paintOver(brush: TextBrush): void;
	outlineOf(brush: Brush, selection: Selection): Outline | undefined;
}

/** Arguments of ground layers. */
export interface GroundBrush extends Brush {
	readonly ground: GroundPen;
}

/** Arguments of layers with text. */
export interface TextBrush extends Brush {
	readonly ctx: CanvasRenderingContext2D;
}
