import type { FrameView } from "../../frame-view.js";
import { type Affine, mapped } from "./affine.js";
import type { Point, Pose } from "./camera.js";
import type { Selection } from "./link.js";

/** In whose axes places are told: world's, the ego's, those of the agent selected, pixels of the raster on show. */
export type Coords = "world" | "ego" | "agent" | "raster";

export const COORDS: readonly Coords[] = ["world", "ego", "agent", "raster"];

/** What axes there are. */
export interface Axes {
	readonly shown: FrameView | undefined;
	readonly selection: Selection | undefined;
	readonly raster: { readonly picture: { readonly fromWorld: Affine } | undefined };
}

/** The origin and axes of `coords`; undefined where there is no such thing in the frame. */
export function poseIn(
	coords: Exclude<Coords, "raster">,
	frame: FrameView | undefined,
	selection: Selection | undefined,
): Pose | undefined {
	if (coords === "world") return { x: 0, y: 0, yaw: 0 };
	if (!frame) return undefined;
	if (coords === "ego") {
		const [x = 0, y = 0] = frame.ego.centroid;
		return { x, y, yaw: frame.ego.yaw };
	}
	if (typeof selection !== "bigint") return undefined;
	const i = frame.agents.track_id.indexOf(selection);
	if (i < 0) return undefined;
	const [x = 0, y = 0] = frame.agents.centroid.subarray(2 * i, 2 * i + 2);
	return { x, y, yaw: frame.agents.yaw[i] ?? 0 };
}

/** A place of world in the axes of `pose`: x ahead, y to the left. */
export function localFrom(pose: Pose, world: Point): Point {
	const [dx, dy] = [world.x - pose.x, world.y - pose.y];
	const [cos, sin] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
	return { x: cos * dx + sin * dy, y: -sin * dx + cos * dy };
}

/** A place of world as `coords` tell it; undefined where they are not there. */
export function placeIn(
	coords: Coords,
	{ shown, selection, raster }: Axes,
	world: Point,
): Point | undefined {
	if (coords === "raster") {
		const { picture } = raster;
		return picture && mapped(picture.fromWorld, world);
	}
	const pose = poseIn(coords, shown, selection);
	return pose && localFrom(pose, world);
}

const ANYWHERE: Point = { x: 0, y: 0 };

export function hasCoords(coords: Coords, axes: Axes): boolean {
	return placeIn(coords, axes, ANYWHERE) !== undefined;
}

/** The next that there is, round and round. */
export function nextCoords(coords: Coords, axes: Axes): Coords {
	const there = COORDS.filter((c) => hasCoords(c, axes));
	return there[(there.indexOf(coords) + 1) % there.length] ?? "world";
}
