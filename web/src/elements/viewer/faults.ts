import { explanationOf } from "../session/explanation.js";
import { isRetried } from "../session/outcomes.js";
import { problemSubject } from "../session/problem.js";
import { absenceOf } from "../session/source-state.js";
import type { ViewerState } from "../session/state.js";
import type { FrameRange } from "../timeline/clock.js";
import { noticesOf } from "./notices.js";

/** What of the open data could not be read or shown, and why. */
export interface Fault {
	/** What is affected. */
	readonly what: string;
	/** The cause; empty if it is unknown. */
	readonly why: string;
	/** What the user can do. */
	readonly advice: readonly string[];
	/** What reads it again; undefined if nothing does. */
	readonly retry: "read" | "reopen" | undefined;
	/** The notice to dismiss; undefined if it is no notice. */
	readonly notice: string | undefined;
}

/** Returns the words for ranges of frames: `Frames 3, 8 to 12`. */
function rangeWords(ranges: readonly FrameRange[]): string {
	const words = ranges.map(({ begin, end }) =>
		end - begin === 1 ? `${begin}` : `${begin} to ${end - 1}`,
	);
	const isOne = ranges.length === 1 && !words[0]?.includes(" ");
	return words.length > 0 ? `${isOne ? "Frame" : "Frames"} ${words.join(", ")}` : "";
}

function frameFault(state: ViewerState): Fault | undefined {
	const { frameProblem, unreadable } = state;
	const others = unreadable.filter(
		({ begin, end }) => end - begin > 1 || begin !== frameProblem?.frame,
	);
	if (!frameProblem && others.length === 0) return undefined;
	const frames = rangeWords(others);
	const subject = frameProblem && problemSubject(frameProblem);
	return {
		what: frames || !subject ? `${frames}: read failed` : `${subject}: read failed`,
		why: frameProblem?.why ?? "Go to one of them to see the cause.",
		advice: frameProblem ? explanationOf(frameProblem).advice : [],
		retry: "read",
		notice: undefined,
	};
}

/** Returns the faults of the data, each once. */
export function faultsOf(state: ViewerState): readonly Fault[] {
	const frame = frameFault(state);
	const absent = state.presumedAbsent.map((key): Fault => {
		const { what, why } = absenceOf(key) ?? { what: key, why: "" };
		return { what, why, advice: [], retry: "reopen", notice: undefined };
	});
	const others = noticesOf(state).flatMap((notice): Fault[] => {
		const fault = state.faults.get(notice);
		if (!fault) return [];
		const { what, why = "" } = fault;
		const retry = isRetried(fault) ? "read" : undefined;
		return [{ what, why, advice: [], retry, notice }];
	});
	return [...(frame ? [frame] : []), ...absent, ...others];
}
