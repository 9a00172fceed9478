import type {
	Brush,
	ColumnCounts,
	GroupSummary,
} from "../../reviewing/remote-distribution.js";
import { fitCanvas } from "../draw/paint.js";
import { type Bar, isChosen } from "./bars.js";
import { greatest } from "./columns.js";

/** What a histogram or a box plot is painted with. */
export interface Painting {
	readonly ctx: CanvasRenderingContext2D;
	readonly width: number;
	readonly height: number;
	/** Returns a token's colour. */
	readonly colour: (token: string) => string;
}

/** Space between bars of values and those outside the edges, CSS pixels. */
const GAP = 6;

/** Left and right end of each bar. */
export function slotsOf(
	bars: readonly Bar[],
	width: number,
): readonly (readonly [left: number, right: number])[] {
	const gap = (bar: Bar, i: number): number =>
		i > 0 && (bar.kind === "inside") !== (bars[i - 1]?.kind === "inside") ? GAP : 0;
	const gaps = bars.map(
		(bar, i) => gap(bar, i) || (bar.kind === "missing" && i > 0 ? GAP : 0),
	);
	const free = width - gaps.reduce((sum, one) => sum + one, 0);
	const each = free / Math.max(1, bars.length);
	let left = 0;
	return bars.map((_, i) => {
		left += gaps[i] ?? 0;
		const slot = [left, left + each] as const;
		left += each;
		return slot;
	});
}

/** A histogram to paint. */
export interface PaintedBars {
	readonly counts: ColumnCounts;
	readonly bars: readonly Bar[];
	/** Tokens of the groups' colours; empty without groups. */
	readonly tokens: readonly string[];
	readonly brush: Brush | undefined;
	/** Index of the bar that keys move. */
	readonly at: number | undefined;
	/** Whether other columns have brushes: all rows are outlined then, in their own scale. */
	readonly isFiltered: boolean;
}

/** Paints bars: of the rows that pass the brushes of other columns. */
export function paintBars(painting: Painting, painted: PaintedBars): void {
	const { ctx, width, height, colour } = painting;
	const { bars, counts, tokens, brush, at, isFiltered } = painted;
	const sum = ({ passing }: Bar): number => passing.reduce((all, one) => all + one, 0);
	const highest = greatest(1, bars.map(sum));
	const tallest = greatest(
		1,
		bars.map(({ all }) => all),
	);
	const slots = slotsOf(bars, width);
	bars.forEach((bar, i) => {
		const [left = 0, right = 0] = slots[i] ?? [];
		const [x, wide] = [left + 0.5, Math.max(1, right - left - 1)];
		if (isFiltered) {
			const tall = (height - 1) * (bar.all / tallest);
			ctx.fillStyle = colour("raise");
			ctx.fillRect(x, height - tall, wide, tall);
		}
		const chosen = brush && isChosen(counts, bar, brush);
		ctx.globalAlpha = brush && !chosen ? 0.3 : 1;
		let y = height;
		bar.passing.forEach((count, group) => {
			if (count === 0) return;
			const tall = Math.max(1, (height - 1) * (count / highest));
			y -= tall;
			const own = tokens[group] ?? (chosen && !tokens.length ? "accent" : "ink2");
			const token = bar.kind === "missing" && !chosen ? "ink3" : own;
			ctx.fillStyle = colour(token);
			ctx.fillRect(x, y, wide, tall);
		});
		ctx.globalAlpha = 1;
		if (i === at) {
			ctx.strokeStyle = colour("ink");
			ctx.lineWidth = 1;
			ctx.strokeRect(x, 0.5, wide, height - 1);
		}
	});
	ctx.fillStyle = colour("edge");
	ctx.fillRect(0, height - 1, width, 1);
}

/** Box plots of groups to paint. */
export interface PaintedBoxes {
	readonly groups: readonly GroupSummary[];
	readonly tokens: readonly string[];
	/** The range of values over the width. */
	readonly range: readonly [low: number, high: number];
}

/** Paints a box per group: 5 %, 25 %, median, 75 % and 95 %; the mean as a dot. */
export function paintBoxes(painting: Painting, painted: PaintedBoxes): void {
	const { ctx, width, height, colour } = painting;
	const { groups, tokens, range } = painted;
	const [low, high] = range;
	const x = (value: number): number =>
		Math.min(width - 1, Math.max(1, ((value - low) / (high - low || 1)) * width));
	const tall = height / Math.max(1, groups.length);
	groups.forEach(({ group, quantiles, mean }, i) => {
		if (mean.count === 0) return;
		const [, p5 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0] = quantiles;
		const middle = (i + 0.5) * tall;
		const half = Math.min(7, tall * 0.35);
		ctx.strokeStyle = colour(tokens[group] ?? "ink2");
		ctx.fillStyle = ctx.strokeStyle;
		ctx.lineWidth = 1.5;
		ctx.beginPath();
		ctx.moveTo(x(p5), middle);
		ctx.lineTo(x(p25), middle);
		ctx.moveTo(x(p75), middle);
		ctx.lineTo(x(p95), middle);
		for (const end of [p5, p95]) {
			ctx.moveTo(x(end), middle - half / 2);
			ctx.lineTo(x(end), middle + half / 2);
		}
		ctx.stroke();
		ctx.globalAlpha = 0.35;
		ctx.fillRect(x(p25), middle - half, Math.max(1, x(p75) - x(p25)), 2 * half);
		ctx.globalAlpha = 1;
		ctx.strokeRect(x(p25), middle - half, Math.max(1, x(p75) - x(p25)), 2 * half);
		ctx.beginPath();
		ctx.moveTo(x(p50), middle - half);
		ctx.lineTo(x(p50), middle + half);
		ctx.stroke();
		ctx.fillStyle = colour("ink");
		ctx.beginPath();
		ctx.arc(x(mean.mean), middle, 2.5, 0, 2 * Math.PI);
		ctx.fill();
	});
}

/** Returns a canvas's painting, with its size in CSS pixels; undefined if it has none. */
export function paintingOn(
	canvas: HTMLCanvasElement | null,
	host: Element,
): Painting | undefined {
	const ctx = canvas?.getContext("2d");
	if (!canvas || !ctx) return undefined;
	const [width, height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
	const density = Math.min(2, devicePixelRatio || 1);
	fitCanvas(canvas, { width, height }, density);
	ctx.setTransform(density, 0, 0, density, 0, 0);
	ctx.clearRect(0, 0, width, height);
	return { ctx, width, height, colour: coloursOf(host) };
}

/** Returns the colours of an element's tokens. */
export function coloursOf(host: Element): Painting["colour"] {
	const style = getComputedStyle(host);
	return (name) => style.getPropertyValue(`--_${name}`).trim();
}
