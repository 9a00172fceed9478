import type { Mesh } from "./mesh.js";

/** Points x, y, x, y ..; a closed path does not repeat its first point. */
export interface SubPath {
	readonly points: readonly number[];
	readonly closed: boolean;
}

export interface StrokeStyle {
	readonly width: number;
	readonly join: CanvasLineJoin;
	/** Lengths on, off, on ..; empty for a solid line. */
	readonly dash: readonly number[];
	/** Whether caps are round; otherwise butt. */
	readonly round: boolean;
}

/** Canvas2D's default miter limit. */
const MITER_LIMIT = 10;

interface Segment {
	readonly x0: number;
	readonly y0: number;
	readonly x1: number;
	readonly y1: number;
	/** Unit normal. */
	readonly nx: number;
	readonly ny: number;
}

function segmentsOf(points: readonly number[]): Segment[] {
	const segments: Segment[] = [];
	for (let k = 0; k + 3 < points.length; k += 2) {
		const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = points.slice(k, k + 4);
		const length = Math.hypot(x1 - x0, y1 - y0);
		if (!(length > 1e-9)) continue;
		segments.push({ x0, y0, x1, y1, nx: (y0 - y1) / length, ny: (x1 - x0) / length });
	}
	return segments;
}

/**
 * Adds the outside of the corner between two segments, half the line width from the
 * corner.
 */
function addJoin(mesh: Mesh, a: Segment, b: Segment, style: StrokeStyle): void {
	const cross = a.nx * b.ny - a.ny * b.nx;
	const cos = a.nx * b.nx + a.ny * b.ny;
	if (Math.abs(cross) < 1e-6 && cos > 0) return;
	const half = (cross > 0 ? -1 : 1) * (style.width / 2);
	const { x1: x, y1: y } = a;
	const [mx, my] = [a.nx + b.nx, a.ny + b.ny];
	const middle = Math.hypot(mx, my); // 2 cos of half the turn angle
	const pointed = style.join === "miter" && middle * MITER_LIMIT >= 2;
	const reach = style.join === "round" ? 1 : pointed ? 2 / middle : middle / 2;
	const scale = middle > 1e-6 ? (half * reach) / middle : 0;
	mesh.add(x + half * a.nx, y + half * a.ny);
	mesh.add(x, y);
	mesh.add(x + scale * mx, y + scale * my);
	mesh.add(x + half * b.nx, y + half * b.ny);
	mesh.restart();
}

/** Adds a half circle beyond (x, y), at the end of a line in direction (dx, dy). */
function addCap(mesh: Mesh, x: number, y: number, dx: number, dy: number): void {
	const [nx, ny] = [-dy, dx];
	const slant = Math.SQRT1_2;
	mesh.add(x + nx, y + ny);
	mesh.add(x - nx, y - ny);
	mesh.add(x + slant * (dx + nx), y + slant * (dy + ny));
	mesh.add(x + slant * (dx - nx), y + slant * (dy - ny));
	mesh.add(x + dx, y + dy);
	mesh.restart();
}

function addCaps(mesh: Mesh, segments: readonly Segment[], half: number): void {
	const [first, last] = [segments[0], segments.at(-1)];
	if (!first || !last) return;
	addCap(mesh, first.x0, first.y0, -first.ny * half, first.nx * half);
	addCap(mesh, last.x1, last.y1, last.ny * half, -last.nx * half);
}

function addLine(mesh: Mesh, { points, closed }: SubPath, style: StrokeStyle): void {
	const half = style.width / 2;
	const ring = closed ? [...points, points[0] ?? 0, points[1] ?? 0] : points;
	const segments = segmentsOf(ring);
	segments.forEach((segment, k) => {
		const { x0, y0, x1, y1 } = segment;
		const [nx, ny] = [segment.nx * half, segment.ny * half];
		mesh.add(x0 + nx, y0 + ny);
		mesh.add(x0 - nx, y0 - ny);
		mesh.add(x1 + nx, y1 + ny);
		mesh.add(x1 - nx, y1 - ny);
		mesh.restart();
		const next = segments[k + 1] ?? (closed ? segments[0] : undefined);
		if (next) addJoin(mesh, segment, next, style);
	});
	if (style.round && !closed) addCaps(mesh, segments, half);
}

/** Position in a dash pattern. */
class Dasher {
	readonly #dash: readonly number[];
	#at = 0;
	#left: number;

	constructor(dash: readonly number[]) {
		this.#dash = dash;
		this.#left = dash[0] ?? 0;
	}

	get on(): boolean {
		return this.#at % 2 === 0;
	}

	/**
	 * Advances by at most `length`. Returns the distance, and whether the pattern
	 * switched there.
	 */
	advance(length: number): { readonly by: number; readonly turned: boolean } {
		const by = Math.min(length, this.#left);
		this.#left -= by;
		const turned = this.#left <= 0;
		if (turned) {
			this.#at = (this.#at + 1) % this.#dash.length;
			this.#left = this.#dash[this.#at] ?? 0;
		}
		return { by, turned };
	}
}

/** Splits a line into its dashes, like Canvas2D from the line's start. */
export function dashed(
	{ points, closed }: SubPath,
	dash: readonly number[],
): SubPath[] {
	// Like Canvas2D: a pattern of odd length is repeated.
	const pattern = dash.length % 2 === 0 ? dash : [...dash, ...dash];
	const dasher = new Dasher(pattern);
	const parts: SubPath[] = [];
	let part: number[] = [];
	const end = () => {
		if (part.length >= 4) parts.push({ points: part, closed: false });
		part = [];
	};
	const ring = closed ? [...points, points[0] ?? 0, points[1] ?? 0] : points;
	for (const { x0, y0, x1, y1 } of segmentsOf(ring)) {
		const length = Math.hypot(x1 - x0, y1 - y0);
		if (dasher.on && part.length === 0) part.push(x0, y0);
		for (let done = 0; done < length; ) {
			const wasOn = dasher.on;
			const { by, turned } = dasher.advance(length - done);
			done += by;
			const t = done / length;
			const [x, y] = [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t];
			if (wasOn) part.push(x, y);
			if (turned && wasOn) end();
			else if (turned) part = [x, y];
		}
	}
	end();
	return parts;
}

/** Adds strips that cover the line; they may overlap. */
export function addStroke(mesh: Mesh, path: SubPath, style: StrokeStyle): void {
	const sum = style.dash.reduce((total, length) => total + length, 0);
	if (!(sum > 0)) addLine(mesh, path, style);
	else for (const part of dashed(path, style.dash)) addLine(mesh, part, style);
}

/** Adds a fan around the first point; the inside has a nonzero winding number. */
export function addFan(mesh: Mesh, { points }: SubPath): void {
	if (points.length < 6) return;
	for (let k = 0; k < points.length; k += 2)
		mesh.add(points[k] ?? 0, points[k + 1] ?? 0);
	mesh.restart();
}
