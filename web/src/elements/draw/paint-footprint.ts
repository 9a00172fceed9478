import { inverse, mapped } from "./affine.js";
import type { TextBrush } from "./picture.js";

/** Paints the raster's outline; the raster's upper edge is thicker. */
export function paintFootprint({ ctx, picture, projection: p }: TextBrush): void {
	const { footprint, palette } = picture;
	if (!footprint) return;
	const toWorld = inverse(footprint.fromWorld);
	// Pixel centres are at integers.
	const [right, bottom] = [footprint.width - 0.5, footprint.height - 0.5];
	const corners = [
		{ x: -0.5, y: -0.5 },
		{ x: right, y: -0.5 },
		{ x: right, y: bottom },
		{ x: -0.5, y: bottom },
	].map((corner) => {
		const { x, y } = mapped(toWorld, corner);
		return { x: p.a * x + p.c * y + p.e, y: p.b * x + p.d * y + p.f };
	});
	const trace = (count: number): void => {
		ctx.beginPath();
		for (const [k, { x, y }] of corners.slice(0, count).entries()) {
			if (k === 0) ctx.moveTo(x, y);
			else ctx.lineTo(x, y);
		}
	};
	ctx.lineJoin = "miter";
	ctx.strokeStyle = palette.ink;
	ctx.globalAlpha = 0.8;
	ctx.lineWidth = 1;
	ctx.setLineDash([6, 4]);
	trace(4);
	ctx.closePath();
	ctx.stroke();
	ctx.setLineDash([]);
	ctx.lineWidth = 2.5;
	trace(2);
	ctx.stroke();
	ctx.globalAlpha = 1;
}
