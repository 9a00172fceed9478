import type { MapView } from "../../map-view.js";
import type { LightColour } from "../map/lights.js";
import { inView, type LaneShape, type MapShapes, mapShapes } from "./map-shapes.js";
import type { GroundBrush, Picture } from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Colours for the values 1 to 3 of `laneColours`. */
const LIGHT_COLOURS: readonly LightColour[] = ["red", "yellow", "green"];

function paintRoads(
	{ ctx, ground, picture }: GroundBrush,
	map: MapView,
	shapes: MapShapes,
	lanes: readonly LaneShape[],
): void {
	const { palette, view } = picture;
	ctx.fillStyle = palette.road;
	ctx.globalAlpha = 1;
	// The aerial image already shows the roads.
	const tiles = picture.aerial ? [] : shapes.tiles;
	ground.fillAreas(
		map,
		tiles.filter((tile) => inView(tile, view)),
	);
	ctx.strokeStyle = palette.mark;
	ctx.lineWidth = 1;
	for (const inJunction of [true, false]) {
		ctx.globalAlpha = inJunction ? 0.35 : 1;
		ground.strokeSides(
			map,
			lanes.filter((lane) => lane.inJunction === inJunction),
		);
	}
}

function paintLit(
	{ ctx, ground, picture }: GroundBrush,
	map: MapView,
	lanes: readonly LaneShape[],
): void {
	const { laneColours, palette } = picture;
	const byColour = LIGHT_COLOURS.map((colour, i) => ({
		colour: palette[colour],
		lit: lanes.filter(({ row }) => laneColours?.[row] === i + 1),
	})).filter(({ lit }) => lit.length > 0);
	for (const { colour, lit } of byColour) {
		ctx.fillStyle = colour;
		ctx.globalAlpha = 0.13;
		ground.fillAreas(map, lit);
	}
	ctx.lineWidth = 1.3;
	for (const { colour, lit } of byColour) {
		ctx.strokeStyle = colour;
		for (const inJunction of [true, false]) {
			ctx.globalAlpha = inJunction ? 0.3 : 0.85; // crossing turns would hide the other lines
			ground.strokeSides(
				map,
				lit.filter((lane) => lane.inJunction === inJunction),
			);
		}
	}
}

function paintCrosswalks(brush: GroundBrush, map: MapView, shapes: MapShapes): void {
	const { ctx, ground, picture } = brush;
	const { palette, view } = picture;
	ctx.fillStyle = palette.crosswalk;
	ctx.globalAlpha = 0.1;
	ground.fillAreas(
		map,
		shapes.crosswalks.filter((crosswalk) => inView(crosswalk, view)),
	);
	ctx.strokeStyle = palette.crosswalk;
	ctx.lineWidth = 1;
	ctx.globalAlpha = 0.9;
	ctx.setLineDash([5, 3]);
	ctx.beginPath();
	const { points, offsets } = map.crosswalks;
	shapes.crosswalks.forEach((crosswalk, i) => {
		if (!inView(crosswalk, view)) return;
		tracePolyline(brush, points, offsets[i] ?? 0, offsets[i + 1] ?? 0);
		ctx.closePath();
	});
	ctx.stroke();
	ctx.setLineDash([]);
}

/** Paints roads, lanes controlled by an active light, and crosswalks. */
export function paintMap(brush: GroundBrush): void {
	const { map, laneColours, view, layers }: Picture = brush.picture;
	if (!map) return;
	const shapes = mapShapes(map);
	const lanes = shapes.lanes.filter((lane) => inView(lane, view));
	if (layers.has("lanes")) paintRoads(brush, map, shapes, lanes);
	if (layers.has("lights") && laneColours) paintLit(brush, map, lanes);
	if (layers.has("crosswalks")) paintCrosswalks(brush, map, shapes);
	brush.ctx.globalAlpha = 1;
}
