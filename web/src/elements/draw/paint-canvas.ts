import { type MapBitmap, paintGround } from "./map-bitmap.js";
import { paintMoving, paintOver } from "./paint.js";
import { type Picture, projectionOf } from "./picture.js";

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
