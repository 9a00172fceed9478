import { prefersStill } from "../scene-view/scene-painter.js";
import { SceneView } from "../scene-view/scene-view.js";
import { ViewerController } from "../session/controller.js";
import type { Theme } from "../session/state.js";
import { until } from "../session/store.js";
import { register } from "../ui/define-lazy.js";
import { openPlace } from "./open-place.js";

/** The picture behind the start page. */
export class Backdrop extends SceneView {}

register("bev-backdrop", Backdrop);

/** Opens a data set in a controller of its own; plays it, unless the user prefers less motion. */
export async function playing(
	address: string,
	theme: Theme,
	signal: AbortSignal,
): Promise<ViewerController> {
	const controller = new ViewerController({ opener: openPlace });
	signal.addEventListener("abort", () => controller.close(), { once: true });
	controller.setTheme(theme);
	const { camera } = controller.state;
	controller.setFollow("position", { ...camera, span: 110 });
	await controller.open({ kind: "address", address });
	signal.throwIfAborted();
	if (controller.state.phase !== "ready") throw new Error("not opened");
	controller.toggleLoop();
	// Playing begins with the scene's times, which the picture asks for.
	if (!prefersStill())
		void until(controller.store, ({ pictured }) => pictured, signal)
			.then(() => controller.play())
			.catch(() => {});
	return controller;
}
