import { formatNumber } from "../agents/describe.js";
import { type FocusError, focusErrors } from "../review/focus-errors.js";
import { poseOf } from "../scene-view/anchor.js";
import type { Point } from "../scene-view/camera.js";
import { paintTag } from "./paint-labels.js";
import { hasPredictions, styleOf } from "./paint-predictions.js";
import type { Projection, TextBrush } from "./picture.js";

/** Size of the plot of errors in CSS pixels, and its distance from the picture's edges. */
const PLOT = { width: 148, height: 74 };
const EDGE = { side: 16, top: 56, bottom: 72 };
/** Distance between ends, labels and plot. */
const BESIDE = 10;
/** Space for the numbers of the plot. */
const PAD = { left: 8, right: 8, top: 22, bottom: 8 };
/** Smallest picture with a plot. */
const MIN_PLOTTED = { width: 420, height: 300 };
const SOLID: number[] = [];
/** Height of the label of a distance. */
const TAG = 24;
const NOWHERE: Point = { x: 0, y: 0 };

/** Returns the words of a distance: `8.21 m`, or `3.10 m at step 12 of 50`. */
export function metresWords({ metres, last, steps }: FocusError): string {
	const part = last < steps ? ` at step ${last} of ${steps}` : "";
	return `${formatNumber(metres)} m${part}`;
}

function onScreen(p: Projection, [x, y]: readonly [number, number]): Point {
	return { x: p.a * x + p.c * y + p.e, y: p.b * x + p.d * y + p.f };
}

/** Strokes the path in a model's colour, with an edge in the ground's. */
function strokeAs({ ctx, picture }: TextBrush, slot: number, width: number): void {
	const { colour, dashes } = styleOf(picture.palette, slot);
	ctx.globalAlpha = 1;
	ctx.strokeStyle = picture.palette.ground;
	ctx.lineWidth = width + 2;
	ctx.stroke();
	ctx.strokeStyle = colour;
	ctx.lineWidth = width;
	ctx.setLineDash(dashes);
	ctx.stroke();
	ctx.setLineDash(SOLID);
}

/** Paints the line from the predicted end to the recorded one, with both as dots. */
function paintLeader(
	brush: TextBrush,
	slot: number,
	[from, to]: Layout["ends"][number],
): void {
	const { ctx, picture } = brush;
	ctx.beginPath();
	ctx.moveTo(from.x, from.y);
	ctx.lineTo(to.x, to.y);
	strokeAs(brush, slot, 1.5);
	for (const [at, colour] of [
		[from, styleOf(picture.palette, slot).colour],
		[to, picture.palette.ink],
	] as const) {
		ctx.beginPath();
		ctx.arc(at.x, at.y, 4, 0, 2 * Math.PI);
		ctx.fillStyle = colour;
		ctx.strokeStyle = picture.palette.ground;
		ctx.lineWidth = 1.5;
		ctx.fill();
		ctx.stroke();
	}
}

function within(at: number, least: number, most: number): number {
	return Math.round(Math.max(least, Math.min(at, most)));
}

/** Where distances and plot are: on the side of the ends that is away from the agent. */
interface Layout {
	readonly isLeft: boolean;
	/** Both ends of each leader, on the screen. */
	readonly ends: readonly (readonly [from: Point, to: Point])[];
	/** Widths of the labels. */
	readonly widths: readonly number[];
}

function layoutOf(brush: TextBrush, errors: readonly FocusError[]): Layout {
	const { ctx, picture, projection } = brush;
	const { focus, frame } = picture;
	const ends = errors.map(
		({ predicted, recorded }) =>
			[onScreen(projection, predicted), onScreen(projection, recorded)] as const,
	);
	const xs = ends.flat().map(({ x }) => x);
	const middle = xs.reduce((sum, x) => sum + x, 0) / xs.length;
	const pose = frame && focus !== undefined ? poseOf(frame, focus) : undefined;
	const agent = pose && onScreen(projection, [pose.x, pose.y]);
	ctx.font = `600 12px ${picture.palette.sans}`;
	const widths = errors.map((one) => ctx.measureText(metresWords(one)).width + 14);
	return { isLeft: agent !== undefined && middle < agent.x, ends, widths };
}

/** Paints the distances beside the leaders, one below the other if they would overlap. */
function paintMetres(
	brush: TextBrush,
	errors: readonly FocusError[],
	{ isLeft, ends, widths }: Layout,
): void {
	const tags = errors.map((error, i) => {
		const [from, to] = ends[i] ?? [NOWHERE, NOWHERE];
		const width = widths[i] ?? 0;
		const x = isLeft
			? Math.min(from.x, to.x) - BESIDE - width
			: Math.max(from.x, to.x) + BESIDE;
		return { error, x, y: (from.y + to.y - TAG) / 2, width };
	});
	const { ctx, picture } = brush;
	const { view, palette } = picture;
	let low = Number.NEGATIVE_INFINITY;
	for (const { error, x, y, width } of tags.sort((a, b) => a.y - b.y)) {
		low = within(Math.max(y, low + TAG), BESIDE, view.height - TAG - BESIDE);
		const at = { x: within(x, BESIDE, view.width - width - BESIDE), y: low };
		paintTag(brush, at, metresWords(error));
		ctx.fillStyle = styleOf(palette, error.slot).colour;
		ctx.fillRect(at.x, at.y, 3, TAG - 1);
	}
}

/** Returns where the plot is: beside the distances, inside of the picture. */
function plotPlace({ picture }: TextBrush, { isLeft, ends, widths }: Layout): Point {
	const { width, height } = picture.view;
	const xs = ends.flat().map(({ x }) => x);
	const ys = ends.flat().map(({ y }) => y);
	const aside = 2 * BESIDE + Math.max(...widths);
	const x = isLeft ? Math.min(...xs) - aside - PLOT.width : Math.max(...xs) + aside;
	const y = (Math.min(...ys) + Math.max(...ys) - PLOT.height) / 2;
	return {
		x: within(x, EDGE.side, width - PLOT.width - EDGE.side),
		y: within(y, EDGE.top, height - PLOT.height - EDGE.bottom),
	};
}

/** Paints the error of each step, one line per model. */
function paintPlot(brush: TextBrush, errors: readonly FocusError[], at: Point): void {
	const { ctx, picture } = brush;
	const { palette } = picture;
	const steps = Math.max(...errors.map((one) => one.steps));
	const most = Math.max(...errors.flatMap((one) => one.errors.map(([, m]) => m)));
	ctx.beginPath();
	ctx.rect(at.x + 0.5, at.y + 0.5, PLOT.width, PLOT.height);
	ctx.fillStyle = palette.panel;
	ctx.globalAlpha = 0.92;
	ctx.fill();
	ctx.globalAlpha = 1;
	ctx.strokeStyle = palette.line;
	ctx.lineWidth = 1;
	ctx.stroke();
	ctx.font = `11px ${palette.sans}`;
	ctx.textBaseline = "middle";
	ctx.fillStyle = palette.ink3;
	ctx.fillText("Error by step", at.x + PAD.left, at.y + 12);
	const words = `\u2264 ${formatNumber(most, 1)} m`;
	const { width } = ctx.measureText(words);
	ctx.fillStyle = palette.ink;
	ctx.fillText(words, at.x + PLOT.width - PAD.right - width, at.y + 12);
	const across = PLOT.width - PAD.left - PAD.right;
	const up = PLOT.height - PAD.top - PAD.bottom;
	for (const { slot, errors: all } of errors) {
		ctx.beginPath();
		ctx.moveTo(at.x + PAD.left, at.y + PAD.top + up);
		for (const [step, metres] of all) {
			const y = at.y + PAD.top + up * (1 - metres / (most || 1));
			ctx.lineTo(at.x + PAD.left + (across * step) / (steps || 1), y);
		}
		strokeAs(brush, slot, 1.5);
	}
}

/**
 * Paints, for the agent that the picture is about, a line from each model's predicted end
 * to the recorded one with its metres, and beside them the errors over the steps.
 */
export function paintFocus(brush: TextBrush): void {
	const { picture } = brush;
	const { focus, frame, view } = picture;
	if (focus === undefined || !frame || !hasPredictions(picture)) return;
	const errors = focusErrors(picture.predictions, focus);
	if (errors.length === 0) return;
	const layout = layoutOf(brush, errors);
	for (const [i, ends] of layout.ends.entries())
		paintLeader(brush, errors[i]?.slot ?? 0, ends);
	if (view.width >= MIN_PLOTTED.width && view.height >= MIN_PLOTTED.height)
		paintPlot(brush, errors, plotPlace(brush, layout));
	paintMetres(brush, errors, layout);
}
