import type { Follow } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";
import { indexWords } from "../timeline/clock.js";

const FOLLOWED: Readonly<Record<Follow, string>> = {
	position: "follows the ego",
	heading: "follows the ego, heading up",
	selected: "follows the selection",
	free: "is free",
};

function section({ section }: ViewerState): string {
	if (!section) return "Section cleared";
	return `Section: frames ${section.begin} to ${section.end - 1}`;
}

/** Returns the announcement of the layer that was switched. */
function layer(before: ViewerState, { layers }: ViewerState): string | undefined {
	const on = [...layers].find((name) => !before.layers.has(name));
	if (on) return `Layer ${on} on`;
	const off = [...before.layers].find((name) => !layers.has(name));
	return off && `Layer ${off} off`;
}

/**
 * Returns the announcement of a change by a key that did not move the focus; undefined
 * for changes that are announced elsewhere, or no change.
 */
export function changeWords(
	before: ViewerState,
	after: ViewerState,
): string | undefined {
	const { scene, sceneCount, speed, loop, follow, coords, measured } = after;
	if (scene !== before.scene) return `Scene ${indexWords(scene, sceneCount)}`;
	if (speed !== before.speed) return `Speed ${speed}`;
	if (after.section !== before.section) return section(after);
	if (loop !== before.loop) return loop ? "Loop on" : "Loop off";
	if (follow !== before.follow) return `Camera ${FOLLOWED[follow]}`;
	if (coords !== before.coords) return `Coordinates: ${coords}`;
	if (!measured !== !before.measured) return measured ? "Measuring" : "Not measuring";
	return after.layers === before.layers ? undefined : layer(before, after);
}
