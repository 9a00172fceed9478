import type { ModelLines } from "../review/model-lines.js";
import { paintTag } from "./paint-labels.js";
import type { Palette } from "./palette.js";
import type { Brush, Picture, TextBrush } from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Opacity factor of predictions of an earlier frame. */
export const HELD = 0.45;
/** Minimum opacity of a mode, so that improbable modes stay visible. */
const FAINTEST = 0.18;
/** Opacity factor of predictions of other tracks than the selected one. */
const BEHIND = 0.35;
/** The same if the picture is about the selected one; its modes have at least `NEAREST`. */
const ASIDE = 0.15;
const NEAREST = 0.6;
/** Tolerance of simplified modes in CSS pixels; their cost is per segment. */
const TOLERANCE = 0.3;

/** Colour and dashes of each model; the dashes tell them apart without colour. */
const STYLES: readonly (readonly [name: keyof Palette, dashes: number[]])[] = [
	["model-1", []],
	["model-2", [9, 4]],
	["model-3", [2, 4]],
	["model-4", [9, 4, 2, 4]],
];
const SOLID: number[] = [];

/** Returns the colour and dashes of a model. */
export function styleOf(
	palette: Palette,
	slot: number,
): { readonly colour: string; readonly dashes: number[] } {
	const [name = "predicted", dashes = SOLID] = STYLES[slot] ?? [];
	return { colour: palette[name], dashes };
}

/** Returns whether the lines are those of an earlier frame. */
export function isHeld({ lines }: ModelLines, { frame }: Picture): boolean {
	return lines.frame !== frame?.frame;
}

/** Returns whether there are predictions to paint. */
export function hasPredictions({ predictions, layers }: Picture): boolean {
	return predictions.length > 0 && layers.has("predicted");
}

/**
 * Returns the earlier frame of the displayed predictions; undefined if they belong to
 * the current frame.
 */
export function heldFrom(picture: Picture): number | undefined {
	if (!hasPredictions(picture)) return undefined;
	return picture.predictions.find((one) => isHeld(one, picture))?.lines.frame;
}

function strengthOf(brush: Brush, confidence: number, track: bigint): number {
	const { selection, focus } = brush.picture;
	const chosen = selection === (track === -1n ? "ego" : track);
	const behind = focus === undefined ? BEHIND : ASIDE;
	const back = selection !== undefined && !chosen ? behind : 1;
	const least = focus !== undefined && chosen ? NEAREST : FAINTEST;
	return back * (least + (1 - least) * Math.min(1, confidence));
}

/** Returns whether one of the first `count` models has a path of the track. */
function isPainted({ predictions }: Picture, count: number, track: bigint): boolean {
	const frame = predictions[count]?.lines.frame;
	for (let i = 0; i < count; i += 1) {
		const lines = predictions[i]?.lines;
		if (lines?.frame === frame && lines?.truthTracks.includes(track)) return true;
	}
	return false;
}

/** Whose recorded paths are painted, and how. */
interface TruthStyle {
	readonly alpha: number;
	readonly width: number;
	readonly has: (track: bigint) => boolean;
}

/**
 * Paints the actual path of each predicted agent once, as a thin line under the modes; if
 * the picture is about one agent, its path is thicker and the others' are faint.
 */
function paintTruth(brush: Brush, index: number, strength: number): void {
	const { focus } = brush.picture;
	const isIt = (track: bigint): boolean => focus === (track === -1n ? "ego" : track);
	const alpha = 0.7 * strength * (focus === undefined ? 1 : ASIDE);
	paintPaths(brush, index, { alpha, width: 1, has: (track) => !isIt(track) });
	if (focus !== undefined)
		paintPaths(brush, index, { alpha: strength, width: 2, has: isIt });
}

function paintPaths(
	brush: Brush,
	index: number,
	{ alpha, width, has }: TruthStyle,
): void {
	const { ctx, picture } = brush;
	const lines = picture.predictions[index]?.lines;
	if (!lines) return;
	const { truth, truthTracks } = lines;
	ctx.strokeStyle = picture.palette.ink;
	ctx.lineWidth = width;
	ctx.globalAlpha = alpha;
	ctx.beginPath();
	for (let i = 0; i + 1 < truth.offsets.length; i += 1) {
		const track = truthTracks[i] ?? 0n;
		if (!has(track) || isPainted(picture, index, track)) continue;
		tracePolyline(
			brush,
			truth.points,
			truth.offsets[i] ?? 0,
			truth.offsets[i + 1] ?? 0,
		);
	}
	ctx.stroke();
}

function paintEnd(
	{ ctx, projection: p }: Brush,
	points: Float64Array,
	at: number,
): void {
	const x = points[2 * at] ?? 0;
	const y = points[2 * at + 1] ?? 0;
	ctx.beginPath();
	ctx.arc(p.a * x + p.c * y + p.e, p.b * x + p.d * y + p.f, 2.5, 0, 2 * Math.PI);
	ctx.fill();
}

/** Paints a model's modes; opacity and width increase with the confidence. */
function paintModes(brush: Brush, model: ModelLines, strength: number): void {
	const { ctx, picture } = brush;
	const { modes, confidences, tracks } = model.lines;
	const { colour, dashes } = styleOf(picture.palette, model.slot);
	ctx.strokeStyle = colour;
	ctx.fillStyle = colour;
	if (dashes.length > 0) ctx.setLineDash(dashes);
	for (let i = 0; i < confidences.length; i += 1) {
		const confidence = confidences[i] ?? 0;
		const [begin, end] = [modes.offsets[i] ?? 0, modes.offsets[i + 1] ?? 0];
		ctx.globalAlpha = strength * strengthOf(brush, confidence, tracks[i] ?? 0n);
		ctx.lineWidth = 1 + 1.5 * confidence;
		ctx.beginPath();
		tracePolyline(brush, modes.points, begin, end, TOLERANCE);
		ctx.stroke();
		if (end > begin) paintEnd(brush, modes.points, end - 1);
	}
	if (dashes.length > 0) ctx.setLineDash(SOLID);
}

/**
 * Paints every predicted mode of all visible models, over the recorded paths.
 *
 * @param held opacity factor of predictions of an earlier frame
 */
export function paintPredictions(brush: Brush, held = HELD): void {
	const { ctx, picture } = brush;
	const { predictions } = picture;
	if (!hasPredictions(picture)) return;
	const strengths = predictions.map((one) => (isHeld(one, picture) ? held : 1));
	ctx.lineJoin = "round";
	for (const [i, strength] of strengths.entries()) paintTruth(brush, i, strength);
	for (const [i, model] of predictions.entries())
		paintModes(brush, model, strengths[i] ?? 1);
	ctx.globalAlpha = 1;
}

/** Paints the frame number of predictions from an earlier frame. */
export function paintHeldFrom(brush: TextBrush): void {
	const held = heldFrom(brush.picture);
	if (held === undefined) return;
	const { width, height } = brush.picture.view;
	paintTag(brush, { x: width / 2 - 80, y: height - 40 }, `Predicted in frame ${held}`);
}
