import type { FrameView } from "../../dataset/frame-view.js";
import { agentIndex, classOf, DIMMED, DROPPED, SHOWN } from "../agents/summary.js";
import { type AgentClass, CLASSES, showsEgo } from "../layers/layer-set.js";
import type { Selection } from "../scene-view/picking.js";
import type { Brush, Outline, ScreenBox } from "./picture.js";
import {
	screenBox,
	traceBox,
	traceBrakes,
	traceCircle,
	traceDiamond,
	traceRounded,
	traceVelocity,
	traceWindscreen,
} from "./shapes.js";

type Trace = Outline["trace"];

const TRACES: Readonly<Record<AgentClass, Trace>> = {
	vehicle: traceRounded,
	cyclist: traceDiamond,
	pedestrian: traceCircle,
	other: traceBox,
};

/** Minimum length in CSS pixels of boxes with a windscreen. */
export const WINDSCREEN_FROM = 14;
/** Speed in metres per second from which a velocity vector is drawn. */
const MOVING_FROM = 0.5;
/** Scale in pixels per metre from which velocity vectors and brake lights are drawn. */
export const MOTION_FROM = 1.6;

function boxesOf(
	brush: Brush,
	frame: FrameView,
	visibility: number,
): [number, ScreenBox][] {
	const { width, height } = brush.picture.view;
	const boxes: [number, ScreenBox][] = [];
	for (let i = 0; i < frame.agents.length; i += 1) {
		if (brush.picture.visibility[i] !== visibility) continue;
		const box = screenBox(brush, frame.agents.corners, i);
		const reach = box.length + box.width;
		const across = box.cx >= -reach && box.cx <= width + reach;
		if (across && box.cy >= -reach && box.cy <= height + reach) boxes.push([i, box]);
	}
	return boxes;
}

function traceAll(brush: Brush, boxes: readonly ScreenBox[], trace: Trace): void {
	brush.ctx.beginPath();
	for (const box of boxes) trace(brush, box);
}

/** Returns the extent on the screen of one second of travel at a world velocity. */
function secondOf({ projection: p }: Brush, vx: number, vy: number): [number, number] {
	return [p.a * vx + p.c * vy, p.b * vx + p.d * vy];
}

/** Paints the recorded velocities: vectors as long as one second of travel. */
export function paintVelocities(
	brush: Brush,
	frame: FrameView,
	name: AgentClass,
	of: readonly (readonly [number, ScreenBox])[],
): void {
	const { ctx, picture } = brush;
	if (picture.view.pixelsPerMetre < MOTION_FROM) return;
	const { velocity } = frame.agents;
	ctx.strokeStyle = picture.palette[name];
	ctx.lineWidth = 1.5;
	ctx.beginPath();
	for (const [i, box] of of) {
		const [vx = 0, vy = 0] = [velocity[2 * i], velocity[2 * i + 1]];
		if (!(Math.hypot(vx, vy) >= MOVING_FROM)) continue;
		traceVelocity(brush, box, secondOf(brush, vx, vy), name === "pedestrian");
	}
	ctx.stroke();
}

/** Paints the ego's velocity, by finite differences as its speed is. */
export function paintEgoVelocity(
	brush: Brush,
	{ ego }: FrameView,
	box: ScreenBox,
): void {
	const { ctx, picture } = brush;
	const { speed, trail, yaw } = ego;
	if (picture.view.pixelsPerMetre < MOTION_FROM || !(speed >= MOVING_FROM)) return;
	const [x1 = 0, y1 = 0, x0 = x1, y0 = y1] = trail;
	const moved = Math.hypot(x1 - x0, y1 - y0);
	const [dx, dy] =
		moved > 0 ? [(x1 - x0) / moved, (y1 - y0) / moved] : [Math.cos(yaw), Math.sin(yaw)];
	ctx.beginPath();
	traceVelocity(brush, box, secondOf(brush, speed * dx, speed * dy), false);
	ctx.stroke();
}

export function paintBrakes(brush: Brush, box: ScreenBox): void {
	const { ctx, picture } = brush;
	if (picture.view.pixelsPerMetre < MOTION_FROM) return;
	ctx.globalAlpha = 1;
	ctx.fillStyle = picture.palette.red;
	traceAll(brush, [box], traceBrakes);
	ctx.fill();
}

function paintClass(brush: Brush, name: AgentClass, boxes: readonly ScreenBox[]): void {
	const { ctx, picture } = brush;
	const colour = picture.palette[name];
	ctx.strokeStyle = colour;
	ctx.lineWidth = 1.5;
	traceAll(brush, boxes, TRACES[name]);
	knockOut(brush);
	ctx.fillStyle = colour;
	ctx.globalAlpha = name === "other" ? 0.22 : 0.82;
	ctx.fill();
	ctx.globalAlpha = 1;
	if (name === "other") ctx.stroke();
	if (name === "vehicle") paintWindscreens(brush, boxes, 0.55);
}

/** Clears the area under the boxes, so that trails do not show through. */
function knockOut({ ctx, picture }: Brush): void {
	ctx.fillStyle = picture.palette.road;
	ctx.fill();
}

export function paintWindscreens(
	brush: Brush,
	boxes: readonly ScreenBox[],
	alpha: number,
): void {
	const { ctx, picture } = brush;
	const large = boxes.filter((box) => box.length >= WINDSCREEN_FROM);
	if (large.length === 0) return;
	ctx.fillStyle = picture.palette.ground;
	ctx.globalAlpha = alpha;
	traceAll(brush, large, traceWindscreen);
	ctx.fill();
	ctx.globalAlpha = 1;
}

export function paintDropped(brush: Brush, frame: FrameView): void {
	const { ctx, picture } = brush;
	const boxes = boxesOf(brush, frame, DROPPED).map(([, box]) => box);
	ctx.strokeStyle = picture.palette.ink3;
	ctx.lineWidth = 1;
	ctx.setLineDash([2, 2]);
	traceAll(brush, boxes, traceBox);
	ctx.stroke();
	ctx.setLineDash([]);
}

/** Paints agents that do not match the search query, faintly. */
export function paintDimmed(brush: Brush, frame: FrameView): void {
	const { ctx, picture } = brush;
	const boxes = boxesOf(brush, frame, DIMMED);
	ctx.globalAlpha = 0.25;
	for (const name of CLASSES) {
		const of = boxes.filter(([i]) => classOf(frame, i) === name).map(([, box]) => box);
		if (of.length === 0) continue;
		ctx.fillStyle = picture.palette[name];
		traceAll(brush, of, TRACES[name]);
		ctx.fill();
	}
	ctx.globalAlpha = 1;
}

function paintEgo(brush: Brush, frame: FrameView): void {
	const { ctx, picture } = brush;
	const box = screenBox(brush, frame.ego.corners, 0);
	ctx.fillStyle = picture.palette.ego;
	ctx.strokeStyle = picture.palette.ego;
	ctx.lineWidth = 2;
	paintEgoVelocity(brush, frame, box);
	traceAll(brush, [box], traceRounded);
	ctx.globalAlpha = 0.95;
	ctx.fill();
	paintWindscreens(brush, [box], 0.7);
	if (picture.braking?.ego) paintBrakes(brush, box);
}

/**
 * Paints visible agents with the colour and shape of their class, and the ego above
 * them.
 */
export function paintAgents(brush: Brush): void {
	const { frame, layers } = brush.picture;
	if (!frame) return;
	if (layers.has("dropped")) paintDropped(brush, frame);
	paintDimmed(brush, frame);
	const boxes = boxesOf(brush, frame, SHOWN);
	for (const name of [...CLASSES].reverse()) {
		const of = boxes.filter(([i]) => classOf(frame, i) === name);
		if (of.length === 0) continue;
		paintVelocities(brush, frame, name, of);
		paintClass(
			brush,
			name,
			of.map(([, box]) => box),
		);
	}
	const { braking, selection } = brush.picture;
	for (const [i, box] of boxes) {
		if (braking?.selection && frame.agents.track_id[i] === selection)
			paintBrakes(brush, box);
	}
	if (showsEgo(layers, frame)) paintEgo(brush, frame);
}

/**
 * Returns the outline of a selected or hovered agent: its shape and position on the
 * screen.
 */
export function outlineOf(brush: Brush, selection: Selection): Outline | undefined {
	const { frame, visibility, layers } = brush.picture;
	if (!frame) return undefined;
	if (selection === "ego") {
		if (!showsEgo(layers, frame)) return undefined;
		return { box: screenBox(brush, frame.ego.corners, 0), trace: traceRounded };
	}
	const i = agentIndex(frame, selection);
	if (i === undefined || visibility[i] === 0) return undefined;
	const box = screenBox(brush, frame.agents.corners, i);
	return { box, trace: TRACES[classOf(frame, i)] };
}
