import type { FrameView } from "../../dataset/frame-view.js";
import { countsOf, summaryOf } from "../agents/summary.js";
import { frameText } from "../timeline/clock.js";
import type { Part } from "./parts.js";
import { problemSubject } from "./problem.js";
import { frameCount, frameSeconds, frameWith, type ViewerState } from "./state.js";

/** The scene and frame from which displayed content was made. */
export interface Identity {
	readonly scene: number;
	readonly frame: number;
}

/**
 * Returns whether `made` belongs to the requested scene and frame; the only such test
 * of all panels.
 */
export function isCurrent(state: Identity, made: Identity | undefined): boolean {
	return made?.scene === state.scene && made.frame === state.frame;
}

/** Returns the displayed frame if it is the requested one. */
export function currentFrame(state: ViewerState): FrameView | undefined {
	return isCurrent(state, state.shown) ? state.shown : undefined;
}

/**
 * Returns whether an open data set displays a frame other than the requested one, or
 * none.
 */
export function isStale(state: ViewerState): boolean {
	return state.phase === "ready" && state.sceneCount > 0 && !currentFrame(state);
}

/**
 * Returns what is being read or failed, while the requested frame is not displayed; of
 * `part`, while that is not readable.
 */
export function waitingWords(
	state: ViewerState,
	part?: Part | "ego",
): string | undefined {
	if (!isStale(state)) return undefined;
	if (part && state.partial && frameWith(state, part)) return undefined;
	const { frameProblem, shown, sceneInfo, scene, frame } = state;
	if (frameProblem) return `${problemSubject(frameProblem)} cannot be read`;
	if (!sceneInfo) return `Reading scene ${scene}`;
	if (!shown) return `Reading frame ${frame}`;
	return `Showing frame ${shown.frame}, reading ${frame}`;
}

/** Returns the announcement of the requested frame: its number, time and contents. */
export function frameWords(state: ViewerState): string {
	const where = frameText(state.frame, frameCount(state), frameSeconds(state));
	const reading = state.frameProblem ? "cannot be read" : "loading";
	return `${where}: ${currentFrame(state) ? summaryOf(state) : reading}`;
}

/**
 * Returns the number of kept agents in the requested frame; undefined while it is not
 * displayed.
 */
export function keptNow(state: ViewerState): number | undefined {
	const shown = currentFrame(state);
	return shown && countsOf(shown, state).kept;
}
