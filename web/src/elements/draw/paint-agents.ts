import type { FrameView } from "../../frame-view.js";
import { agentIndex, classOf, DIMMED, DROPPED, SHOWN } from "../agents/summary.js";
import { type AgentClass, CLASSES } from "../layers/layer-set.js";
import type { Selection } from "../scene-view/picking.js";
import type { Brush } from "./picture.js";
import {
	type ScreenBox,
	screenBox,
	traceBox,
	traceCircle,
	traceDiamond,
	traceHeading,
	traceWindscreen,
} from "./shapes.js";

type Trace = (brush: Brush, box: ScreenBox) => void;

const TRACES: Readonly<Record<AgentClass, Trace>> = {
	vehicle: traceBox,
	cyclist: traceDiamond,
	pedestrian: traceCircle,
	other: traceBox,
};

/** Minimum length in CSS pixels of boxes with a windscreen. */
const WINDSCREEN_FROM = 14;

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

function paintClass(brush: Brush, name: AgentClass, boxes: readonly ScreenBox[]): void {
	const { ctx, picture } = brush;
	const colour = picture.palette[name];
	ctx.fillStyle = colour;
	ctx.strokeStyle = colour;
	ctx.lineWidth = 1.5;
	traceAll(brush, boxes, traceHeading);
	ctx.stroke();
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

function paintWindscreens(
	brush: Brush,
	boxes: readonly ScreenBox[],
	alpha: number,
): void {
	const { ctx, picture } = brush;
	const large = boxes.filter((box) => box.length >= WINDSCREEN_FROM);
	ctx.strokeStyle = picture.palette.ground;
	ctx.globalAlpha = alpha;
	traceAll(brush, large, traceWindscreen);
	ctx.stroke();
	ctx.globalAlpha = 1;
}

function paintDropped(brush: Brush, frame: FrameView): void {
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
function paintDimmed(brush: Brush, frame: FrameView): void {
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
	traceAll(brush, [box], traceHeading);
	ctx.stroke();
	traceAll(brush, [box], traceBox);
	ctx.globalAlpha = 0.95;
	ctx.fill();
	ctx.lineWidth = 1.5;
	paintWindscreens(brush, [box], 0.7);
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
		const of = boxes.filter(([i]) => classOf(frame, i) === name).map(([, box]) => box);
		if (of.length > 0) paintClass(brush, name, of);
	}
	if (layers.has("ego")) paintEgo(brush, frame);
}

/**
 * Returns the outline of a selected or hovered agent: its shape and position on the
 * screen.
 */
export function outlineOf(
	brush: Brush,
	selection: Selection,
): { box: ScreenBox; trace: Trace } | undefined {
	const { frame, visibility, layers } = brush.picture;
	if (!frame) return undefined;
	if (selection === "ego") {
		if (!layers.has("ego")) return undefined;
		return { box: screenBox(brush, frame.ego.corners, 0), trace: traceBox };
	}
	const i = agentIndex(frame, selection);
	if (i === undefined || visibility[i] === 0) return undefined;
	const box = screenBox(brush, frame.agents.corners, i);
	return { box, trace: TRACES[classOf(frame, i)] };
}
