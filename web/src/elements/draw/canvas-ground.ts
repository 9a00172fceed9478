import type { MapView } from "../../map-view.js";
import { type LaneShape, type MapShape, mapShapes } from "./map-shapes.js";
import { type Aerial, screenFromImage } from "./paint-aerial.js";
import type { GroundPen } from "./pen.js";
import type { TextBrush } from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** The ground by Canvas2D, which keeps areas as paths. */
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
	 * Lines of one pixel in the picture's own coordinates are several times cheaper to draw
	 * than those that a transform makes as wide; one path of them costs no more than many.
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
		ctx.imageSmoothingQuality = "medium"; // far out pixels would flicker
		ctx.transform(a, b, c, d, e, f);
		ctx.drawImage(image, 0, 0);
		ctx.restore();
	}
}
