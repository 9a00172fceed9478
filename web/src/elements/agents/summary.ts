import type { FrameView } from "../../dataset/frame-view.js";
import {
	type AgentClass,
	CLASSES,
	type LayerSet,
	labelName,
} from "../layers/layer-set.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerState } from "../session/state.js";
import { counted } from "../ui/words.js";
import { isLongEnough, type Minima } from "./agents-state.js";

/** Visibility of an agent. */
export const HIDDEN = 0;
export const SHOWN = 1;
/** Below a threshold; drawn faintly because the layer `dropped` is on. */
export const DROPPED = 2;
/** Does not match the search query; drawn faintly. */
export const DIMMED = 3;

/** Inputs of the search. */
export interface Finding {
	readonly query: string;
	readonly dataset: { readonly labels: readonly string[] } | undefined;
}

/**
 * Filters of agents, in addition to the label filter applied when reading the frame.
 */
export interface Limits extends Minima {
	/** Maximum distance to the ego in metres. */
	readonly distance: number;
}

/** Returns everything in the state that `isKept` depends on. */
export function limitsOf({
	distance,
	minHistory,
	minFuture,
	trackLengths,
}: Limits): readonly unknown[] {
	return [distance, minHistory, minFuture, trackLengths];
}

export interface Filter extends Finding, Limits {
	readonly layers: LayerSet;
	readonly selection?: Selection | undefined;
}

/**
 * Returns whether the class or track id of agent `i` contains the query; true for an
 * empty query.
 */
export function isFound(
	frame: FrameView,
	i: number,
	{ query, dataset }: Finding,
): boolean {
	const words = query.trim().toLowerCase();
	if (words === "") return true;
	const { label, track_id } = frame.agents;
	const name = labelName(dataset?.labels[label[i] ?? 0] ?? `LABEL_${label[i]}`);
	return `${name} ${track_id[i]}`.toLowerCase().includes(words);
}

/**
 * Returns whether agent `i` passes the filters of label, distance, history and future.
 */
export function isKept(frame: FrameView, i: number, limits: Limits): boolean {
	const { distance } = limits;
	if (frame.agents.kept[i] !== 1 || !isLongEnough(frame, i, limits)) return false;
	// Without a limit, an unknown distance (NaN ego pose) drops no agent.
	return (
		distance === Number.POSITIVE_INFINITY || (frame.agents.distance[i] ?? 0) <= distance
	);
}

export function classOf(frame: FrameView, i: number): AgentClass {
	return CLASSES[frame.agents.class[i] ?? 3] ?? "other";
}

/**
 * Returns HIDDEN, SHOWN, DIMMED or DROPPED for each agent; used by picture, pointer and
 * table.
 */
export function visibilityOf(frame: FrameView, filter: Filter): Uint8Array {
	const { layers, selection } = filter;
	const visibility = new Uint8Array(frame.agents.length);
	for (let i = 0; i < visibility.length; i += 1) {
		if (!isKept(frame, i, filter)) {
			visibility[i] = layers.has("dropped") ? DROPPED : HIDDEN;
		} else if (layers.has(classOf(frame, i))) {
			visibility[i] = isFound(frame, i, filter) ? SHOWN : DIMMED;
		}
	}
	// The selected agent is always visible, whatever the filters and layers.
	const chosen =
		typeof selection === "bigint" ? agentIndex(frame, selection) : undefined;
	if (chosen !== undefined && visibility[chosen] === HIDDEN)
		visibility[chosen] = DROPPED;
	return visibility;
}

export interface Counts extends Readonly<Record<AgentClass, number>> {
	readonly total: number;
	readonly kept: number;
}

/** Counts kept agents by class. */
export function countsOf(frame: FrameView, limits: Limits): Counts {
	const counts = { vehicle: 0, cyclist: 0, pedestrian: 0, other: 0, kept: 0 };
	for (let i = 0; i < frame.agents.length; i += 1) {
		if (!isKept(frame, i, limits)) continue;
		counts.kept += 1;
		counts[classOf(frame, i)] += 1;
	}
	return { ...counts, total: frame.agents.length };
}

/** Describes the displayed frame: `21 vehicles, 1 cyclist, 3 pedestrians`. */
export function summaryOf(state: ViewerState): string {
	if (!state.shown) return "no frame";
	const counts = countsOf(state.shown, state);
	const words = [
		counted(counts.vehicle, "vehicle"),
		counted(counts.cyclist, "cyclist"),
		counted(counts.pedestrian, "pedestrian"),
	];
	if (counts.other > 0) words.push(`${counts.other} other`);
	return words.join(", ");
}

/** Returns the row of a track in a frame. */
export function agentIndex(frame: FrameView, track: bigint): number | undefined {
	const at = frame.agents.track_id.indexOf(track);
	return at < 0 ? undefined : at;
}
