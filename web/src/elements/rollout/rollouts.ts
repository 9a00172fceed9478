import { Lazy } from "../session/lazy-object.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import type { RolloutController } from "./rollout-controller.js";

/** Returns the rollout of a viewer, whose code is loaded on first use. */
export function lazyRollout(
	store: Store<ViewerState>,
	notify: (notice: string) => void,
): Lazy<RolloutController> {
	return new Lazy(
		async () => new (await import("./rollout-controller.js")).RolloutController(store),
		(error) => notify(`Rollout: loading failed: ${String(error)}`),
	);
}
