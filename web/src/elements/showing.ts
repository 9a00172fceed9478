import type { FrameView } from "../frame-view.js";
import type { Problem } from "./pure/problem.js";
import type { ViewerState } from "./state.js";

/** The scene and frame that something on the screen was made from. */
export interface Identity {
	readonly scene: number;
	readonly frame: number;
}

/** A failed read, and what it was a read of: a frame, or the scene's record and times. */
export interface ReadProblem extends Problem {
	readonly scene: number;
	/** Undefined if the scene itself failed. */
	readonly frame: number | undefined;
}

/** Whether `made` is of the scene and frame asked for: the one test for every panel. */
export function isCurrent(state: Identity, made: Identity | undefined): boolean {
	return made?.scene === state.scene && made.frame === state.frame;
}

/** The frame on show if it is the one asked for. */
export function currentFrame(state: ViewerState): FrameView | undefined {
	return isCurrent(state, state.shown) ? state.shown : undefined;
}

/** Whether an open data set shows another frame than the one asked for, or none. */
export function isStale(state: ViewerState): boolean {
	return state.phase === "ready" && state.sceneCount > 0 && !currentFrame(state);
}

/** `Frame 100` or `Scene 3`: what could not be read. */
export function problemSubject({ scene, frame }: ReadProblem): string {
	return frame === undefined ? `Scene ${scene}` : `Frame ${frame}`;
}

/** What is read or could not be, while the frame asked for is not on show. */
export function waitingWords(state: ViewerState): string | undefined {
	if (!isStale(state)) return undefined;
	const { frameProblem, shown, sceneInfo, scene, frame } = state;
	if (frameProblem) return `${problemSubject(frameProblem)} cannot be read`;
	if (!sceneInfo) return `Reading scene ${scene}`;
	if (!shown) return `Reading frame ${frame}`;
	return `Showing frame ${shown.frame}, reading ${frame}`;
}
