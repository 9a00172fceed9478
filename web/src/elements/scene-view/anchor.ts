import type { FrameView } from "../../dataset/frame-view.js";
import type { ViewerState } from "../session/state.js";
import {
	DEFAULT_CAMERA,
	FOLLOWS,
	type Follow,
	followsSelection,
	type Point,
	type Pose,
	viewOf,
} from "./camera.js";
import { poseIn } from "./frames.js";
import type { Selection } from "./picking.js";

const NO_POSE: Pose = { x: 0, y: 0, yaw: 0 };

/**
 * Returns the pose of a selection in `frame`; undefined if the frame does not contain
 * it.
 */
export function poseOf(
	frame: FrameView | undefined,
	selection: Selection | undefined,
): Pose | undefined {
	if (selection === undefined) return undefined;
	return poseIn(selection === "ego" ? "ego" : "agent", frame, selection);
}

/**
 * Returns whether the camera follows a track that the displayed frame does not contain.
 */
export function anchorMissing({ follow, selection, shown }: ViewerState): boolean {
	if (!followsSelection(follow) || !shown) return false;
	return poseOf(shown, selection) === undefined;
}

/**
 * Returns the `follow` mode and camera for the state without its selection. If the frame
 * contains the selection, the visible area stays; otherwise the camera follows the ego.
 * Undefined if the camera does not follow the selection.
 */
export function unfollowed(
	state: ViewerState,
): Pick<ViewerState, "follow" | "camera"> | undefined {
	const { follow, camera, selection, shown } = state;
	if (!followsSelection(follow)) return undefined;
	const pose = poseOf(shown, selection);
	if (!pose) {
		const { span, tilt } = camera;
		return { follow: "position", camera: { ...DEFAULT_CAMERA, span, tilt } };
	}
	const { x, y, rotation } = viewOf(camera, follow, pose, { width: 1, height: 1 });
	return { follow: "free", camera: { ...camera, x, y, rotation } };
}

/** Unknown coordinates are NaN and cannot be a camera position. */
function isKnown({ x, y, yaw }: Pose): boolean {
	return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(yaw);
}

/**
 * The pose that the camera follows; the last known pose while the current one is
 * unknown.
 */
export class Anchor {
	#ego = NO_POSE;
	#selection: Selection | undefined;
	#last: Pose | undefined;

	of({ follow, selection, shown, dataset }: ViewerState): Pose {
		const ego = poseIn("ego", shown, undefined);
		if (!dataset) this.#ego = NO_POSE;
		else if (ego && isKnown(ego)) this.#ego = ego;
		if (!followsSelection(follow) || selection === undefined) return this.#ego;
		if (selection !== this.#selection) this.#last = undefined;
		this.#selection = selection;
		const now = poseOf(shown, selection);
		if (now && isKnown(now)) this.#last = now;
		return this.#last ?? this.#ego;
	}
}

/**
 * Returns the opposite corners of the map's bounds, or without a map of the frame's
 * surroundings.
 */
export function extentOf({ map, shown }: ViewerState): [Point, Point] | undefined {
	const bounds = map?.bounds;
	if (bounds?.length === 4 && bounds.every(Number.isFinite)) {
		const [left = 0, bottom = 0, right = 0, top = 0] = bounds;
		if (right > left && top > bottom)
			return [
				{ x: left, y: bottom },
				{ x: right, y: top },
			];
	}
	const ego = poseIn("ego", shown, undefined);
	if (!shown || !ego) return undefined;
	// The farthest agent sets the reach around the ego.
	const { centroid } = shown.agents;
	const far = centroid.reduce(
		(most, at, i) => Math.max(most, Math.abs(at - (i % 2 ? ego.y : ego.x))),
		25,
	);
	return [
		{ x: ego.x - far, y: ego.y - far },
		{ x: ego.x + far, y: ego.y + far },
	];
}

/** Widest span in metres if no map tells the extent of the area. */
const SPAN_WITHOUT_MAP = 2000;

/** Returns the span in metres at which zooming out stops: twice the map's diagonal. */
export function widestSpan({ map }: ViewerState): number {
	const [left = 0, bottom = 0, right = 0, top = 0] = map?.bounds ?? [];
	const across = Math.hypot(right - left, top - bottom);
	return Number.isFinite(across) && across > 0
		? Math.max(500, 2 * across)
		: SPAN_WITHOUT_MAP;
}

/** Returns whether `follow` is available in this state. */
export function canFollow(follow: Follow, { selection, shown }: ViewerState): boolean {
	if (followsSelection(follow)) return selection !== undefined;
	return follow !== "heading" || !shown?.ego.is_virtual;
}

/** Returns the next available follow mode. */
export function nextFollow(state: ViewerState): Follow {
	const there = FOLLOWS.filter((follow) => canFollow(follow, state));
	const at = there.indexOf(state.follow);
	return there[(at + 1) % there.length] ?? "position";
}
