import type { FrameView, Polylines } from "../../dataset/frame-view.js";
import { classOf, SHOWN } from "../agents/summary.js";
import { type AgentClass, CLASSES, showsEgo } from "../layers/layer-set.js";
import type { Brush } from "./picture.js";
import { tracePolyline } from "./polyline.js";

/** Opacity steps of a trail: one stroke per step and class, not one per segment. */
const BANDS = 5;

/** Widths in CSS pixels by speed: below the limit, in metres per frame. */
const WIDTHS: readonly (readonly [width: number, below: number])[] = [
	[1.25, 0.4],
	[2, 1],
	[3, Number.POSITIVE_INFINITY],
];

interface Fade {
	/** Opacity of the segments nearest to and farthest from the agent. */
	readonly near: number;
	readonly far: number;
	readonly dash: readonly number[];
	/** Added to the width. */
	readonly wider: number;
}

const PAST: Fade = { near: 0.8, far: 0.08, dash: [], wider: 0 };
const FUTURE: Fade = { near: 0.9, far: 0.25, dash: [3, 4], wider: 0 };

/**
 * Returns the range of rows of band `band` of line `i`; adjacent bands share their end
 * points.
 */
function bandOf(offsets: Uint32Array, i: number, band: number): [number, number] {
	const begin = offsets[i] ?? 0;
	const segments = Math.max(0, (offsets[i + 1] ?? begin) - begin - 1);
	const from = begin + Math.floor((segments * band) / BANDS);
	const to = begin + Math.floor((segments * (band + 1)) / BANDS);
	return [from, to > from ? to + 1 : from];
}

/** Returns the index in `WIDTHS` of rows `begin` to `end`, by their mean speed. */
function widthOf(points: Float64Array, begin: number, end: number): number {
	const frames = end - begin - 1;
	if (frames < 1) return 0;
	const last = 2 * (end - 1);
	const dx = (points[last] ?? 0) - (points[2 * begin] ?? 0);
	const dy = (points[last + 1] ?? 0) - (points[2 * begin + 1] ?? 0);
	const speed = Math.hypot(dx, dy) / frames;
	return Math.max(
		0,
		WIDTHS.findIndex(([, below]) => speed < below),
	);
}

function paintFading(
	brush: Brush,
	lines: Polylines,
	rows: readonly number[],
	colour: string,
	fade: Fade,
): void {
	const { ctx } = brush;
	ctx.strokeStyle = colour;
	ctx.setLineDash([...fade.dash]);
	for (let band = 0; band < BANDS; band += 1) {
		ctx.globalAlpha = fade.near + ((fade.far - fade.near) * band) / (BANDS - 1);
		for (const [k, [width]] of WIDTHS.entries()) {
			ctx.lineWidth = width + fade.wider;
			ctx.beginPath();
			for (const i of rows) {
				const [begin, end] = bandOf(lines.offsets, i, band);
				if (widthOf(lines.points, begin, end) !== k) continue;
				tracePolyline(brush, lines.points, begin, end);
			}
			ctx.stroke();
		}
	}
	ctx.globalAlpha = 1;
	ctx.setLineDash([]);
}

function shownRows(brush: Brush, frame: FrameView, name: AgentClass): number[] {
	const rows: number[] = [];
	for (let i = 0; i < frame.agents.length; i += 1) {
		const shown = brush.picture.visibility[i] === SHOWN;
		if (shown && classOf(frame, i) === name) rows.push(i);
	}
	return rows;
}

function single(points: Float64Array): Polylines {
	return { points, offsets: Uint32Array.of(0, points.length / 2) };
}

/** Paints the trails and futures of the visible agents and the ego. */
export function paintTrails(brush: Brush): void {
	const { frame, layers, palette } = brush.picture;
	if (!frame) return;
	const { ctx } = brush;
	ctx.lineJoin = "round";
	for (const name of CLASSES) {
		const rows = shownRows(brush, frame, name);
		if (layers.has("past")) paintFading(brush, frame.trails, rows, palette[name], PAST);
		if (layers.has("future"))
			paintFading(brush, frame.futures, rows, palette[name], FUTURE);
	}
	if (!showsEgo(layers, frame)) return;
	const { trail, future } = frame.ego;
	if (layers.has("past")) {
		paintFading(brush, single(trail), [0], palette.ego, { ...PAST, wider: 0.5 });
	}
	if (layers.has("future")) {
		paintFading(brush, single(future), [0], palette.ego, { ...FUTURE, wider: 0.5 });
	}
}
