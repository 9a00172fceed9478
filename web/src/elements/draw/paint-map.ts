import type { LightColour } from "../lights.js";
import { inView, type LaneShape, type MapShapes, mapShapes } from "./map-shapes.js";
import type { Palette } from "./palette.js";
import type { Brush, Picture } from "./picture.js";

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

function paintRoads(
	{ ctx, picture }: Brush,
	lanes: readonly LaneShape[],
	pixel: number,
): void {
	const { palette } = picture;
	ctx.fillStyle = palette.road;
	ctx.strokeStyle = palette.road;
	ctx.lineWidth = pixel; // closes the hairline between neighbours' antialiased edges
	for (const lane of lanes) {
		ctx.fill(lane.area);
		ctx.stroke(lane.area);
	}
	ctx.strokeStyle = palette.mark;
	for (const lane of lanes) {
		ctx.globalAlpha = lane.inJunction ? 0.35 : 1;
		ctx.stroke(lane.sides);
	}
	ctx.globalAlpha = 1;
}

function paintLit(
	{ ctx, picture }: Brush,
	lanes: readonly LaneShape[],
	colours: Uint8Array,
	pixel: number,
): void {
	ctx.lineWidth = 1.3 * pixel;
	for (const lane of lanes) {
		const colour = LANE_COLOURS[colours[lane.row] ?? 0];
		if (!colour) continue;
		ctx.fillStyle = picture.palette[colour];
		ctx.strokeStyle = picture.palette[colour];
		ctx.globalAlpha = 0.13;
		ctx.fill(lane.area);
		ctx.globalAlpha = lane.inJunction ? 0.3 : 0.85; // crossing turns would drown the rest
		ctx.stroke(lane.sides);
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
	inMap(brush, shapes, (pixel) => {
		if (layers.has("lanes")) paintRoads(brush, lanes, pixel);
		if (layers.has("lights") && laneColours) paintLit(brush, lanes, laneColours, pixel);
		if (layers.has("crosswalks")) paintCrosswalks(brush, shapes, palette, pixel);
	});
}
