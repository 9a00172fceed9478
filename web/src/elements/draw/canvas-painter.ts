import type { MapView } from "../../dataset/map-view.js";
import type { View } from "../scene-view/camera.js";
import { covers, drawCached, isSame, placed, widened } from "./cached-bitmap.js";
import type { MapLine } from "./map-lines.js";
import { type MapShape, mapShapes } from "./map-shapes.js";
import { fitCanvas, paintMoving, paintOver, paintStill } from "./paint.js";
import {
	type Aerial,
	type GroundPen,
	type Picture,
	projectionOf,
	screenFromImage,
	type TextBrush,
} from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Draws the ground with Canvas2D; areas are `Path2D` objects. */
export class CanvasGround implements GroundPen {
	readonly #brush: TextBrush;

	constructor(brush: TextBrush) {
		this.#brush = brush;
	}

	fillAreas(map: MapView, areas: readonly MapShape[]): void {
		const { originX: x, originY: y } = mapShapes(map);
		const { ctx, projection: p } = this.#brush;
		ctx.save();
		ctx.transform(p.a, p.b, p.c, p.d, p.a * x + p.c * y + p.e, p.b * x + p.d * y + p.f);
		for (const { area } of areas) ctx.fill(area);
		ctx.restore();
	}

	/**
	 * Strokes in pixel coordinates: one-pixel lines are several times cheaper there than
	 * lines that a transform scales to one pixel. All lines form a single path.
	 */
	strokeLines(_: MapView, lines: readonly MapLine[]): void {
		const { ctx } = this.#brush;
		ctx.beginPath();
		for (const { points, offsets } of lines) {
			for (let i = 0; i + 1 < offsets.length; i += 1)
				tracePolyline(this.#brush, points, offsets[i] ?? 0, offsets[i + 1] ?? 0);
		}
		ctx.stroke();
	}

	drawAerial({ image, fromWorld }: Aerial): void {
		const { ctx, projection } = this.#brush;
		const { a, b, c, d, e, f } = screenFromImage(projection, fromWorld);
		ctx.save();
		ctx.imageSmoothingQuality = "medium"; // prevents flicker when zoomed out
		ctx.transform(a, b, c, d, e, f);
		ctx.drawImage(image, 0, 0);
		ctx.restore();
	}
}

/**
 * Paints the ground, the aerial image and the map, bottom to top. The context is in
 * device pixels.
 */
export function paintGround(ctx: CanvasRenderingContext2D, picture: Picture): void {
	const { view, density, palette } = picture;
	ctx.setTransform(density, 0, 0, density, 0, 0);
	ctx.globalAlpha = 1;
	ctx.fillStyle = palette.ground;
	ctx.fillRect(0, 0, view.width, view.height);
	const brush = { ctx, picture, projection: projectionOf(view) };
	paintStill({ ...brush, ground: new CanvasGround(brush) });
}

/**
 * Returns every input of the map's pixels but the position (and the angle, for a
 * turning picture).
 */
function inputsOf(picture: Picture): readonly unknown[] {
	const { view, density, palette, layers, map, laneColours, aerial } = picture;
	const shown = (["lanes", "lights", "crosswalks"] as const).map((l) => layers.has(l));
	const { pixelsPerMetre, tilt, width, height } = view;
	const rotation = picture.turning ? "any" : view.rotation;
	const scale = [pixelsPerMetre, rotation, tilt, width, height, density];
	const things = [map, laneColours, aerial?.image, aerial?.fromWorld];
	return [...scale, palette, ...things, ...shown];
}

/**
 * A bitmap of the map, reused while the picture only moves. If view centres are whole
 * pixels apart (`snapped`), the result is identical to drawing the map; a turning
 * picture rotates the bitmap, which softens its lines slightly.
 */
export class MapBitmap {
	#canvas: HTMLCanvasElement | undefined;
	/** Inputs of the bitmap; `#asked` are the inputs of the last call. */
	#inputs: readonly unknown[] = [];
	#asked: readonly unknown[] = [];
	#view: View | undefined;

	/** Paints ground and map of `picture`, from the bitmap if it can be reused. */
	paint(ctx: CanvasRenderingContext2D, picture: Picture): void {
		const inputs = inputsOf(picture);
		// While zooming, inputs differ in every picture: a bitmap is made only when they
		// repeat.
		const again = isSame(inputs, this.#asked);
		this.#asked = inputs;
		if (!(picture.map || picture.aerial) || !again || !this.#holds(picture, inputs)) {
			paintGround(ctx, picture);
			return;
		}
		const { view, density } = picture;
		const made = { view: this.#view ?? view, density };
		ctx.globalAlpha = 1;
		if (this.#canvas) drawCached(ctx, this.#canvas, placed(made, view), density);
	}

	/** Frees the memory. */
	release(): void {
		// Frees the pixels now, not at the next garbage collection.
		if (this.#canvas) this.#canvas.width = 0;
		this.#canvas = undefined;
		this.#view = undefined;
		this.#inputs = [];
	}

	/**
	 * Makes sure that the bitmap covers the picture; returns false if it would be too
	 * large.
	 */
	#holds(picture: Picture, inputs: readonly unknown[]): boolean {
		const { density } = picture;
		const made = this.#view && { view: this.#view, density };
		if (made && isSame(inputs, this.#inputs) && covers(made, picture.view)) return true;
		const view = widened(picture);
		return view ? this.#make({ ...picture, view }, inputs) : false;
	}

	#make(picture: Picture, inputs: readonly unknown[]): boolean {
		const { view, density } = picture;
		const canvas = this.#canvas ?? document.createElement("canvas");
		fitCanvas(canvas, view, density);
		const ctx = canvas.getContext("2d", { alpha: false });
		if (!ctx) return false;
		paintGround(ctx, picture);
		this.#canvas = canvas;
		this.#view = view;
		this.#inputs = inputs;
		return true;
	}
}

/** Draws one picture with Canvas2D. Only the bitmap persists between calls. */
export function paint(
	ctx: CanvasRenderingContext2D,
	picture: Picture,
	bitmap?: MapBitmap,
): void {
	if (bitmap) bitmap.paint(ctx, picture);
	else paintGround(ctx, picture);
	paintMoving({ ctx, picture, projection: projectionOf(picture.view) });
	paintOver(ctx, picture);
}
