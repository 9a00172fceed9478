import { type Affine, inverse } from "./affine.js";
import type { GroundBrush, Projection } from "./picture.js";

/** An aerial image to draw. */
export interface Aerial {
	readonly image: ImageBitmap;
	/** (3, 3), row-major: world metres to image pixels. */
	readonly fromWorld: Affine;
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

/** Paints the aerial image over the ground with the theme's opacity. */
export function paintAerial({ ctx, ground, picture }: GroundBrush): void {
	const { aerial, palette } = picture;
	if (!aerial) return;
	ctx.globalAlpha = Number(palette.aerial);
	ground.drawAerial(aerial);
	ctx.globalAlpha = 1;
}
