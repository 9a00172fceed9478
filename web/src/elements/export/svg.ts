import type { MapView } from "../../dataset/map-view.js";
import type { MapLine } from "../draw/map-lines.js";
import { type MapShape, mapShapes } from "../draw/map-shapes.js";
import { paintMoving, paintOver, paintStill } from "../draw/paint.js";
import {
	type Aerial,
	type Brush,
	type GroundPen,
	type Picture,
	type Projection,
	projectionOf,
	screenFromImage,
} from "../draw/picture.js";
import { tracePolyline } from "../draw/polyline.js";
import { pictureOf } from "../scene-view/scene-painter.js";
import type { ViewerState } from "../session/state.js";
import { paintCaption } from "./caption.js";
import type { ExportedPicture, StillOptions } from "./still.js";
import { SvgContext } from "./svg-context.js";

/** Digits of an image's transform. */
const PRECISION = 8;

/** Returns the image as a PNG data URL. */
function dataUrl(image: ImageBitmap): string {
	const canvas = document.createElement("canvas");
	[canvas.width, canvas.height] = [image.width, image.height];
	canvas.getContext("2d")?.drawImage(image, 0, 0);
	return canvas.toDataURL("image/png");
}

/** Draws the ground as paths. */
class SvgGround implements GroundPen {
	readonly #ctx: SvgContext;
	readonly #brush: Brush;

	constructor(ctx: SvgContext, brush: Brush) {
		this.#ctx = ctx;
		this.#brush = brush;
	}

	fillAreas(map: MapView, areas: readonly MapShape[]): void {
		const { originX, originY } = mapShapes(map);
		const { projection: p } = this.#brush;
		for (const { rings } of areas) {
			this.#ctx.beginPath();
			for (const ring of rings) this.#traceRing(ring, p, originX, originY);
			this.#ctx.fill();
		}
	}

	strokeLines(_: MapView, lines: readonly MapLine[]): void {
		this.#ctx.beginPath();
		for (const { points, offsets } of lines) {
			for (let i = 0; i + 1 < offsets.length; i += 1)
				tracePolyline(this.#brush, points, offsets[i] ?? 0, offsets[i + 1] ?? 0);
		}
		this.#ctx.stroke();
	}

	drawAerial({ image, fromWorld }: Aerial): void {
		const { a, b, c, d, e, f } = screenFromImage(this.#brush.projection, fromWorld);
		const matrix = [a, b, c, d, e, f].map((value) => value.toPrecision(PRECISION));
		const { width, height } = image;
		this.#ctx.image(dataUrl(image), { width, height }, `matrix(${matrix.join(" ")})`);
	}

	#traceRing(
		ring: Float64Array,
		p: Projection,
		originX: number,
		originY: number,
	): void {
		for (let k = 0; k + 1 < ring.length; k += 2) {
			const [x, y] = [(ring[k] ?? 0) + originX, (ring[k + 1] ?? 0) + originY];
			const [sx, sy] = [p.a * x + p.c * y + p.e, p.b * x + p.d * y + p.f];
			if (k === 0) this.#ctx.moveTo(sx, sy);
			else this.#ctx.lineTo(sx, sy);
		}
		this.#ctx.closePath();
	}
}

/** Returns the picture as an SVG document, drawn by the same layers as the canvas. */
export function svgOfPicture(
	picture: Picture,
	caption?: (ctx: CanvasRenderingContext2D) => void,
): string {
	const { view, palette } = picture;
	const svg = new SvgContext(view.width, view.height);
	// The layers use only what `SvgContext` implements.
	const ctx = svg as unknown as CanvasRenderingContext2D;
	const brush = { ctx, picture, projection: projectionOf(view) };
	svg.fillStyle = palette.ground;
	svg.fillRect(0, 0, view.width, view.height);
	paintStill({ ...brush, ground: new SvgGround(svg, brush) });
	paintMoving(brush);
	paintOver(ctx, picture);
	caption?.(ctx);
	return svg.document;
}

/** Returns the picture of `state` as an SVG file; null without a picture. */
export function svgOf(
	picture: ExportedPicture,
	state: ViewerState,
	{ size, caption }: StillOptions,
): Blob | null {
	if (!picture.canvas) return null;
	picture.hold(size);
	try {
		const { view } = picture;
		const of = pictureOf(state, picture, view, 1);
		const words = (ctx: CanvasRenderingContext2D) =>
			paintCaption({ ctx, state, view, density: 1, palette: of.palette });
		const document = svgOfPicture(of, caption ? words : undefined);
		return new Blob([document], { type: "image/svg+xml" });
	} finally {
		picture.hold(undefined);
	}
}
