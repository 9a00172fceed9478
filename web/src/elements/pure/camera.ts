/** What the camera follows: the ego's position, its position and heading, the selection, nothing. */
export type Follow = "position" | "heading" | "selected" | "free";

export const FOLLOWS: readonly Follow[] = ["position", "heading", "selected", "free"];

/**
 * Where the user looks. `x`, `y` are metres: in world when free; from the ego or the selected
 * agent along world's axes when following its position; along the ego's own axes (x ahead)
 * when following its heading.
 */
export interface Camera {
	readonly x: number;
	readonly y: number;
	/** Metres across the shorter side of the picture. */
	readonly span: number;
	/** Radians, counter-clockwise, on top of what following turns. */
	readonly rotation: number;
}

export interface Pose {
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
}

export interface Size {
	readonly width: number;
	readonly height: number;
}

/** A camera resolved for one picture: CSS pixels from metres in world, y up. */
export interface View extends Size {
	readonly x: number;
	readonly y: number;
	readonly pixelsPerMetre: number;
	readonly rotation: number;
}

export interface Point {
	readonly x: number;
	readonly y: number;
}

/** 110 m: a block of a town and its crossings. */
export const DEFAULT_CAMERA: Camera = { x: 0, y: 0, span: 110, rotation: 0 };

const SPAN_MIN = 4;
const SPAN_MAX = 20_000;

function turned(x: number, y: number, angle: number): Point {
	const cos = Math.cos(angle);
	const sin = Math.sin(angle);
	return { x: cos * x - sin * y, y: sin * x + cos * y };
}

/** The turn that following adds: the ego's heading points up. */
function followTurn(follow: Follow, ego: Pose): number {
	return follow === "heading" ? Math.PI / 2 - ego.yaw : 0;
}

export function clampSpan(span: number, max = SPAN_MAX): number {
	return Math.min(max, Math.max(SPAN_MIN, span));
}

/** The view of `camera`; `anchor` is the pose of what it follows. */
export function viewOf(camera: Camera, follow: Follow, anchor: Pose, size: Size): View {
	const offset = follow === "heading" ? turned(camera.x, camera.y, anchor.yaw) : camera;
	const origin = follow === "free" ? { x: 0, y: 0 } : anchor;
	return {
		x: origin.x + offset.x,
		y: origin.y + offset.y,
		pixelsPerMetre: Math.max(1, Math.min(size.width, size.height)) / camera.span,
		rotation: camera.rotation + followTurn(follow, anchor),
		width: size.width,
		height: size.height,
	};
}

/**
 * The view moved by less than a device pixel, so that world's origin falls on a whole one:
 * what stands still in world keeps its pixels while the picture moves.
 */
export function snapped(view: View, density: number): View {
	const scale = view.pixelsPerMetre * density;
	const p = turned(view.x * scale, view.y * scale, view.rotation);
	const q = turned(Math.round(p.x), Math.round(p.y), -view.rotation);
	return { ...view, x: q.x / scale, y: q.y / scale };
}

export function screenFromWorld(view: View, x: number, y: number): Point {
	const p = turned(x - view.x, y - view.y, view.rotation);
	return {
		x: view.width / 2 + view.pixelsPerMetre * p.x,
		y: view.height / 2 - view.pixelsPerMetre * p.y,
	};
}

export function worldFromScreen(view: View, x: number, y: number): Point {
	const right = (x - view.width / 2) / view.pixelsPerMetre;
	const up = (view.height / 2 - y) / view.pixelsPerMetre;
	const p = turned(right, up, -view.rotation);
	return { x: view.x + p.x, y: view.y + p.y };
}

/** The picture dragged by (dx, dy) CSS pixels: what was under the pointer stays there. */
export function panned(
	camera: Camera,
	follow: Follow,
	view: View,
	dx: number,
	dy: number,
): Camera {
	// The ego's own axes lie a quarter turn from the screen's: its heading points up.
	const base = camera.rotation + (follow === "heading" ? Math.PI / 2 : 0);
	const p = turned(-dx / view.pixelsPerMetre, dy / view.pixelsPerMetre, -base);
	return { ...camera, x: camera.x + p.x, y: camera.y + p.y };
}

/** A change of zoom: 2 shows half as much. */
export interface Zoom {
	readonly factor: number;
	/** The point of the screen that keeps its place; default: the middle. */
	readonly at?: Point | undefined;
	/** The largest span allowed. */
	readonly max?: number | undefined;
}

/** The picture zoomed about a point of the screen, whatever the camera follows. */
export function zoomed(
	camera: Camera,
	follow: Follow,
	view: View,
	{ factor, at, max = SPAN_MAX }: Zoom,
): Camera {
	// A camera that is farther out already may stay there, but goes no farther.
	const span = clampSpan(camera.span / factor, Math.max(max, camera.span));
	if (!at) return { ...camera, span };
	const share = 1 - span / camera.span;
	const dx = (view.width / 2 - at.x) * share;
	const dy = (view.height / 2 - at.y) * share;
	return { ...panned(camera, follow, view, dx, dy), span };
}

/** The picture turned counter-clockwise about its middle by `angle` radians. */
export function rotated(camera: Camera, angle: number): Camera {
	const turn = camera.rotation + angle;
	return { ...camera, rotation: Math.atan2(Math.sin(turn), Math.cos(turn)) };
}

/** Room around what is to be seen: CSS pixels, but a quarter of a small picture at most. */
const MARGIN = 80;

/**
 * The camera moved just far enough to have the world point `p` in the picture, away from its
 * edges; undefined if it is there already.
 */
export function revealed(
	camera: Camera,
	follow: Follow,
	view: View,
	p: Point,
): Camera | undefined {
	const at = screenFromWorld(view, p.x, p.y);
	const outside = (value: number, size: number): number => {
		const margin = Math.min(MARGIN, size / 4);
		return Math.min(0, size - margin - value) + Math.max(0, margin - value);
	};
	const dx = outside(at.x, view.width);
	const dy = outside(at.y, view.height);
	if (at.x >= 0 && at.y >= 0 && at.x <= view.width && at.y <= view.height)
		return undefined;
	return panned(camera, follow, view, dx, dy);
}

/** The camera after switching what it follows: free keeps the picture, all others centre their anchor. */
export function refollowed(camera: Camera, view: View, to: Follow): Camera {
	if (to !== "free") return { ...DEFAULT_CAMERA, span: camera.span };
	return { x: view.x, y: view.y, span: camera.span, rotation: view.rotation };
}

/** The camera that shows all of a world box, following nothing. */
export function fitted(min: Point, max: Point, size: Size): Camera {
	const shorter = Math.max(1, Math.min(size.width, size.height));
	const metresPerPixel = Math.max(
		(max.x - min.x) / Math.max(1, size.width),
		(max.y - min.y) / Math.max(1, size.height),
	);
	return {
		x: (min.x + max.x) / 2,
		y: (min.y + max.y) / 2,
		span: clampSpan(metresPerPixel * shorter * 1.1),
		rotation: 0,
	};
}

/** From `from` to `to` at `t` in 0..1; the shorter way round, and zoom evenly felt. */
export function blended(from: View, to: View, t: number): View {
	const eased = 1 - (1 - t) ** 3;
	const turn = Math.atan2(
		Math.sin(to.rotation - from.rotation),
		Math.cos(to.rotation - from.rotation),
	);
	return {
		...to,
		x: from.x + (to.x - from.x) * eased,
		y: from.y + (to.y - from.y) * eased,
		pixelsPerMetre:
			from.pixelsPerMetre * (to.pixelsPerMetre / from.pixelsPerMetre) ** eased,
		rotation: from.rotation + turn * eased,
	};
}

/** A round length for a scale bar of at most `pixels`: 1, 2 or 5 times a power of ten. */
export function scaleBar(pixelsPerMetre: number, pixels: number): number {
	const most = pixels / pixelsPerMetre;
	const power = 10 ** Math.floor(Math.log10(most));
	const lead = most / power;
	return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}
