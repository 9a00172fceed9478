import { html, type TemplateResult } from "lit";
import { sceneAttributes } from "../scenes/benchmark.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";
import type { ViewerState } from "../session/state.js";

/** Returns the id of a track in its file. */
function nameIn({ dataset, scene }: ViewerState, track: bigint): string {
	const { track_names } = sceneAttributes(dataset?.attrs, scene) ?? {};
	const names = (track_names ?? {}) as Readonly<Record<string, unknown>>;
	return String(names[`${track}`] ?? track);
}

/** Returns whether scenarios without an ego vehicle of their own are open. */
function isChoosable({ place, dataset, scene }: ViewerState): boolean {
	const { ego } = sceneAttributes(dataset?.attrs, scene) ?? {};
	if (place === undefined || place.kind === "given" || ego === undefined) return false;
	// Converted data sets keep the ego vehicle that they were converted with.
	if (place.kind === "files") return !/\.(zarr|zip)$/i.test(place.root ?? place.name);
	return /\.(xml|csv)([?#]|$)/i.test(place.address);
}

/** Returns the same scenarios with a track as the ego vehicle; undefined: with none. */
export function placeWith(
	place: Exclude<Place, { kind: "given" }>,
	ego: string | undefined,
): Place {
	if (place.kind === "files") return { ...place, ego };
	const bare = place.address.replace(/#ego=.*$/s, "");
	const address = ego === undefined ? bare : `${bare}#ego=${encodeURIComponent(ego)}`;
	return { ...place, address };
}

/**
 * Renders the button that reopens the scenarios with the selected track as the ego
 * vehicle, or without one; nothing for data that have an ego vehicle.
 */
export function egoChoice(
	controller: ViewerController | undefined,
	state: ViewerState,
	track: bigint | "ego",
): TemplateResult | undefined {
	const { place, shown } = state;
	const isNone = shown?.ego.is_virtual === true;
	if (!place || place.kind === "given" || !isChoosable(state)) return undefined;
	if ((track === "ego") === isNone) return undefined;
	const choose = () => {
		const ego = track === "ego" ? undefined : nameIn(state, track);
		const selection = track === "ego" ? undefined : "ego";
		void controller?.open(placeWith(place, ego), {
			...controller.linkState(),
			selection,
		});
	};
	return html`<button class="raised" @click=${choose}>${track === "ego" ? "Open without ego vehicle" : "Make it the ego vehicle"}</button>`;
}
