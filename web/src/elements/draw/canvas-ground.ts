import type { MapView } from "../../map-view.js";
import { type LaneShape, type MapShape, mapShapes } from "./map-shapes.js";
import type { Aerial, GroundPen } from "./pen.js";
import type { TextBrush } from "./picture.js";
import { screenFromImage } from "./picture.js";
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
	 * lines that a transform scales to one pixel. All lanes form a single path.
	 */
	strokeSides({ lanes }: MapView, of: readonly LaneShape[]): void {
		const { ctx } = this.#brush;
		ctx.beginPath();
		for (const { row } of of) {
			for (const { points, offsets } of [lanes.left, lanes.right]) {
				tracePolyline(this.#brush, points, offsets[row] ?? 0, offsets[row + 1] ?? 0);
			}
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
