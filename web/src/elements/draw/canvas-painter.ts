import type { MapView } from "../../map-view.js";
import type { View } from "../scene-view/camera.js";
import type { MapLine } from "./map-lines.js";
import { type MapShape, mapShapes } from "./map-shapes.js";
import { paintMoving, paintOver, paintStill } from "./paint.js";
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
 * Margin in device pixels: how far the picture can move before the bitmap is redrawn.
 */
const MARGIN = 192;
/** Limit of the bitmap: 64 MB. */
const MAX_PIXELS = 16_000_000;

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
	const { pixelsPerMetre, width, height } = view;
	const rotation = picture.turning ? "any" : view.rotation;
	const scale = [pixelsPerMetre, rotation, width, height, density];
	const things = [map, laneColours, aerial?.image, aerial?.fromWorld];
	return [...scale, palette, ...things, ...shown];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/**
 * The transform from bitmap pixels to picture pixels: a rotation, then a translation.
 */
interface Lie {
	/** Cosine and sine of the angle, counter-clockwise. */
	readonly cos: number;
	readonly sin: number;
	/** Position of the bitmap's first pixel. */
	readonly x: number;
	readonly y: number;
}

function lieOf(kept: View, view: View, density: number): Lie {
	const turn = view.rotation - kept.rotation;
	const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
	const [w, h] = [(kept.width * density) / 2, (kept.height * density) / 2];
	const p = projectionOf(view);
	const x = (p.a * kept.x + p.c * kept.y + p.e) * density - cos * w - sin * h;
	const y = (p.b * kept.x + p.d * kept.y + p.f) * density + sin * w - cos * h;
	// Without rotation, view centres are whole pixels apart (`snapped`) up to rounding
	// errors.
	if (turn === 0) return { cos, sin, x: Math.round(x), y: Math.round(y) };
	return { cos, sin, x, y };
}

/**
 * Returns the view with a margin; for a turning picture, large enough for every angle.
 */
function widened({ view, density, turning }: Picture): View {
	const reach = turning ? Math.hypot(view.width, view.height) : 0;
	// Adds whole pixels on either side, so that bitmap and picture pixels coincide.
	const wide = (side: number) => {
		const beyond = Math.ceil((Math.max(0, reach - side) / 2) * density);
		return side + (2 * (MARGIN + beyond)) / density;
	};
	return { ...view, width: wide(view.width), height: wide(view.height) };
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
		const { cos, sin, x, y } = lieOf(this.#view ?? view, view, density);
		ctx.setTransform(cos, -sin, sin, cos, x, y);
		ctx.globalAlpha = 1;
		if (this.#canvas) ctx.drawImage(this.#canvas, 0, 0);
		ctx.setTransform(density, 0, 0, density, 0, 0);
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
		if (isSame(inputs, this.#inputs) && this.#covers(picture)) return true;
		const view = widened(picture);
		if (view.width * view.height * picture.density ** 2 > MAX_PIXELS) return false;
		return this.#make({ ...picture, view }, inputs);
	}

	#covers({ view, density }: Picture): boolean {
		if (!this.#canvas || !this.#view) return false;
		const { cos, sin, x, y } = lieOf(this.#view, view, density);
		const [w, h] = [(view.width * density) / 2, (view.height * density) / 2];
		// Half the picture's extent in the bitmap, and its centre there.
		const across = Math.abs(cos) * w + Math.abs(sin) * h;
		const down = Math.abs(sin) * w + Math.abs(cos) * h;
		const midX = cos * (w - x) - sin * (h - y);
		const midY = sin * (w - x) + cos * (h - y);
		const inside = (at: number, half: number, size: number) =>
			at - half >= -0.5 && at + half <= size + 0.5;
		const { width, height } = this.#canvas;
		return inside(midX, across, width) && inside(midY, down, height);
	}

	#make(picture: Picture, inputs: readonly unknown[]): boolean {
		const { view, density } = picture;
		const canvas = this.#canvas ?? document.createElement("canvas");
		const [w, h] = [
			Math.round(view.width * density),
			Math.round(view.height * density),
		];
		if (canvas.width !== w) canvas.width = w;
		if (canvas.height !== h) canvas.height = h;
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
