import { worldFromScreen } from "../scene-view/camera.js";
import type { Brush } from "./picture.js";

/** Minimum distance of grid lines in CSS pixels. */
const CLOSEST = 48;
const STEPS = [1, 2, 5];

/** Returns the distance of grid lines in metres: 1, 2 or 5 times a power of ten. */
export function gridStep(pixelsPerMetre: number): number {
	const least = CLOSEST / pixelsPerMetre;
	const power = 10 ** Math.floor(Math.log10(least));
	const step = STEPS.find((of) => of * power >= least);
	return (step ?? 10) * power;
}

/** Paints faint lines along the world's axes, for pictures without a map. */
export function paintGrid({ ctx, picture, projection: p }: Brush): void {
	const { view, palette } = picture;
	const step = gridStep(view.pixelsPerMetre);
	const corners = [
		[0, 0],
		[view.width, 0],
		[view.width, view.height],
		[0, view.height],
	].map(([x = 0, y = 0]) => worldFromScreen(view, x, y));
	const xs = corners.map(({ x }) => x);
	const ys = corners.map(({ y }) => y);
	const [left, right] = [Math.min(...xs), Math.max(...xs)];
	const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
	const line = (x0: number, y0: number, x1: number, y1: number): void => {
		ctx.moveTo(p.a * x0 + p.c * y0 + p.e, p.b * x0 + p.d * y0 + p.f);
		ctx.lineTo(p.a * x1 + p.c * y1 + p.e, p.b * x1 + p.d * y1 + p.f);
	};
	ctx.beginPath();
	for (let x = Math.ceil(left / step) * step; x <= right; x += step)
		line(x, bottom, x, top);
	for (let y = Math.ceil(bottom / step) * step; y <= top; y += step)
		line(left, y, right, y);
	ctx.strokeStyle = palette.line;
	ctx.lineWidth = 1;
	ctx.globalAlpha = 0.6;
	ctx.stroke();
	ctx.globalAlpha = 1;
}
