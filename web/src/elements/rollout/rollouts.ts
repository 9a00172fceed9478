import { Late } from "../session/late.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import type { RolloutController } from "./rollout-controller.js";

/** Returns the rollout of a viewer, whose code is loaded on first use. */
export function lateRollout(
	store: Store<ViewerState>,
	notify: (notice: string) => void,
): Late<RolloutController> {
	return new Late(
		async () => new (await import("./rollout-controller.js")).RolloutController(store),
		(error) => notify(`Rollout: loading failed: ${String(error)}`),
	);
}
