import type { ViewerController } from "./controller.js";
import type { Selection } from "./pure/link.js";
import type { Problem } from "./pure/problem.js";
import type { ViewerState } from "./state.js";

/** What `bev-viewer` tells the page, by event name. */
export interface ViewerEventDetails {
	"dataset-load": { readonly scenes: number };
	"scene-change": { readonly scene: number };
	"frame-change": { readonly scene: number; readonly frame: number };
	"selection-change": { readonly selection: Selection | undefined };
	"load-error": Problem;
}

declare global {
	interface HTMLElementEventMap {
		"dataset-load": CustomEvent<ViewerEventDetails["dataset-load"]>;
		"scene-change": CustomEvent<ViewerEventDetails["scene-change"]>;
		"frame-change": CustomEvent<ViewerEventDetails["frame-change"]>;
		"selection-change": CustomEvent<ViewerEventDetails["selection-change"]>;
		"load-error": CustomEvent<ViewerEventDetails["load-error"]>;
	}
}

type Tell = <K extends keyof ViewerEventDetails>(
	name: K,
	detail: ViewerEventDetails[K],
) => void;

function tellChanges(state: ViewerState, before: ViewerState, tell: Tell): void {
	const { dataset, sceneCount, sceneInfo, shown, selection, problem, frameProblem } =
		state;
	if (dataset && dataset !== before.dataset)
		tell("dataset-load", { scenes: sceneCount });
	if (sceneInfo && sceneInfo !== before.sceneInfo) {
		tell("scene-change", { scene: sceneInfo.index });
	}
	if (shown && shown !== before.shown) {
		tell("frame-change", { scene: shown.scene, frame: shown.frame });
	}
	if (selection !== before.selection) tell("selection-change", { selection });
	if (problem && problem !== before.problem) tell("load-error", problem);
	if (frameProblem && frameProblem !== before.frameProblem)
		tell("load-error", frameProblem);
}

/** Dispatches the controller's changes on `target` until the returned function is called. */
export function dispatchChanges(
	controller: ViewerController,
	target: EventTarget,
): () => void {
	const tell: Tell = (name, detail) => {
		target.dispatchEvent(
			new CustomEvent(name, { detail, bubbles: true, composed: true }),
		);
	};
	return controller.store.subscribe((state, before) =>
		tellChanges(state, before, tell),
	);
}
