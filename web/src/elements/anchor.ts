import type { FrameView } from "../frame-view.js";
import { DEFAULT_CAMERA, type Follow, type Point, type Pose } from "./pure/camera.js";
import { poseIn } from "./pure/frames.js";
import type { Selection } from "./pure/link.js";
import type { ViewerState } from "./state.js";

const NO_POSE: Pose = { x: 0, y: 0, yaw: 0 };

/** Where a selection is in `frame`; undefined if it is not in it. */
export function poseOf(
	frame: FrameView | undefined,
	selection: Selection | undefined,
): Pose | undefined {
	if (selection === undefined) return undefined;
	return poseIn(selection === "ego" ? "ego" : "agent", frame, selection);
}

/** Whether the camera follows a track that the frame on show does not have. */
export function anchorMissing({ follow, selection, shown }: ViewerState): boolean {
	if (follow !== "selected" || !shown) return false;
	return poseOf(shown, selection) === undefined;
}

/** What `state` needs for the camera without its selection: the picture stays. */
export function unfollowed(
	state: ViewerState,
): Pick<ViewerState, "follow" | "camera"> | undefined {
	const { follow, camera, selection, shown } = state;
	if (follow !== "selected") return undefined;
	const pose = poseOf(shown, selection);
	if (!pose) {
		return { follow: "position", camera: { ...DEFAULT_CAMERA, span: camera.span } };
	}
	const at = { x: camera.x + pose.x, y: camera.y + pose.y };
	return { follow: "free", camera: { ...camera, ...at } };
}

/** Unknown coordinates are NaN: no picture can be drawn about them. */
function isKnown({ x, y, yaw }: Pose): boolean {
	return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(yaw);
}

/** The pose of what the camera follows, held where it was last seen while it is not there. */
export class Anchor {
	#ego = NO_POSE;
	#selection: Selection | undefined;
	#last: Pose | undefined;

	of({ follow, selection, shown, dataset }: ViewerState): Pose {
		const ego = poseIn("ego", shown, undefined);
		if (!dataset) this.#ego = NO_POSE;
		else if (ego && isKnown(ego)) this.#ego = ego;
		if (follow !== "selected" || selection === undefined) return this.#ego;
		if (selection !== this.#selection) this.#last = undefined;
		this.#selection = selection;
		const now = poseOf(shown, selection);
		if (now && isKnown(now)) this.#last = now;
		return this.#last ?? this.#ego;
	}
}

/** The corners of all there is to see: the map, or else what is in the frame. */
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
	// The farthest agent sets the radius about the ego.
	const far = shown.agents.distance.reduce((most, d) => Math.max(most, d), 25);
	return [
		{ x: ego.x - far, y: ego.y - far },
		{ x: ego.x + far, y: ego.y + far },
	];
}

/** Metres across when nothing tells how large the place is. */
const SPAN_WITHOUT_MAP = 2000;

/** How far out one may zoom: twice as far as all of the map needs. */
export function widestSpan({ map }: ViewerState): number {
	const [left = 0, bottom = 0, right = 0, top = 0] = map?.bounds ?? [];
	const across = Math.hypot(right - left, top - bottom);
	return Number.isFinite(across) && across > 0
		? Math.max(500, 2 * across)
		: SPAN_WITHOUT_MAP;
}

/** Whether `follow` can be chosen now. */
export function canFollow(follow: Follow, { selection }: ViewerState): boolean {
	return follow !== "selected" || selection !== undefined;
}
