import { paintTag } from "./paint-labels.js";
import type { Brush, Picture, TextBrush } from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Minimum opacity of a mode, so that improbable modes stay visible. */
const FAINTEST = 0.18;
/** Opacity factor of predictions of other tracks than the selected one. */
const BEHIND = 0.35;
/** Opacity factor of predictions of an earlier frame. */
const HELD = 0.45;

/**
 * Returns the earlier frame of the displayed predictions; undefined if they belong to
 * the current frame.
 */
export function heldFrom({ predictions, frame, layers }: Picture): number | undefined {
	if (!predictions || !layers.has("predicted")) return undefined;
	return predictions.frame === frame?.frame ? undefined : predictions.frame;
}

function strengthOf(brush: Brush, confidence: number, track: bigint): number {
	const { selection } = brush.picture;
	const chosen = selection === (track === -1n ? "ego" : track);
	const back = selection !== undefined && !chosen ? BEHIND : 1;
	const held = heldFrom(brush.picture) === undefined ? 1 : HELD;
	return held * back * (FAINTEST + (1 - FAINTEST) * Math.min(1, confidence));
}

/** Paints the actual path of each predicted agent as a thin line under the modes. */
function paintTruth(brush: Brush): void {
	const { ctx, picture } = brush;
	const { truth } = picture.predictions ?? {};
	if (!truth) return;
	ctx.strokeStyle = picture.palette.ink;
	ctx.lineWidth = 1;
	ctx.globalAlpha = heldFrom(picture) === undefined ? 0.7 : 0.7 * HELD;
	ctx.beginPath();
	for (let i = 0; i + 1 < truth.offsets.length; i += 1) {
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

/**
 * Paints every predicted mode of the frame; opacity and width increase with the
 * confidence.
 */
export function paintPredictions(brush: Brush): void {
	const { ctx, picture } = brush;
	const { predictions, layers, palette } = picture;
	if (!predictions || !layers.has("predicted")) return;
	const { modes, confidences, tracks } = predictions;
	ctx.lineJoin = "round";
	ctx.lineCap = "round";
	paintTruth(brush);
	ctx.strokeStyle = palette.predicted;
	ctx.fillStyle = palette.predicted;
	for (let i = 0; i < confidences.length; i += 1) {
		const confidence = confidences[i] ?? 0;
		const [begin, end] = [modes.offsets[i] ?? 0, modes.offsets[i + 1] ?? 0];
		ctx.globalAlpha = strengthOf(brush, confidence, tracks[i] ?? 0n);
		ctx.lineWidth = 1 + 1.5 * confidence;
		ctx.beginPath();
		tracePolyline(brush, modes.points, begin, end);
		ctx.stroke();
		if (end > begin) paintEnd(brush, modes.points, end - 1);
	}
	ctx.globalAlpha = 1;
	ctx.lineCap = "butt";
}

/** Paints the frame number of predictions from an earlier frame. */
export function paintHeldFrom(brush: TextBrush): void {
	const held = heldFrom(brush.picture);
	if (held === undefined) return;
	const { width, height } = brush.picture.view;
	paintTag(brush, { x: width / 2 - 80, y: height - 40 }, `Predicted in frame ${held}`);
}
