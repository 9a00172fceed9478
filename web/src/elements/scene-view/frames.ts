import type { FrameView } from "../../dataset/frame-view.js";
import { type Affine, mapped } from "../draw/picture.js";
import type { Point, Pose } from "./camera.js";
import type { Selection } from "./picking.js";

/**
 * Coordinate frames: world, the ego's, the selected agent's, or pixels of the displayed
 * raster.
 */
export type Coords = "world" | "ego" | "agent" | "raster";

export const COORDS: readonly Coords[] = ["world", "ego", "agent", "raster"];

/** The available coordinate frames. */
export interface Axes {
	readonly shown: FrameView | undefined;
	readonly selection: Selection | undefined;
	readonly raster: { readonly picture: { readonly fromWorld: Affine } | undefined };
}

/** Returns the pose of `coords`; undefined if the frame does not contain it. */
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

/** Converts a world point to the axes of `pose`: x forward, y left. */
export function localFrom(pose: Pose, world: Point): Point {
	const [dx, dy] = [world.x - pose.x, world.y - pose.y];
	const [cos, sin] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
	return { x: cos * dx + sin * dy, y: -sin * dx + cos * dy };
}

/** Converts a world point to `coords`; undefined if they are not available. */
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
	if (coords === "ego" && axes.shown?.ego.is_virtual) return false;
	return placeIn(coords, axes, ANYWHERE) !== undefined;
}

/** Returns the next available coordinate frame, cyclically. */
export function nextCoords(coords: Coords, axes: Axes): Coords {
	const there = COORDS.filter((c) => hasCoords(c, axes));
	return there[(there.indexOf(coords) + 1) % there.length] ?? "world";
}
