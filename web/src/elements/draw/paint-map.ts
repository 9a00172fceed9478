import type { MapView } from "../../dataset/map-view.js";
import type { LightColour } from "../map/lights.js";
import { type LaneSignal, laneSignal } from "./lane-signals.js";
import { inView, type LaneShape, type MapShapes, mapShapes } from "./map-shapes.js";
import type { GroundBrush, Picture } from "./picture.js";
import { roadDetail, zebraOf } from "./road-detail.js";

/** Colours for the values 1 to 3 of `laneColours`. */
const LIGHT_COLOURS: readonly LightColour[] = ["red", "yellow", "green"];

/** Scales in pixels per metre from which paint on the road, and chevrons, are drawn. */
const PAINT_FROM = 1.6;
const CHEVRONS_FROM = 3;

function paintRoads({ ctx, ground, picture }: GroundBrush, map: MapView): void {
	const { palette, view } = picture;
	const tiles = mapShapes(map).tiles.filter((tile) => inView(tile, view));
	const isNear = view.pixelsPerMetre >= PAINT_FROM;
	ctx.globalAlpha = 1;
	// Far out, roads are thin lines, which the colour of their paint keeps visible.
	ctx.fillStyle = isNear ? palette.road : palette.mark;
	// The aerial image already shows the roads.
	if (!picture.aerial) ground.fillAreas(map, tiles);
	if (!isNear) return;
	const details = tiles.map((tile) => roadDetail(map, tile));
	const stroke = (of: "solid" | "double" | "dashed" | "guides", width: number) => {
		ctx.lineWidth = width;
		ground.strokeLines(
			map,
			details.map((detail) => detail[of]),
		);
	};
	ctx.strokeStyle = palette.mark;
	ctx.globalAlpha = 0.45;
	stroke("guides", 1);
	ctx.globalAlpha = 1;
	stroke("dashed", 1);
	stroke("solid", 1);
	stroke("double", 2);
	if (view.pixelsPerMetre < CHEVRONS_FROM) return;
	ctx.fillStyle = palette.mark;
	ground.fillAreas(
		map,
		details.map(({ chevrons }) => chevrons),
	);
}

interface Lit {
	readonly colour: LightColour;
	readonly signals: readonly LaneSignal[];
}

function litOf(
	map: MapView,
	lanes: readonly LaneShape[],
	laneColours: Uint8Array,
): Lit[] {
	return LIGHT_COLOURS.map((colour, i) => ({
		colour,
		signals: lanes
			.filter(({ row }) => laneColours[row] === i + 1)
			.map(({ row }) => laneSignal(map, row)),
	})).filter(({ signals }) => signals.length > 0);
}

function presentOf<T>(all: readonly (T | undefined)[]): T[] {
	return all.filter((one): one is T => one !== undefined);
}

/** Paints the lanes before the stop lines. */
function paintApproaches(
	{ ctx, ground, picture }: GroundBrush,
	map: MapView,
	lit: readonly Lit[],
) {
	ctx.globalAlpha = 0.18;
	for (const { colour, signals } of lit) {
		ctx.fillStyle = picture.palette[colour];
		ground.fillAreas(map, presentOf(signals.map(({ approach }) => approach)));
	}
}

/** Paints stop lines, and the movements through junctions that are not stopped. */
function paintSignals(
	{ ctx, ground, picture }: GroundBrush,
	map: MapView,
	lit: readonly Lit[],
): void {
	const isNear = picture.view.pixelsPerMetre >= PAINT_FROM;
	for (const { colour, signals } of lit) {
		ctx.strokeStyle = picture.palette[colour];
		ctx.fillStyle = picture.palette[colour];
		if (colour !== "red" && isNear) {
			ctx.globalAlpha = 1;
			ctx.lineWidth = 1.5;
			ground.strokeLines(map, presentOf(signals.map(({ way }) => way)));
			ground.fillAreas(map, presentOf(signals.map(({ head }) => head)));
		}
		ctx.globalAlpha = 1;
		ctx.lineWidth = isNear ? 3 : 2;
		ground.strokeLines(map, presentOf(signals.map(({ stop }) => stop)));
	}
}

function paintCrosswalks(
	{ ctx, ground, picture }: GroundBrush,
	map: MapView,
	shapes: MapShapes,
): void {
	const { palette, view } = picture;
	if (view.pixelsPerMetre < PAINT_FROM) return;
	ctx.fillStyle = palette.crosswalk;
	ctx.globalAlpha = 0.45;
	const rows = [...shapes.crosswalks.keys()].filter((row) => {
		const shape = shapes.crosswalks[row];
		return shape && inView(shape, view);
	});
	ground.fillAreas(
		map,
		rows.map((row) => zebraOf(map, row)),
	);
}

/** Paints roads, what lights say about lanes, and crosswalks. */
export function paintMap(brush: GroundBrush): void {
	const { map, laneColours, view, layers }: Picture = brush.picture;
	if (!map) return;
	const shapes = mapShapes(map);
	const isLit = layers.has("lights") && laneColours !== undefined;
	const lanes = isLit ? shapes.lanes.filter((lane) => inView(lane, view)) : [];
	const lit = isLit ? litOf(map, lanes, laneColours) : [];
	if (layers.has("lanes")) paintRoads(brush, map);
	paintApproaches(brush, map, lit);
	if (layers.has("crosswalks")) paintCrosswalks(brush, map, shapes);
	paintSignals(brush, map, lit);
	brush.ctx.globalAlpha = 1;
}
