/**
 * What the camera follows: the ego's position, its position and heading, the selection's
 * position, the selection's position and heading, or nothing.
 */
export type Follow = "position" | "heading" | "selected" | "agent" | "free";

export const FOLLOWS: readonly Follow[] = [
	"position",
	"heading",
	"selected",
	"agent",
	"free",
];

/** Returns whether the camera moves with the selection. */
export function followsSelection(follow: Follow): boolean {
	return follow === "selected" || follow === "agent";
}

/** Returns whether the camera rotates with what it follows. */
export function turnsWith(follow: Follow): boolean {
	return follow === "heading" || follow === "agent";
}

/**
 * The user's camera. `x`, `y` are metres: in world when free; relative to the ego or
 * the selected agent along world axes when following a position; along its own axes (x
 * forward) when following a heading.
 */
export interface Camera {
	/** Metres; see above. */
	readonly x: number;
	/** Metres; see above. */
	readonly y: number;
	/** Metres along the picture's shorter side. */
	readonly span: number;
	/** Radians, counter-clockwise, in addition to the rotation of following. */
	readonly rotation: number;
	/** Radians from straight down, 0 to 60 degrees. Default: 0. */
	readonly tilt?: number | undefined;
}

export interface Pose {
	readonly x: number;
	readonly y: number;
	readonly yaw: number;
}

export interface Size {
	/** CSS pixels. */
	readonly width: number;
	/** CSS pixels. */
	readonly height: number;
}

/** A camera resolved for one picture: world metres (y up) to CSS pixels. */
export interface View extends Size {
	/** World x of the picture's centre, in metres. */
	readonly x: number;
	/** World y of the picture's centre, in metres. */
	readonly y: number;
	/** Scale. */
	readonly pixelsPerMetre: number;
	/** Radians, counter-clockwise. */
	readonly rotation: number;
	/**
	 * Radians from straight down. The projection stays parallel: a tilt scales the picture
	 * vertically. Default: 0.
	 */
	readonly tilt?: number;
}

/** A point: world metres, or CSS pixels. */
export interface Point {
	/** First coordinate. */
	readonly x: number;
	/** Second coordinate. */
	readonly y: number;
}

/** The default span of 110 m shows about one town block. */
export const DEFAULT_CAMERA: Camera = {
	...{ x: 0, y: 0, span: 110, rotation: 0 },
	tilt: undefined, // flat
};

export const TILT_MAX = Math.PI / 3;

const SPAN_MIN = 4;
const SPAN_MAX = 20_000;

/** Returns the factor by which a tilt shortens the ground vertically. */
export function squeeze({ tilt = 0 }: Pick<View, "tilt">): number {
	return Math.cos(tilt);
}

function turned(x: number, y: number, angle: number): Point {
	const cos = Math.cos(angle);
	const sin = Math.sin(angle);
	return { x: cos * x - sin * y, y: sin * x + cos * y };
}

/** Returns the rotation of following: the heading of what is followed points up. */
function followTurn(follow: Follow, anchor: Pose): number {
	return turnsWith(follow) ? Math.PI / 2 - anchor.yaw : 0;
}

export function clampSpan(span: number, max = SPAN_MAX): number {
	return Math.min(max, Math.max(SPAN_MIN, span));
}

/** Returns the view of `camera`; `anchor` is the pose that it follows. */
export function viewOf(camera: Camera, follow: Follow, anchor: Pose, size: Size): View {
	const offset = turnsWith(follow) ? turned(camera.x, camera.y, anchor.yaw) : camera;
	const origin = follow === "free" ? { x: 0, y: 0 } : anchor;
	return {
		x: origin.x + offset.x,
		y: origin.y + offset.y,
		pixelsPerMetre: Math.max(1, Math.min(size.width, size.height)) / camera.span,
		rotation: camera.rotation + followTurn(follow, anchor),
		// A page may set any number.
		tilt: Math.min(TILT_MAX, Math.max(0, camera.tilt || 0)),
		width: size.width,
		height: size.height,
	};
}

/**
 * Shifts the view by less than a device pixel, such that the world's origin is on a
 * whole pixel: static objects then keep their pixels while the picture moves.
 */
export function snapped(view: View, density: number): View {
	const scale = view.pixelsPerMetre * density;
	const k = squeeze(view);
	const p = turned(view.x * scale, view.y * scale, view.rotation);
	const q = turned(Math.round(p.x), Math.round(p.y * k) / k, -view.rotation);
	return { ...view, x: q.x / scale, y: q.y / scale };
}

export function screenFromWorld(view: View, x: number, y: number): Point {
	const p = turned(x - view.x, y - view.y, view.rotation);
	return {
		x: view.width / 2 + view.pixelsPerMetre * p.x,
		y: view.height / 2 - view.pixelsPerMetre * p.y * squeeze(view),
	};
}

export function worldFromScreen(view: View, x: number, y: number): Point {
	const right = (x - view.width / 2) / view.pixelsPerMetre;
	const up = (view.height / 2 - y) / view.pixelsPerMetre / squeeze(view);
	const p = turned(right, up, -view.rotation);
	return { x: view.x + p.x, y: view.y + p.y };
}

/**
 * Returns the camera after dragging by (dx, dy) CSS pixels; the point under the pointer
 * stays under it.
 */
export function panned(
	camera: Camera,
	follow: Follow,
	view: View,
	dx: number,
	dy: number,
): Camera {
	// The ego's axes are a quarter turn from the screen's, since its heading points up.
	const base = camera.rotation + (turnsWith(follow) ? Math.PI / 2 : 0);
	const scale = view.pixelsPerMetre;
	const p = turned(-dx / scale, dy / scale / squeeze(view), -base);
	return { ...camera, x: camera.x + p.x, y: camera.y + p.y };
}

/** A zoom step: factor 2 shows half the span. */
export interface Zoom {
	readonly factor: number;
	/** The screen point that stays fixed. Default: the centre. */
	readonly at?: Point | undefined;
	/** Maximum span. */
	readonly max?: number | undefined;
}

/** Returns the camera zoomed around a screen point. */
export function zoomed(
	camera: Camera,
	follow: Follow,
	view: View,
	{ factor, at, max = SPAN_MAX }: Zoom,
): Camera {
	// A camera beyond the maximum keeps its span, but cannot zoom out further.
	const span = clampSpan(camera.span / factor, Math.max(max, camera.span));
	if (!at) return { ...camera, span };
	const share = 1 - span / camera.span;
	const dx = (view.width / 2 - at.x) * share;
	const dy = (view.height / 2 - at.y) * share;
	return { ...panned(camera, follow, view, dx, dy), span };
}

/**
 * Returns the camera rotated counter-clockwise around the centre by `angle` radians.
 */
export function rotated(camera: Camera, angle: number): Camera {
	const turn = camera.rotation + angle;
	return { ...camera, rotation: Math.atan2(Math.sin(turn), Math.cos(turn)) };
}

/** Returns the camera at `tilt` radians from straight down, as far as it can tilt. */
export function tilted(camera: Camera, tilt: number): Camera {
	return { ...camera, tilt: Math.min(TILT_MAX, Math.max(0, tilt)) || undefined };
}

/**
 * Margin around revealed points in CSS pixels; at most a quarter of a small picture.
 */
const MARGIN = 80;

/**
 * Returns the camera moved by the minimum that brings the world point `p` into the
 * picture, away from its edges; undefined if it is visible already.
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

/**
 * Returns the camera after switching the follow mode: free keeps the visible area, all
 * others centre their anchor.
 */
export function refollowed(camera: Camera, view: View, to: Follow): Camera {
	const { span, tilt } = camera;
	if (to !== "free") return { ...DEFAULT_CAMERA, span, tilt };
	return { x: view.x, y: view.y, span, rotation: view.rotation, tilt };
}

/** Returns a free camera that shows all of a world box, at the tilt of `view`. */
export function fitted(
	min: Point,
	max: Point,
	view: Size & Pick<View, "tilt">,
): Camera {
	const shorter = Math.max(1, Math.min(view.width, view.height));
	const metresPerPixel = Math.max(
		(max.x - min.x) / Math.max(1, view.width),
		((max.y - min.y) * squeeze(view)) / Math.max(1, view.height),
	);
	return {
		x: (min.x + max.x) / 2,
		y: (min.y + max.y) / 2,
		span: clampSpan(metresPerPixel * shorter * 1.1),
		rotation: 0,
		tilt: view.tilt || undefined,
	};
}

/**
 * Interpolates views at `t` in 0..1; takes the shorter rotation, and zooms
 * geometrically.
 */
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
		tilt: (from.tilt ?? 0) + ((to.tilt ?? 0) - (from.tilt ?? 0)) * eased,
	};
}

/**
 * Returns a round scale bar length of at most `pixels`: 1, 2 or 5 times a power of ten.
 */
export function scaleBar(pixelsPerMetre: number, pixels: number): number {
	const most = pixels / pixelsPerMetre;
	const power = 10 ** Math.floor(Math.log10(most));
	const lead = most / power;
	return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}
