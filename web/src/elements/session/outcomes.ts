import type { ViewerState } from "./state.js";

/** Maximum number of outcomes shown at once. */
const MAX_OUTCOMES = 5;

/** Notices about failed reads that a retry repeats. */
export const READ_AGAIN = /^(?!Aerial image|Chosen map)[^:/]*: read failed/;

type Told = Pick<ViewerState, "notices" | "outcomes">;

/** Returns the notices with outcomes, each once; those that are shown become the newest. */
export function withOutcomes(state: Told, ...told: readonly string[]): Told {
	const outcomes = new Map(state.outcomes);
	for (const one of told) outcomes.set(one, (outcomes.get(one) ?? 0) + 1);
	const all = [...state.notices, ...told];
	const last = all.filter((notice, i) => all.lastIndexOf(notice) === i);
	const shown = last.filter((notice) => outcomes.has(notice)).slice(-MAX_OUTCOMES);
	return {
		notices: last.filter((one) => !outcomes.has(one) || shown.includes(one)),
		outcomes: new Map([...outcomes].filter(([one]) => shown.includes(one))),
	};
}
