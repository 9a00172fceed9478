import type { FrameView } from "../frame-view.js";
import { type AgentClass, CLASSES, type LayerSet, labelName } from "./pure/layers.js";
import type { Selection } from "./pure/link.js";
import { isSeenEnough, type Minima } from "./sights.js";
import type { ViewerState } from "./state.js";

/** How one agent is drawn. */
export const HIDDEN = 0;
export const SHOWN = 1;
/** Below a threshold, and drawn faintly because its layer is on. */
export const DROPPED = 2;
/** Shown faintly: it is not what Find looks for. */
export const DIMMED = 3;

/** What agents are found by. */
export interface Finding {
	readonly query: string;
	readonly dataset: { readonly labels: readonly string[] } | undefined;
}

/** What keeps agents, beside the label filter that a frame was read with. */
export interface Limits extends Minima {
	/** Metres to the ego. */
	readonly distance: number;
}

/** Everything that `isKept` reads of a state. */
export function limitsOf({
	distance,
	minHistory,
	minFuture,
	sights,
}: Limits): readonly unknown[] {
	return [distance, minHistory, minFuture, sights];
}

export interface Filter extends Finding, Limits {
	readonly layers: LayerSet;
	readonly selection?: Selection | undefined;
}

/** Whether the query is in the class or the track id of agent `i`; an empty one is. */
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

/** Whether label filter, distance, history and future keep agent `i`. */
export function isKept(frame: FrameView, i: number, limits: Limits): boolean {
	const { distance } = limits;
	if (frame.agents.kept[i] !== 1 || !isSeenEnough(frame, i, limits)) return false;
	// Without a limit an unknown distance (an ego pose that is not a number) drops nothing.
	return (
		distance === Number.POSITIVE_INFINITY || (frame.agents.distance[i] ?? 0) <= distance
	);
}

export function classOf(frame: FrameView, i: number): AgentClass {
	return CLASSES[frame.agents.class[i] ?? 3] ?? "other";
}

/** HIDDEN, SHOWN, DIMMED or DROPPED for each agent: the one answer for picture, pointer and table. */
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
	// What is selected can be seen, whatever the thresholds and layers leave out.
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

/** Agents that the thresholds keep, by class. */
export function countsOf(frame: FrameView, limits: Limits): Counts {
	const counts = { vehicle: 0, cyclist: 0, pedestrian: 0, other: 0, kept: 0 };
	for (let i = 0; i < frame.agents.length; i += 1) {
		if (!isKept(frame, i, limits)) continue;
		counts.kept += 1;
		counts[classOf(frame, i)] += 1;
	}
	return { ...counts, total: frame.agents.length };
}

function plural(count: number, one: string, many: string): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** The frame on show in words: `21 vehicles, 1 cyclist, 3 pedestrians`. */
export function summaryOf(state: ViewerState): string {
	if (!state.shown) return "nothing shown";
	const counts = countsOf(state.shown, state);
	const words = [
		plural(counts.vehicle, "vehicle", "vehicles"),
		plural(counts.cyclist, "cyclist", "cyclists"),
		plural(counts.pedestrian, "pedestrian", "pedestrians"),
	];
	if (counts.other > 0) words.push(`${counts.other} other`);
	return words.join(", ");
}

/** The row of a track in a frame. */
export function agentIndex(frame: FrameView, track: bigint): number | undefined {
	const at = frame.agents.track_id.indexOf(track);
	return at < 0 ? undefined : at;
}
