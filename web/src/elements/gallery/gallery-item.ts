import { shownAddress } from "../open/secrets.js";
import type { ViewerState } from "../session/state.js";
import type { GalleryItem, ItemValue } from "./gallery-state.js";
import type { PicturedAt } from "./pictured-at.js";

/** Most items of a gallery. */
export const MAX_ITEMS = 500;

/** Returns an item's place, in words. */
export function placeOf({ scene, frame, track }: GalleryItem): string {
	const who = track === undefined ? "" : ` \u00b7 track ${track}`;
	return `scene ${scene} \u00b7 frame ${frame}${who}`;
}

/** Returns a value's name and text; only the text of one that says what it is. */
export function wordsOf({ name, text }: ItemValue): string {
	if (text === "yes") return name;
	return text === "no" ? `no ${name}` : `${name} ${text}`.trim();
}

/** Returns what an item's thumbnail shows. */
export function pictured(item: GalleryItem): PicturedAt {
	const { scene, frame, track, follows, mark, lines, futures } = item;
	return { scene, frame, track: follows ? track : undefined, mark, lines, futures };
}

/** Returns what the data set is, without secrets. */
export function sourceOf(place: ViewerState["place"]): string {
	if (!place) return "";
	if (place.kind !== "address") return place.name;
	return shownAddress(new URL(place.address, document.baseURI).href);
}
