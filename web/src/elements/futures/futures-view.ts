import type { SceneFutures } from "../../reviewing/remote-futures.js";
import { sceneAttributes } from "../scenes/benchmark.js";
import type { ViewerState } from "../session/state.js";
import {
	type FuturesColour,
	type FuturesMeasure,
	type FuturesOrder,
	type FuturesSet,
	type FuturesView,
	HORIZONS,
} from "./futures-state.js";

export const COLOURS: readonly FuturesColour[] = ["time", "outcome"];
export const ORDERS: readonly FuturesOrder[] = ["number", "worst", "best"];

/** Names of the measures, in the order of lists. */
export const MEASURES: Readonly<
	Record<FuturesMeasure, { readonly name: string; readonly title: string }>
> = {
	ade: {
		name: "ADE m",
		title: "Mean distance of the evaluated agents from the recorded ones, m",
	},
	fde: {
		name: "FDE m",
		title: "Distance of the evaluated agents at their last recorded step, m",
	},
	colliding: { name: "Collisions", title: "Agents that touch another agent" },
	leaving: {
		name: "Off lanes",
		title: "Vehicles and cyclists that leave all lanes, of those that begin on one",
	},
};

export const START: FuturesView = {
	rollout: undefined,
	colour: "time",
	measure: "ade",
	order: "number",
	active: 0,
	seconds: undefined,
	split: false,
};

/** Returns how far ahead numbers are measured, to follow their name. */
export function untilWords(seconds: number | undefined): string {
	return seconds === undefined ? "" : ` until ${seconds} s`;
}

/** Returns whether futures last so long; the times of frames are not exact. */
export function reaches(
	{ secondsAhead }: Pick<SceneFutures, "secondsAhead">,
	seconds: number,
): boolean {
	return Math.round(10 * secondsAhead) >= 10 * seconds;
}

/** Metres from the recording at the first step, from which on the frame is another one. */
const FAR = 50;

/** Returns how far futures begin from the recorded places, if it is too far to be so. */
export function farAway({
	here,
	curves,
}: Pick<FuturesSet, "here" | "curves">): number | undefined {
	if (!here || !curves) return undefined;
	const first = curves.mean.filter((_, i) => i % here.steps === 0);
	const least = first.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	return least > FAR && Number.isFinite(least) ? least : undefined;
}

/** Returns a view for links, with A and B; undefined for the one at the start. */
export function viewText(view: FuturesView, compared?: string): string | undefined {
	const { rollout, colour, measure, order, active, seconds, split } = view;
	const parts = [
		rollout === undefined ? undefined : `${rollout}`,
		active === 0 ? undefined : "second",
		colour === START.colour ? undefined : colour,
		measure === START.measure ? undefined : measure,
		order === START.order ? undefined : order,
		seconds === undefined ? undefined : `${seconds}s`,
		split ? "split" : undefined,
		compared,
	].filter((part) => part !== undefined);
	return parts.length === 0 ? undefined : parts.join(";");
}

/** Reads `viewText`; unknown parts are ignored. */
export function parseView(text: string): FuturesView {
	const parts = text.split(";");
	const among = <T extends string>(all: readonly T[], usual: T): T =>
		all.find((one) => parts.includes(one)) ?? usual;
	const number = parts.find((part) => /^\d{1,4}$/.test(part));
	return {
		rollout: number === undefined ? undefined : Number(number),
		active: parts.includes("second") ? 1 : 0,
		colour: among(COLOURS, START.colour),
		measure: among(Object.keys(MEASURES) as FuturesMeasure[], START.measure),
		order: among(ORDERS, START.order),
		seconds: HORIZONS.find((one) => parts.includes(`${one}s`)),
		split: parts.includes("split"),
	};
}

/**
 * Reads which futures a picture shows: `all` of all submissions, or a submission's index
 * and a future's number, `1:5`. Returns undefined for any other text.
 */
export function viewOf(
	which: string,
): Pick<FuturesView, "active" | "rollout"> | undefined {
	if (which === "all") return { active: 0, rollout: undefined };
	const [, active, rollout] = /^([01]):(\d{1,4})$/.exec(which) ?? [];
	if (rollout === undefined) return undefined;
	return { active: Number(active), rollout: Number(rollout) };
}

/** Returns the numbers of the futures in the list's order; unknown values are last. */
export function ordered(
	futures: SceneFutures,
	{ measure, order }: Pick<FuturesView, "measure" | "order">,
): readonly number[] {
	const all = Array.from({ length: futures.rollouts }, (_, i) => i);
	if (order === "number") return all;
	const values = futures.measures[measure];
	const of = (i: number): number => values[i] ?? Number.NaN;
	const sign = order === "worst" ? -1 : 1;
	return all.sort((a, b) => {
		const unknown = Number(Number.isNaN(of(a))) - Number(Number.isNaN(of(b)));
		return unknown || sign * (of(a) - of(b)) || a - b;
	});
}

/** Returns the futures with a known value, the worst first. */
function worstFirst(futures: SceneFutures, measure: FuturesMeasure): readonly number[] {
	const values = futures.measures[measure];
	return ordered(futures, { measure, order: "worst" }).filter(
		(i) => !Number.isNaN(values[i] ?? Number.NaN),
	);
}

/** Returns the future that is the worst, best or median by a measure. */
export function ranked(
	futures: SceneFutures,
	measure: FuturesMeasure,
	which: "worst" | "best" | "median",
): number | undefined {
	const known = worstFirst(futures, measure);
	if (which === "worst") return known[0];
	return which === "best" ? known.at(-1) : known[known.length >> 1];
}

/** The futures of a submission in a scene, and its place among the submissions. */
export interface DrawnSet {
	readonly futures: SceneFutures;
	readonly index: number;
}

/** Returns the submissions that have the displayed scene. */
export function drawnSets(sets: readonly FuturesSet[]): readonly DrawnSet[] {
	return sets.flatMap(({ here }, index) => (here ? [{ futures: here, index }] : []));
}

/**
 * Returns the future that a submission shows: undefined for all, null for none. In split
 * pictures, the one beside a single future has the same rank by the measure.
 */
export function shownFuture(
	sets: readonly DrawnSet[],
	index: number,
	{ rollout, active, split, measure }: FuturesView,
): number | null | undefined {
	if (rollout === undefined || index === active) return rollout;
	const [here, there] = [active, index].map((of) => {
		const set = sets.find((one) => one.index === of);
		return set && worstFirst(set.futures, measure);
	});
	const rank = here?.indexOf(rollout) ?? -1;
	if (!split || !here || !there || rank < 0) return null;
	const share = rank / Math.max(1, here.length - 1);
	return there[Math.round(share * (there.length - 1))] ?? null;
}

/** Returns the selected track's id in the source of the scene. */
export function selectedTrack({
	selection,
	dataset,
	scene,
}: Pick<ViewerState, "selection" | "dataset" | "scene">): bigint | undefined {
	if (selection !== "ego") return selection;
	const id = sceneAttributes(dataset?.attrs, scene)?.ego_track_id;
	return Number.isSafeInteger(id) ? BigInt(`${id}`) : undefined;
}

/** Returns the rows of the agents whose paths are drawn: the selected, else the evaluated. */
export function shownAgents(
	futures: SceneFutures,
	track: bigint | undefined,
): readonly number[] {
	const row = track === undefined ? -1 : futures.ids.indexOf(track);
	if (row >= 0) return [row];
	return Array.from(futures.measures.evaluated);
}

/** Returns whether an agent's pose is given. */
export function isValid(f: SceneFutures, r: number, a: number, t: number): boolean {
	return f.valid === undefined || f.valid[(r * f.ids.length + a) * f.steps + t] === 1;
}

/** Returns a value of a pose: 0 x, 1 y, 2 z, 3 yaw. */
export function poseAt(
	f: SceneFutures,
	[r, a, v, t]: readonly [r: number, a: number, v: number, t: number],
): number {
	const value = f.poses[((r * f.ids.length + a) * f.values + v) * f.steps + t];
	return value ?? Number.NaN;
}

/** The first events of some agents in a future, as steps. */
export interface Events {
	readonly collisions: readonly number[];
	readonly departures: readonly number[];
}

/** Returns the steps of the agents' first collisions and departures from the lanes. */
export function eventsOf(
	f: SceneFutures,
	rollout: number,
	agents: readonly number[],
): Events {
	const steps = (values: Float64Array): readonly number[] =>
		agents
			.map((agent) => values[rollout * f.ids.length + agent] ?? -1)
			.filter((step) => step >= 0)
			.sort((a, b) => a - b);
	const { collision_step, off_lane_step } = f.measures;
	return { collisions: steps(collision_step), departures: steps(off_lane_step) };
}

/** Returns the step of a frame; undefined unless it has one. */
export function stepOf(f: SceneFutures, frame: number): number | undefined {
	const step = (frame - f.firstStep) / f.stride;
	return Number.isInteger(step) && step >= 0 && step < f.steps ? step : undefined;
}
