import type { MapView } from "../../dataset/map-view.js";
import type { MapMarks } from "../map/map-state.js";
import type { Point } from "../scene-view/camera.js";
import { stepBetween } from "../scene-view/path.js";
import { type MapShape, mapShapes } from "./map-shapes.js";
import { paintTag } from "./paint-labels.js";
import {
	type Brush,
	inverse,
	mapped,
	type Overlay,
	type Picture,
	type TextBrush,
} from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Adds the outline of a shape to the path. */
function traceRings({ ctx, picture, projection: p }: Brush, shape: MapShape): void {
	const { originX, originY } = mapShapes(picture.map as MapView);
	for (const ring of shape.rings) {
		for (let k = 0; k + 1 < ring.length; k += 2) {
			const [x, y] = [(ring[k] ?? 0) + originX, (ring[k + 1] ?? 0) + originY];
			const [sx, sy] = [p.a * x + p.c * y + p.e, p.b * x + p.d * y + p.f];
			if (k === 0) ctx.moveTo(sx, sy);
			else ctx.lineTo(sx, sy);
		}
		ctx.closePath();
	}
}

function paintOutlines(
	brush: TextBrush,
	{ lanes, crosswalks }: MapMarks,
	width: number,
) {
	const { ctx, picture } = brush;
	const shapes = picture.map && mapShapes(picture.map);
	if (!shapes || lanes.length + crosswalks.length === 0) return;
	ctx.beginPath();
	for (const shape of [
		...lanes.map((row) => shapes.lanes[row]),
		...crosswalks.map((row) => shapes.crosswalks[row]),
	]) {
		if (shape) traceRings(brush, shape);
	}
	ctx.lineJoin = "round";
	for (const [colour, more] of [
		[picture.palette.ground, 2],
		[picture.palette.ink, 0],
	] as const) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = width + more;
		ctx.stroke();
	}
}

/**
 * Paints outlines of the selected lanes and crosswalks, and of the lanes that a
 * selected light, or the one under the pointer, controls.
 */
export function paintMarks(brush: TextBrush): void {
	const { marks, hovered } = brush.picture;
	if (hovered) paintOutlines(brush, hovered, 1.25);
	if (marks) paintOutlines(brush, marks, 2);
}

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

const TICK = 5;

function onScreen({ projection: p }: Brush, { x, y }: Point): Point {
	return { x: p.a * x + p.c * y + p.e, y: p.b * x + p.d * y + p.f };
}

/** Paints a cross at each measured point, and each segment with its length. */
export function paintMeasure(brush: TextBrush): void {
	const { ctx, picture } = brush;
	const { measured, palette } = picture;
	if (measured.length === 0) return;
	const path = measured.map((point) => onScreen(brush, point));
	ctx.beginPath();
	path.forEach(({ x, y }, k) => {
		const before = path[k - 1];
		ctx.moveTo(x - TICK, y);
		ctx.lineTo(x + TICK, y);
		ctx.moveTo(x, y - TICK);
		ctx.lineTo(x, y + TICK);
		if (!before) return;
		ctx.moveTo(before.x, before.y);
		ctx.lineTo(x, y);
	});
	for (const [colour, width] of [
		[palette.ground, 4],
		[palette.ink, 1.5],
	] as const) {
		ctx.strokeStyle = colour;
		ctx.lineWidth = width;
		ctx.stroke();
	}
	measured.forEach((point, k) => {
		const [from, a, b] = [measured[k - 1], path[k - 1], path[k]];
		if (!from || !a || !b) return;
		const middle = { x: (a.x + b.x) / 2 + 8, y: (a.y + b.y) / 2 - 30 };
		paintTag(brush, middle, `${stepBetween(from, point).metres.toFixed(2)} m`);
	});
}

/** Radius of a dot in CSS pixels. */
const RADIUS = 3;
const LINE = 2;

/** Returns whether `overlay` belongs to the picture's scene and frame. */
function belongs({ scene, frame }: Overlay, { frame: shown }: Picture): boolean {
	if (scene !== undefined && shown?.scene !== scene) return false;
	return frame === undefined || shown?.frame === frame;
}

/** Paints the page's overlays that belong to the displayed frame. */
export function paintPageOverlays(brush: Brush): void {
	const { ctx, picture } = brush;
	for (const overlay of picture.overlays ?? []) {
		if (!belongs(overlay, picture)) continue;
		const { points, kind } = overlay;
		const count = points.length >> 1;
		ctx.globalAlpha = 1;
		ctx.fillStyle = picture.palette.predicted;
		// An invalid colour leaves the default.
		if (overlay.color !== undefined) ctx.fillStyle = overlay.color;
		ctx.strokeStyle = ctx.fillStyle;
		ctx.lineWidth = LINE;
		ctx.beginPath();
		if (kind === "line") {
			tracePolyline(brush, points, 0, count);
			ctx.stroke();
			continue;
		}
		for (let at = 0; at < count; at += 1) traceDot(brush, points, at);
		ctx.fill();
	}
}

/** Adds a dot at point `at` to the path. */
function traceDot({ ctx, projection: p }: Brush, points: Float64Array, at: number) {
	const x = points[2 * at] ?? 0;
	const y = points[2 * at + 1] ?? 0;
	const sx = p.a * x + p.c * y + p.e;
	const sy = p.b * x + p.d * y + p.f;
	ctx.moveTo(sx + RADIUS, sy);
	ctx.arc(sx, sy, RADIUS, 0, 2 * Math.PI);
}
