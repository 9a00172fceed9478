import type { FrameView } from "../../dataset/frame-view.js";
import type { MapView } from "../../dataset/map-view.js";
import type { SceneTimeline } from "../../dataset/timeline.js";
import type { AerialView } from "../aerial/aerial.js";
import type { MapState } from "../map/map-state.js";
import type { ModelLines } from "../review/model-lines.js";
import type { Problem } from "./problem.js";
import { currentFrame } from "./showing.js";
import type { ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** The content of one scene view's canvas. */
export interface Painted {
	readonly shown: FrameView | undefined;
	readonly map: MapView | undefined;
	readonly laneColours: Uint8Array | undefined;
	/** Has the accelerations that brake lights are drawn by. */
	readonly timeline: SceneTimeline | undefined;
	readonly aerial?: AerialView | undefined;
	readonly predictions?: readonly ModelLines[] | undefined;
}

/**
 * `failed` contains the reason; undefined while the state may still change by itself.
 */
type Outcome = { readonly failed?: Problem } | undefined;

function isKnown(state: MapState): boolean {
	return state !== "unknown" && state !== "loading";
}

/** Whether the timeline of the scene and of the selection is read, or cannot be. */
function isTimelineKnown(state: ViewerState): boolean {
	const { timeline, timelineFailed, sceneInfo, selection } = state;
	if (timelineFailed) return true;
	const track = selection === "ego" ? undefined : selection;
	return timeline?.scene === sceneInfo?.index && timeline?.of === track;
}

function outcomeOf(state: ViewerState, timed: boolean): Outcome {
	const { phase, mapState, laneColoursDue } = state;
	const { problem, frameProblem, layers, aerialState, shownDue, opening } = state;
	const { linesDue } = state.review;
	if (phase === "empty") return {};
	if (opening && !opening.problem) return undefined;
	if (phase === "failed" && problem) return { failed: problem };
	if (frameProblem) return { failed: frameProblem };
	const found = currentFrame(state) !== undefined && !shownDue;
	const mapKnown = isKnown(mapState) && !laneColoursDue;
	const aerialKnown = !layers.has("aerial") || isKnown(aerialState);
	const predicted = !layers.has("predicted") || !linesDue;
	const timeKnown = !state.trackLengthsDue && (!timed || isTimelineKnown(state));
	const known = mapKnown && aerialKnown && predicted && timeKnown;
	return phase === "ready" && found && known ? {} : undefined;
}

/** Reports when the state no longer changes by itself. */
export class ReadyState {
	readonly #store: Store<ViewerState>;
	readonly #pictures = new Map<object, Painted>();
	readonly #checks = new Set<() => void>();

	constructor(store: Store<ViewerState>) {
		this.#store = store;
	}

	/** Receives what a picture shows; undefined when it is removed. */
	painted(picture: object, painted: Painted | undefined): void {
		if (painted) this.#pictures.set(picture, painted);
		else this.#pictures.delete(picture);
		for (const check of [...this.#checks]) check();
	}

	/**
	 * Resolves when settled; without the brake lights, which need the whole scene, unless
	 * `timed`. Rejects with the BevError of a failure, or with the reason of `signal`.
	 */
	promise(timed: boolean, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			if (signal?.aborted) {
				reject(signal.reason);
				return;
			}
			const finish = (act: () => void): void => {
				this.#checks.delete(check);
				unsubscribe();
				signal?.removeEventListener("abort", onAbort);
				act();
			};
			const onAbort = (): void => finish(() => reject(signal?.reason));
			const check = (): void => {
				const outcome = outcomeOf(this.#store.state, timed);
				if (outcome?.failed) finish(() => reject(outcome.failed?.error));
				else if (outcome && this.#drawn()) finish(resolve);
			};
			const unsubscribe = this.#store.subscribe(({ opening }, before) => {
				// The data set being waited for failed to open; the displayed one is a
				// different one.
				const problem = before.opening !== opening && opening?.problem;
				if (problem) finish(() => reject(problem.error));
				else check();
			});
			this.#checks.add(check);
			signal?.addEventListener("abort", onAbort);
			check();
		});
	}

	#drawn(): boolean {
		const { shown, map, laneColours, aerial, review, timeline } = this.#store.state;
		return [...this.#pictures.values()].every(
			(p) =>
				p.shown === shown &&
				p.map === map &&
				p.laneColours === laneColours &&
				p.timeline === timeline &&
				p.aerial === aerial &&
				p.predictions === review.drawn,
		);
	}
}
