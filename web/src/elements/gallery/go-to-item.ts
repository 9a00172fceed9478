import { focusOn } from "../scene-view/focus.js";
import type { ViewerController } from "../session/controller.js";
import { wordsOf } from "./gallery-item.js";
import type { GalleryItem } from "./gallery-state.js";

/** Goes to an item's place, and marks what is found there with its first value. */
export function goToItem(
	controller: ViewerController,
	{ scene, frame, mark, values, lines, futures }: GalleryItem,
): void {
	controller.goTo({ scene, frame, selection: mark });
	if (futures !== undefined && controller.state.futures)
		void controller.rollout.use(async (it) => (await it.futures()).choose(futures));
	if (mark === undefined) return;
	const [first] = values;
	// Predictions have their metres in the picture.
	const words = first?.name && lines === undefined ? wordsOf(first) : undefined;
	focusOn(controller.store, { scene, of: mark, words });
}
