import type { FrameView } from "../../../dataset/frame-view.js";
import type { MapView } from "../../../dataset/map-view.js";
import { agentIndex, classOf, SHOWN } from "../../agents/summary.js";
import { type AgentClass, showsEgo } from "../../layers/layer-set.js";
import { type LightState, lightsOf } from "../../map/lights.js";
import type { View } from "../../scene-view/camera.js";
import type { Selection } from "../../scene-view/picking.js";
import { type Picture, projectionOf } from "../picture.js";
import { screenBox } from "../shapes.js";
import type { Solid } from "./solid.js";

/** An agent or the ego as a box; its height is 0 if it is drawn faintly. */
export interface AgentSolid extends Solid {
	readonly kind: AgentClass | "ego";
	readonly selection: Selection;
	/** Row of the agent; -1 for the ego. */
	readonly row: number;
}

/** A traffic light. */
export interface LightSolid extends Solid {
	readonly kind: "light";
	readonly id: string;
	readonly state: LightState;
}

/** Metres, where the data has no height. The ego's is L5Kit's `EGO_EXTENT_HEIGHT`. */
export const HEIGHTS: Readonly<Record<AgentClass | "ego", number>> = {
	ego: 1.8,
	vehicle: 1.6,
	cyclist: 1.7,
	pedestrian: 1.75,
	other: 1.5,
};

/** Metres. Maps have the positions of lights, without their heights and sizes. */
export const LIGHT = { width: 0.6, bottom: 3.6, top: 5 };

/** Returns the recorded height of agent `i` in metres, or the default of its class. */
export function heightOf(frame: FrameView, i: number): number {
	const height = frame.agents.extent[3 * i + 2] ?? 0;
	return height > 0 && height < Infinity ? height : HEIGHTS[classOf(frame, i)];
}

/** Returns how far one metre of height reaches up in the picture, in CSS pixels. */
export function pixelsPerMetreUp({ pixelsPerMetre, tilt = 0 }: View): number {
	return pixelsPerMetre * Math.sin(tilt);
}

/** What a picture's boxes are made of. */
type Inputs = Pick<Picture, "view" | "visibility">;

/** Returns a function that makes a box of a row of the frame; row -1 is the ego. */
function solidsOf(
	{ view, visibility }: Inputs,
	frame: FrameView,
): (row: number) => AgentSolid {
	const brush = { projection: projectionOf(view) };
	const up = pixelsPerMetreUp(view);
	return (row) => {
		if (row < 0) {
			const box = screenBox(brush, frame.ego.corners, 0);
			const high = HEIGHTS.ego * up;
			return { kind: "ego", selection: "ego", row, box, low: 0, high };
		}
		const box = screenBox(brush, frame.agents.corners, row);
		const high = visibility[row] === SHOWN ? heightOf(frame, row) * up : 0;
		const selection = frame.agents.track_id[row] ?? 0n;
		return { kind: classOf(frame, row), selection, row, box, low: 0, high };
	};
}

/** Returns the selected agent or the ego as a box; undefined if it is not visible. */
export function solidOf(
	picture: Inputs & Pick<Picture, "frame" | "layers">,
	selection: Selection,
): AgentSolid | undefined {
	const { frame, visibility, layers } = picture;
	if (!frame) return undefined;
	const solid = solidsOf(picture, frame);
	if (selection === "ego") return showsEgo(layers, frame) ? solid(-1) : undefined;
	const row = agentIndex(frame, selection);
	return row === undefined || visibility[row] === 0 ? undefined : solid(row);
}

/** Returns whether any part of the box, on the ground or above it, may be visible. */
function isInView({ box, high }: Solid, { width, height }: View): boolean {
	const reach = box.length + box.width;
	const across = box.cx >= -reach && box.cx <= width + reach;
	return across && box.cy >= -reach && box.cy <= height + reach + high;
}

/** Returns the visible agents and, if `ego`, the ego. */
export function agentSolids(
	inputs: Inputs,
	frame: FrameView,
	ego: boolean,
): AgentSolid[] {
	const solids: AgentSolid[] = [];
	const solidOfRow = solidsOf(inputs, frame);
	const add = (row: number) => {
		const solid = solidOfRow(row);
		if (isInView(solid, inputs.view)) solids.push(solid);
	};
	for (let i = 0; i < frame.agents.length; i += 1)
		if (inputs.visibility[i] !== 0) add(i);
	if (ego) add(-1);
	return solids;
}

const known = new WeakMap<MapView, ReadonlyMap<string, number>>();

function rowsOf(map: MapView): ReadonlyMap<string, number> {
	const before = known.get(map);
	if (before) return before;
	const rows = new Map(map.lights.id.map((id, row) => [id, row]));
	known.set(map, rows);
	return rows;
}

/** Returns the traffic lights of the frame whose positions the map has. */
export function lightSolids(
	view: View,
	frame: FrameView,
	map: MapView | undefined,
): LightSolid[] {
	if (!map) return [];
	const [rows, up, half] = [rowsOf(map), pixelsPerMetreUp(view), LIGHT.width / 2];
	const brush = { projection: projectionOf(view) };
	const solids: LightSolid[] = [];
	for (const { id, state } of lightsOf(frame, map)) {
		const row = rows.get(id);
		if (row === undefined) continue;
		const [x = Number.NaN, y = x] = map.lights.position.subarray(2 * row, 2 * row + 2);
		const [e, w, n, s] = [x + half, x - half, y + half, y - half];
		const box = screenBox(brush, Float64Array.of(e, n, w, n, w, s, e, s), 0);
		const [low, high] = [LIGHT.bottom * up, LIGHT.top * up];
		const solid: LightSolid = { kind: "light", id, state, box, low, high };
		if (isInView(solid, view)) solids.push(solid);
	}
	return solids;
}
