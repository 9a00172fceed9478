import { type Affine, inverse } from "../pure/affine.js";
import type { GroundBrush, Projection } from "./picture.js";

/** An aerial image as a picture has it. */
export interface Aerial {
	readonly image: ImageBitmap;
	/** (3, 3), rows first: pixels of the image from metres of world. */
	readonly fromWorld: Affine;
}

/** CSS pixels from pixels of the image. */
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

/** The aerial image over the ground, as faint as the theme has it. */
export function paintAerial({ ctx, ground, picture }: GroundBrush): void {
	const { aerial, palette } = picture;
	if (!aerial) return;
	ctx.globalAlpha = Number(palette.aerial);
	ground.drawAerial(aerial);
	ctx.globalAlpha = 1;
}
