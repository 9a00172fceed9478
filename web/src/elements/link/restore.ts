import { resolved } from "../open/places.js";
import type { ViewerController } from "../session/controller.js";
import { parseLink } from "./link.js";
import { isOpenAt, LINK_DEFAULTS } from "./link-of.js";

/**
 * Applies a link's fragment; opens its data set if it is not open. Reports invalid values.
 */
export function restoreLink(controller: ViewerController, fragment: string): void {
	const { state, bad } = parseLink(fragment);
	const { src } = state;
	if (src !== undefined) {
		const url = resolved(src, document.baseURI);
		const isOpen = isOpenAt(controller.state, url, document.baseURI);
		if (isOpen) controller.goTo({ ...LINK_DEFAULTS, ...state });
		else void controller.open({ kind: "address", address: src }, state);
	} else if (!controller.amendStart(state)) {
		if (controller.state.phase === "ready") controller.goTo(state);
		else controller.adjust(state);
	}
	controller.notify(...bad);
}
