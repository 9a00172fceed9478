import type { AddEdit, PatchEdit } from "../../dataset/patch.js";
import { agentIndex } from "../agents/summary.js";
import { poseOf } from "../scene-view/anchor.js";
import type { Point, Pose } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerState } from "../session/state.js";
import type { Edits } from "./edit-list.js";
import {
	actionSpan,
	type EditPlace,
	moveSpan,
	presenceSpan,
	type Scope,
} from "./edit-scope.js";

/** A road user of the displayed frame that can be edited. */
export interface Subject extends EditPlace {
	readonly of: Selection;
	readonly scene: number;
	readonly pose: Pose;
	readonly scope: Scope;
}

/** Returns the subject of a selection; undefined if the displayed frame lacks it. */
export function subjectOf(
	{ shown, editing }: ViewerState,
	of: Selection | undefined,
): Subject | undefined {
	const pose = poseOf(shown, of);
	if (!shown || !pose || of === undefined || !Number.isFinite(pose.x)) return undefined;
	const { scene, frame, agents, ego } = shown;
	const i = of === "ego" ? undefined : agentIndex(shown, of);
	const speed = (i === undefined ? ego.speed : agents.speed[i]) ?? Number.NaN;
	return { of, scene, frame, speed, pose, scope: editing?.scope ?? "auto" };
}

/** Track ids above this one are no exact numbers. */
const MAX_TRACK = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns whether edits can name a road user. */
export function canName(of: Selection): boolean {
	return of === "ego" || of <= MAX_TRACK;
}

function trackOf(of: Selection): number | "ego" {
	return of === "ego" ? of : Number(of);
}

/** Moves a subject by metres in world, and turns it by radians. */
export function moved(subject: Subject, by: Point, turn = 0): PatchEdit {
	const { scene, of, scope } = subject;
	const edit = { op: "move", scene, track: trackOf(of) } as const;
	return { ...edit, ...moveSpan(scope, subject), by: [by.x, by.y], turn };
}

/** Moves a subject by metres ahead and to its left. */
export function nudged(subject: Subject, ahead: number, left: number): PatchEdit {
	const [cos, sin] = [Math.cos(subject.pose.yaw), Math.sin(subject.pose.yaw)];
	return moved(subject, { x: ahead * cos - left * sin, y: ahead * sin + left * cos });
}

/** Brakes a subject. */
export function stopped({ scene, of, scope, frame }: Subject): PatchEdit {
	return { op: "stop", scene, track: trackOf(of), ...actionSpan(scope, frame) };
}

/** Lets a subject drive its path `factor` times as fast. */
export function retimed(
	{ scene, of, scope, frame }: Subject,
	factor: number,
): PatchEdit {
	const span = actionSpan(scope, frame);
	return { op: "retime", scene, track: trackOf(of), factor, ...span };
}

/** Removes an agent; undefined for the ego vehicle, which stays. */
export function removed({ scene, of, scope, frame }: Subject): PatchEdit | undefined {
	if (of === "ego") return undefined;
	const span = presenceSpan(scope, frame);
	return { op: "remove", scene, track: Number(of), ...span };
}

/** Names of labels in patches, in the order of `label_probabilities`. */
const LABELS = [
	...["NOT_SET", "UNKNOWN", "DONTCARE", "CAR", "VAN", "TRAM", "BUS", "TRUCK"],
	...["EMERGENCY_VEHICLE", "OTHER_VEHICLE", "BICYCLE", "MOTORCYCLE", "CYCLIST"],
	...["MOTORCYCLIST", "PEDESTRIAN", "ANIMAL"],
];

/** Length, width and height of an added car, in metres. */
const CAR: AddEdit["extent"] = [4.6, 1.9, 1.6];

/** The first track of added agents, above those of data sets that count from 1. */
const FIRST_TRACK = 900_001;

/** Returns a track id that the displayed frame and the edits lack. */
export function newTrack({ shown }: ViewerState, list: Edits): number {
	const used = new Set<number>();
	for (const edit of list) if (edit.op === "add") used.add(edit.track);
	for (const track of shown?.agents.track_id ?? []) used.add(Number(track));
	let track = FIRST_TRACK;
	while (used.has(track)) track += 1;
	return track;
}

/** Metres between a copy and what is copied. */
const BESIDE = 4;

/**
 * Adds an agent that stands: at a place with the ego vehicle's heading; or of the
 * selected agent's size and kind, beside it.
 */
export function added(
	state: ViewerState,
	list: Edits,
	at: Point | undefined,
): AddEdit | undefined {
	const { shown, selection, editing } = state;
	if (!shown) return undefined;
	const i = typeof selection === "bigint" ? agentIndex(shown, selection) : undefined;
	const { agents, scene, frame } = shown;
	const pose = poseOf(shown, i === undefined ? "ego" : selection);
	const yaw = Number.isFinite(pose?.yaw) ? (pose?.yaw ?? 0) : 0;
	const { x = 0, y = 0 } = pose ?? {};
	const beside = { x: x - BESIDE * Math.sin(yaw), y: y + BESIDE * Math.cos(yaw) };
	const place = at ?? beside;
	const [length, width, height] =
		i === undefined ? CAR : agents.extent.subarray(3 * i, 3 * i + 3);
	const label = i === undefined ? undefined : LABELS[agents.label[i] ?? 0];
	const digits = (value: number | undefined, count: number): number =>
		Number((value ?? 0).toFixed(count));
	return {
		op: "add",
		scene,
		track: newTrack(state, list),
		...presenceSpan(editing?.scope ?? "auto", frame),
		label: label ?? "CAR",
		extent: [digits(length, 2), digits(width, 2), digits(height, 2)],
		path: [[0, digits(place.x, 3), digits(place.y, 3), digits(yaw, 4)]],
	};
}
