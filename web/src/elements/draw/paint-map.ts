import type { MapView } from "../../map-view.js";
import type { LightColour } from "../lights.js";
import { inView, type LaneShape, type MapShapes, mapShapes } from "./map-shapes.js";
import type { Palette } from "./palette.js";
import { type Brush, type Picture, tracePolyline } from "./picture.js";

/** By the values of `laneColours`. */
const LANE_COLOURS: readonly (LightColour | undefined)[] = [
	undefined,
	"red",
	"yellow",
	"green",
];

/** Lets `paint` draw in metres from the map's origin, lines still measured in pixels. */
function inMap(brush: Brush, shapes: MapShapes, paint: (pixel: number) => void): void {
	const { ctx, projection: p, picture } = brush;
	const { originX: x, originY: y } = shapes;
	ctx.save();
	ctx.transform(p.a, p.b, p.c, p.d, p.a * x + p.c * y + p.e, p.b * x + p.d * y + p.f);
	paint(1 / picture.view.pixelsPerMetre);
	ctx.restore();
}

/** Both sides of lane `row`, in pixels: the ends of a lane are no lines on the road. */
function traceSides(brush: Brush, { lanes }: MapView, row: number): void {
	for (const { points, offsets } of [lanes.left, lanes.right]) {
		tracePolyline(brush, points, offsets[row] ?? 0, offsets[row + 1] ?? 0);
	}
}

/**
 * Lines of one pixel in the picture's own coordinates are several times cheaper to draw
 * than those that a transform makes as wide; one path of them costs no more than many.
 */
function paintMarks(
	brush: Brush,
	map: MapView,
	lanes: readonly LaneShape[],
	inJunction: boolean,
): void {
	const { ctx, picture } = brush;
	ctx.strokeStyle = picture.palette.mark;
	ctx.lineWidth = 1;
	ctx.globalAlpha = inJunction ? 0.35 : 1;
	ctx.beginPath();
	for (const lane of lanes) {
		if (lane.inJunction === inJunction) traceSides(brush, map, lane.row);
	}
	ctx.stroke();
	ctx.globalAlpha = 1;
}

function paintRoads(
	brush: Brush,
	map: MapView,
	shapes: MapShapes,
	lanes: readonly LaneShape[],
): void {
	const { ctx, picture } = brush;
	ctx.fillStyle = picture.palette.road;
	inMap(brush, shapes, () => {
		// The aerial image shows the roads themselves.
		for (const tile of picture.aerial ? [] : shapes.tiles)
			if (inView(tile, picture.view)) ctx.fill(tile.area);
	});
	paintMarks(brush, map, lanes, true);
	paintMarks(brush, map, lanes, false);
}

function paintLit(
	brush: Brush,
	map: MapView,
	shapes: MapShapes,
	lanes: readonly LaneShape[],
): void {
	const { ctx, picture } = brush;
	const { laneColours, palette } = picture;
	const colourOf = ({ row }: LaneShape) => LANE_COLOURS[laneColours?.[row] ?? 0];
	const lit = lanes.filter((lane) => colourOf(lane) !== undefined);
	ctx.globalAlpha = 0.13;
	inMap(brush, shapes, () => {
		for (const lane of lit) {
			ctx.fillStyle = palette[colourOf(lane) ?? "red"];
			ctx.fill(lane.area);
		}
	});
	ctx.lineWidth = 1.3;
	for (const lane of lit) {
		ctx.strokeStyle = palette[colourOf(lane) ?? "red"];
		ctx.globalAlpha = lane.inJunction ? 0.3 : 0.85; // crossing turns would drown the rest
		ctx.beginPath();
		traceSides(brush, map, lane.row);
		ctx.stroke();
	}
	ctx.globalAlpha = 1;
}

function paintCrosswalks(
	{ ctx, picture }: Brush,
	shapes: MapShapes,
	palette: Palette,
	pixel: number,
): void {
	ctx.fillStyle = palette.crosswalk;
	ctx.strokeStyle = palette.crosswalk;
	ctx.lineWidth = pixel;
	ctx.setLineDash([5 * pixel, 3 * pixel]);
	for (const crosswalk of shapes.crosswalks) {
		if (!inView(crosswalk, picture.view)) continue;
		ctx.globalAlpha = 0.1;
		ctx.fill(crosswalk.area);
		ctx.globalAlpha = 0.9;
		ctx.stroke(crosswalk.area);
	}
	ctx.globalAlpha = 1;
}

/** Roads, the lanes that a lit face controls, crosswalks. */
export function paintMap(brush: Brush): void {
	const { map, laneColours, view, layers, palette }: Picture = brush.picture;
	if (!map) return;
	const shapes = mapShapes(map);
	const lanes = shapes.lanes.filter((lane) => inView(lane, view));
	if (layers.has("lanes")) paintRoads(brush, map, shapes, lanes);
	if (layers.has("lights") && laneColours) paintLit(brush, map, shapes, lanes);
	if (layers.has("crosswalks")) {
		inMap(brush, shapes, (pixel) => paintCrosswalks(brush, shapes, palette, pixel));
	}
}
