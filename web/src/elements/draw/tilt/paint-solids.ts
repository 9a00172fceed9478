import { DIMMED, SHOWN } from "../../agents/summary.js";
import { CLASSES, showsEgo } from "../../layers/layer-set.js";
import { LETTERS, type LightState } from "../../map/lights.js";
import type { Selection } from "../../scene-view/picking.js";
import {
	MOTION_FROM,
	paintBrakes,
	paintDropped,
	paintEgoVelocity,
	paintVelocities,
	paintWindscreens,
	WINDSCREEN_FROM,
} from "../paint-agents.js";
import type { Palette } from "../palette.js";
import type { Brush, Outline, Pen, ScreenBox, TextBrush } from "../picture.js";
import { traceBox } from "../shapes.js";
import {
	type AgentSolid,
	agentSolids,
	type LightSolid,
	lightSolids,
	solidOf,
} from "./scene-solids.js";
import type { Solid } from "./solid.js";
import { backToFront, CORNERS, type Corner, hullOf, nextCorner } from "./solid.js";

/** Opacity of black over a side, by whether it faces the light: from left to right. */
const SHADE = { lit: 0.12, dark: 0.44 };
/** Sides by the index of their first corner. */
const FRONT = 3;

/** Returns the box's top. */
function roofOf({ box, high }: Solid): ScreenBox {
	const [a, b, c, d] = box.y;
	return { ...box, y: [a - high, b - high, c - high, d - high], cy: box.cy - high };
}

function traceHull(ctx: Pen, solid: Solid): void {
	const hull = hullOf(solid);
	for (let k = 0; k + 1 < hull.length; k += 2) {
		const [x = 0, y = 0] = [hull[k], hull[k + 1]];
		if (k === 0) ctx.moveTo(x, y);
		else ctx.lineTo(x, y);
	}
	ctx.closePath();
}

/** A part of a side: shares of its width from its first corner, and of its height. */
interface Panel {
	readonly across: readonly [number, number];
	readonly up: readonly [number, number];
}

const WHOLE: Panel = { across: [0, 1], up: [0, 1] };
/** The windscreen on a front. */
const SCREEN: Panel = { across: [0.1, 0.9], up: [0.5, 0.86] };

/** Traces the side between corner `k` and the next, or a part of it. */
function traceSide(
	ctx: Pen,
	{ box: { x, y }, low, high }: Solid,
	k: Corner,
	panel = WHOLE,
) {
	const n = nextCorner(k);
	const to = (across: number, up: number): [number, number] => [
		x[k] + (x[n] - x[k]) * across,
		y[k] + (y[n] - y[k]) * across - low - (high - low) * up,
	];
	const [[begin, end], [bottom, top]] = [panel.across, panel.up];
	ctx.moveTo(...to(begin, bottom));
	ctx.lineTo(...to(end, bottom));
	ctx.lineTo(...to(end, top));
	ctx.lineTo(...to(begin, top));
	ctx.closePath();
}

/** Returns the sides that face the viewer, at most two. */
function facing({ x }: ScreenBox): Corner[] {
	return CORNERS.filter((k) => x[nextCorner(k)] > x[k]);
}

/** Darkens the sides of a box that is filled with its colour. */
function paintShades({ ctx }: Brush, solid: Solid): void {
	const { x, y } = solid.box;
	ctx.fillStyle = "#000";
	for (const k of facing(solid.box)) {
		const n = nextCorner(k);
		const [dx, dy] = [x[n] - x[k], y[n] - y[k]];
		// The outward normal is (-dy, dx).
		const right = 0.5 - dy / Math.hypot(dx, dy) / 2;
		ctx.globalAlpha = SHADE.lit + (SHADE.dark - SHADE.lit) * right;
		ctx.beginPath();
		traceSide(ctx, solid, k);
		ctx.fill();
	}
	ctx.globalAlpha = 1;
}

/** Strokes the edges of the top, which separate it from sides of a similar colour. */
function paintEdges(brush: Brush, solid: Solid): void {
	const { ctx, picture } = brush;
	ctx.strokeStyle = picture.palette.ground;
	ctx.lineWidth = 1;
	ctx.globalAlpha = 0.35;
	ctx.beginPath();
	traceBox(brush, roofOf(solid));
	ctx.stroke();
	ctx.globalAlpha = 1;
}

/** Paints a box as its edges, faintly filled: the class is unknown. */
function paintOther(brush: Brush, solid: Solid, colour: string): void {
	const { ctx, picture } = brush;
	ctx.beginPath();
	traceHull(ctx, solid);
	ctx.fillStyle = picture.palette.road;
	ctx.fill();
	ctx.fillStyle = colour;
	ctx.globalAlpha = 0.22;
	ctx.fill();
	ctx.globalAlpha = 1;
	ctx.strokeStyle = colour;
	ctx.lineWidth = 1.5;
	ctx.beginPath();
	for (const k of facing(solid.box)) traceSide(ctx, solid, k);
	traceBox(brush, roofOf(solid));
	ctx.stroke();
}

/** Marks the front of a vehicle: windscreens on its top and, if visible, on its front. */
function paintFront(brush: Brush, solid: AgentSolid): void {
	const alpha = solid.kind === "ego" ? 0.7 : 0.55;
	paintWindscreens(brush, [roofOf(solid)], alpha);
	const isLarge = solid.box.length >= WINDSCREEN_FROM;
	if (!isLarge || !facing(solid.box).includes(FRONT)) return;
	const { ctx, picture } = brush;
	ctx.fillStyle = picture.palette.ground;
	ctx.globalAlpha = alpha;
	ctx.beginPath();
	traceSide(ctx, solid, FRONT, SCREEN);
	ctx.fill();
	ctx.globalAlpha = 1;
}

/** Points of a circle as shares of a box: along its heading, and across. */
const CIRCLE = Array.from({ length: 16 }, (_, k) => {
	const angle = (Math.PI * k) / 8;
	return [Math.cos(angle), Math.sin(angle)] as const;
});
const DIAMOND = CIRCLE.filter((_, k) => k % 4 === 0);

/** Marks the class on the top: a diamond for cyclists, a circle for pedestrians. */
function paintSign({ ctx, picture }: Brush, solid: AgentSolid): void {
	const { x, y, cx, cy, length } = roofOf(solid);
	if (length < WINDSCREEN_FROM / 2) return;
	const points = solid.kind === "cyclist" ? DIAMOND : CIRCLE;
	// Half of the box along its heading, and across to the left.
	const ahead = [(x[0] + x[3]) / 2 - cx, (y[0] + y[3]) / 2 - cy] as const;
	const aside = [(x[0] + x[1]) / 2 - cx, (y[0] + y[1]) / 2 - cy] as const;
	ctx.fillStyle = picture.palette.ground;
	ctx.globalAlpha = 0.55;
	ctx.beginPath();
	for (const [k, [u, v]] of points.entries()) {
		const px = cx + 0.7 * (u * ahead[0] + v * aside[0]);
		const py = cy + 0.7 * (u * ahead[1] + v * aside[1]);
		if (k === 0) ctx.moveTo(px, py);
		else ctx.lineTo(px, py);
	}
	ctx.closePath();
	ctx.fill();
	ctx.globalAlpha = 1;
}

function paintFilled(brush: Brush, solid: Solid, colour: string): void {
	const { ctx } = brush;
	ctx.fillStyle = colour;
	ctx.beginPath();
	traceHull(ctx, solid);
	ctx.fill();
	paintShades(brush, solid);
	if (solid.box.length >= WINDSCREEN_FROM / 2) paintEdges(brush, solid);
}

function isBraking({ picture: { braking, selection } }: Brush, of: Selection): boolean {
	if (of === "ego") return braking?.ego === true;
	return braking?.selection === true && of === selection;
}

function paintAgent(brush: Brush, solid: AgentSolid): void {
	const { kind } = solid;
	const colour = brush.picture.palette[kind];
	if (kind === "other") paintOther(brush, solid, colour);
	else paintFilled(brush, solid, colour);
	if (kind === "ego" || kind === "vehicle") paintFront(brush, solid);
	else if (kind !== "other") paintSign(brush, solid);
	if (isBraking(brush, solid.selection)) paintBrakes(brush, roofOf(solid));
}

function colourOf(palette: Palette, state: LightState): string {
	if (state === "lit") return palette.ink;
	return state === "dark" || state === "unknown" ? palette.ink3 : palette[state];
}

/** Paints a light on its post. */
function paintLight(brush: Brush, solid: LightSolid): void {
	const { ctx, picture } = brush;
	const { cx, cy } = solid.box;
	ctx.strokeStyle = picture.palette.ink3;
	ctx.lineWidth = 1.5;
	ctx.beginPath();
	ctx.moveTo(cx, cy);
	ctx.lineTo(cx, cy - solid.low);
	ctx.stroke();
	// Unshaded: small sides would look like another colour.
	ctx.fillStyle = colourOf(picture.palette, solid.state);
	ctx.beginPath();
	traceHull(ctx, solid);
	ctx.fill();
}

/** Paints agents that do not match the search query, faintly on the ground. */
function paintDimmed(brush: Brush, solids: readonly AgentSolid[]): void {
	const { ctx, picture } = brush;
	ctx.globalAlpha = 0.25;
	for (const { kind, row, box } of solids) {
		if (picture.visibility[row] !== DIMMED) continue;
		ctx.fillStyle = picture.palette[kind];
		ctx.beginPath();
		traceBox(brush, box);
		ctx.fill();
	}
	ctx.globalAlpha = 1;
}

function paintMotion(brush: Brush, solids: readonly AgentSolid[]): void {
	const { ctx, picture } = brush;
	const { frame, palette } = picture;
	if (!frame) return;
	for (const name of CLASSES) {
		const of = solids.filter(({ kind }) => kind === name);
		if (of.length === 0) continue;
		const boxes = of.map(({ row, box }) => [row, box] as const);
		paintVelocities(brush, frame, name, boxes);
	}
	const ego = solids.find(({ kind }) => kind === "ego");
	ctx.strokeStyle = palette.ego;
	ctx.lineWidth = 2;
	if (ego) paintEgoVelocity(brush, frame, ego.box);
}

/** Paints agents and lights as boxes; filtered-out agents stay flat, on the ground. */
export function paintSolids(brush: Brush): void {
	const { picture } = brush;
	const { frame, layers, map, visibility, view } = picture;
	if (!frame) return;
	const agents = agentSolids(picture, frame, showsEgo(layers, frame));
	if (layers.has("dropped")) paintDropped(brush, frame);
	paintDimmed(brush, agents);
	const upright = agents.filter(
		({ kind, row }) => kind === "ego" || visibility[row] === SHOWN,
	);
	paintMotion(brush, upright);
	const lights = layers.has("lights") ? lightSolids(view, frame, map) : [];
	for (const solid of backToFront<AgentSolid | LightSolid>([...upright, ...lights])) {
		if (solid.kind === "light") paintLight(brush, solid);
		else paintAgent(brush, solid);
	}
}

/** Size in CSS pixels of a letter's background. */
const LETTER = { width: 14, height: 15 };

/** Paints the letters of the lights above them, as the list of lights has them. */
export function paintLetters({ ctx, picture }: TextBrush): void {
	const { frame, layers, map, view, palette } = picture;
	const isNear = view.pixelsPerMetre >= 2 * MOTION_FROM;
	if (!frame || !layers.has("lights") || !isNear) return;
	ctx.font = `700 10px ${palette.sans}`;
	ctx.textBaseline = "middle";
	for (const { box, high, state } of lightSolids(view, frame, map)) {
		const top = Math.min(...box.y) - high;
		const [x, y] = [Math.round(box.cx), Math.round(top - 10)];
		ctx.fillStyle = palette.panel;
		ctx.globalAlpha = 0.85;
		ctx.beginPath();
		const { width, height } = LETTER;
		ctx.rect(x - width / 2, y - height / 2, width, height);
		ctx.fill();
		ctx.globalAlpha = 1;
		ctx.fillStyle = palette.ink;
		const letter = LETTERS[state];
		ctx.fillText(letter, x - ctx.measureText(letter).width / 2, y + 1);
	}
}

/** Returns the outline of a selected or hovered agent's box. */
export function solidOutline(
	{ picture }: Brush,
	selection: Selection,
): Outline | undefined {
	const solid = solidOf(picture, selection);
	if (!solid) return undefined;
	const { box, high } = solid;
	// Labels are placed around the box's centre, at a distance that its size sets.
	const length = Math.max(box.length, high);
	return {
		box: { ...box, cy: box.cy - high / 2, length },
		trace: ({ ctx }) => traceHull(ctx, solid),
	};
}
