import type { Layer } from "../layers/layer-set.js";
import { formatLink } from "../link/link.js";
import { linkOf } from "../link/link-of.js";
import type { Note } from "../notes/note.js";
import type { Camera, Point } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import type { ExplainedProblem, Explanation } from "../session/explanation.js";
import type { Problem } from "../session/problem.js";
import { currentFrame, isCurrent } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import type { FrameRange } from "../timeline/clock.js";

/** Minimum interval between `state-change` events, in milliseconds. */
const PACE_MS = 250;

/**
 * A click or tap in the picture. `preventDefault()` prevents selecting or measuring.
 */
export interface PictureClick {
	/** World coordinates in metres. */
	readonly world: Point;
	/** The agent at this point; undefined if there is none. */
	readonly object: Selection | undefined;
	/** Scene and frame displayed at this point. */
	readonly scene: number;
	/** Displayed frame. */
	readonly frame: number;
}

/** Events of `bev-viewer` with their details. */
export interface ViewerEventDetails {
	/** A data set was opened. */
	"dataset-load": {
		/** Number of scenes. */
		readonly scenes: number;
	};
	/** A scene was opened. */
	"scene-change": {
		/** Index of the scene. */
		readonly scene: number;
	};
	/** A frame is displayed; never a substitute. */
	"frame-change": {
		/** Index of the scene. */
		readonly scene: number;
		/** Index of the frame in its scene. */
		readonly frame: number;
	};
	/** The selection changed. */
	"selection-change": {
		/** A track, `ego`, or undefined. */
		readonly selection: Selection | undefined;
	};
	/** Playback started or stopped. */
	"play-change": {
		/** Whether playback is on. */
		readonly playing: boolean;
	};
	/** The agent under the pointer, or reached by keyboard navigation. */
	"hover-change": {
		/** A track, `ego`, or undefined. */
		readonly hover: Selection | undefined;
	};
	/** A layer was shown or hidden. */
	"layers-change": {
		/** Names of the visible layers. */
		readonly layers: readonly Layer[];
	};
	/** Notes were added, changed, removed or loaded. */
	"notes-change": {
		/** All notes on the data set. */
		readonly notes: readonly Note[];
	};
	/** A click or tap in the picture. */
	"picture-click": PictureClick;
	/** The camera moved. */
	"camera-change": {
		/** The camera's position, extent, rotation and tilt. */
		readonly camera: Camera;
	};
	/** Ranges of frames in memory changed. */
	"buffer-change": {
		/** Ranges of frames in memory. */
		readonly buffered: readonly FrameRange[];
	};
	/** The state as a link, at most four times per second. */
	"state-change": {
		/** Fragment of a link. */
		readonly state: string;
	};
	/** A data set cannot be opened, or a frame or scene cannot be read. */
	"load-error": ExplainedProblem;
	/** The canvas lost its context; it is redrawn when the context is restored. */
	"context-lost": null;
}

/** Events of `bev-viewer` by name, with their details, and those of all elements. */
export type ViewerEventMap = Omit<HTMLElementEventMap, keyof ViewerEventDetails> & {
	[K in keyof ViewerEventDetails]: CustomEvent<ViewerEventDetails[K]>;
};

/** A listener of one event. */
export type ViewerListener<K extends keyof ViewerEventMap> = (
	event: ViewerEventMap[K],
) => unknown;

/**
 * Knows the types of the viewer's events. They are not added to `HTMLElementEventMap`,
 * because other libraries have events of the same names.
 */
export interface ViewerEventTarget {
	/** Listens to an event of the viewer; `detail` has the event's type. */
	addEventListener<K extends keyof ViewerEventMap>(
		type: K,
		listener: ViewerListener<K>,
		options?: boolean | AddEventListenerOptions,
	): void;
	/** Removes a listener of an event of the viewer. */
	removeEventListener<K extends keyof ViewerEventMap>(
		type: K,
		listener: ViewerListener<K>,
		options?: boolean | EventListenerOptions,
	): void;
}

type Tell = <K extends keyof ViewerEventDetails>(
	name: K,
	detail: ViewerEventDetails[K],
) => void;

/** Tells a failure with its explanation, which is loaded first. */
async function tellFailure(problem: Problem, tell: Tell): Promise<void> {
	const plain: Explanation = { title: "Read failed", advice: [] }; // if loading it fails
	const known = await import("../session/explanation.js").then(
		({ explanationOf }) => explanationOf(problem),
		() => plain,
	);
	tell("load-error", { ...problem, ...known });
}

function tellChanges(state: ViewerState, before: ViewerState, tell: Tell): void {
	const { dataset, sceneCount, sceneInfo, selection, problem, frameProblem } = state;
	// Edits replace the data set, but not its scenes.
	if (dataset && dataset.scenes !== before.dataset?.scenes)
		tell("dataset-load", { scenes: sceneCount });
	if (sceneInfo && sceneInfo.seconds !== before.sceneInfo?.seconds) {
		tell("scene-change", { scene: sceneInfo.index });
	}
	const now = currentFrame(state);
	const same = dataset === before.dataset && isCurrent(state, currentFrame(before));
	if (now && !same) tell("frame-change", { scene: now.scene, frame: now.frame });
	if (selection !== before.selection) tell("selection-change", { selection });
	const { playing, hover, layers } = state;
	if (playing !== before.playing) tell("play-change", { playing });
	if (hover !== before.hover) tell("hover-change", { hover });
	if (layers !== before.layers) tell("layers-change", { layers: [...layers] });
	const { notes } = state;
	if (notes !== before.notes) tell("notes-change", { notes });
	const { camera, buffered } = state;
	if (camera !== before.camera) tell("camera-change", { camera });
	if (buffered !== before.buffered) tell("buffer-change", { buffered });
	const refused = state.opening?.problem;
	for (const [now, last] of [
		[problem, before.problem],
		[refused, before.opening?.problem],
		[frameProblem, before.frameProblem],
	])
		if (now && now.error !== last?.error) void tellFailure(now, tell);
}

/**
 * Dispatches the controller's changes on `target` until the returned function is
 * called.
 */
export function dispatchChanges(
	controller: ViewerController,
	target: EventTarget,
): () => void {
	const tell: Tell = (name, detail) => {
		target.dispatchEvent(
			new CustomEvent(name, { detail, bubbles: true, composed: true }),
		);
	};
	let timer: ReturnType<typeof setTimeout> | undefined;
	let told = formatLink(linkOf(controller.state));
	const tellState = (): void => {
		timer = undefined;
		const state = formatLink(linkOf(controller.state));
		if (state === told) return;
		told = state;
		tell("state-change", { state });
	};
	const unsubscribe = controller.store.subscribe((state, before) => {
		tellChanges(state, before, tell);
		timer ??= setTimeout(tellState, PACE_MS);
	});
	return () => {
		unsubscribe();
		clearTimeout(timer);
	};
}
