import type { View } from "../scene-view/camera.js";
import { type Picture, type Placement, projectionOf } from "./picture.js";

/** What the pixels of a bitmap show. */
export interface CachedView {
	readonly view: View;
	/** Device pixels per CSS pixel. */
	readonly density: number;
}

/**
 * Margin in device pixels: how far the picture can move before a bitmap is redrawn.
 */
export const MARGIN = 192;
/** Limit of a bitmap: 64 MB. */
const MAX_PIXELS = 16_000_000;

/** Returns whether both lists have the same elements. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** Returns where a bitmap is in a picture of `view`. */
export function placed({ view: kept, density }: CachedView, view: View): Placement {
	const turn = view.rotation - kept.rotation;
	const scale = view.pixelsPerMetre / kept.pixelsPerMetre;
	const [cos, sin] = [scale * Math.cos(turn), scale * Math.sin(turn)];
	const [w, h] = [(kept.width * density) / 2, (kept.height * density) / 2];
	const p = projectionOf(view);
	const x = (p.a * kept.x + p.c * kept.y + p.e) * density - cos * w - sin * h;
	const y = (p.b * kept.x + p.d * kept.y + p.f) * density + sin * w - cos * h;
	// Without rotation, view centres are whole pixels apart (`snapped`) up to rounding
	// errors.
	if (turn === 0 && scale === 1)
		return { cos, sin, x: Math.round(x), y: Math.round(y) };
	return { cos, sin, x, y };
}

/** Returns whether a bitmap covers a picture of `view` and `spare` pixels around it. */
export function covers(kept: CachedView, view: View, spare = 0): boolean {
	const { density } = kept;
	const { cos, sin, x, y } = placed(kept, view);
	const scale2 = cos * cos + sin * sin;
	const [w, h] = [(view.width * density) / 2, (view.height * density) / 2];
	// Half the picture's extent in the bitmap, and its centre there.
	const across = (Math.abs(cos) * (w + spare) + Math.abs(sin) * (h + spare)) / scale2;
	const down = (Math.abs(sin) * (w + spare) + Math.abs(cos) * (h + spare)) / scale2;
	const midX = (cos * (w - x) - sin * (h - y)) / scale2;
	const midY = (sin * (w - x) + cos * (h - y)) / scale2;
	const inside = (at: number, half: number, size: number) =>
		at - half >= -0.5 && at + half <= size + 0.5;
	const { width, height } = kept.view;
	return inside(midX, across, width * density) && inside(midY, down, height * density);
}

/**
 * Returns the view with a margin, for a turning picture large enough for every angle;
 * undefined if the bitmap would be too large.
 */
export function widened({
	view,
	density,
	turning,
}: Pick<Picture, "view" | "density" | "turning">): View | undefined {
	const reach = turning ? Math.hypot(view.width, view.height) : 0;
	// Adds whole pixels on either side, so that bitmap and picture pixels coincide.
	const wide = (side: number) => {
		const beyond = Math.ceil((Math.max(0, reach - side) / 2) * density);
		return side + (2 * (MARGIN + beyond)) / density;
	};
	const [width, height] = [wide(view.width), wide(view.height)];
	if (width * height * density ** 2 > MAX_PIXELS) return undefined;
	return { ...view, width, height };
}

/** Draws a bitmap; then coordinates are CSS pixels again. */
export function drawCached(
	ctx: CanvasRenderingContext2D,
	pixels: CanvasImageSource,
	{ cos, sin, x, y }: Placement,
	density: number,
): void {
	ctx.setTransform(cos, -sin, sin, cos, x, y);
	ctx.drawImage(pixels, 0, 0);
	ctx.setTransform(density, 0, 0, density, 0, 0);
}
