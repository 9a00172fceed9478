import { parseLink } from "../link/link.js";
import { nameOf } from "../open/places.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { THEMES, type Theme } from "./themes.js";

/** Minimum interval between updates of the title. */
const PACE_MS = 500;
const THEME_KEY = "bevscope.theme";

/** Returns a page title with data set, scene and frame. */
export function titleOf({ phase, place, scene, frame }: ViewerState): string {
	if (phase !== "ready" || !place) return "bevscope";
	const name = place.kind === "address" ? nameOf(place.address) : place.name;
	return `${name} · scene ${scene} · frame ${frame} – bevscope`;
}

/**
 * Updates the page's title with the viewer's state; returns a function that stops it.
 */
export function keepTitle(
	controller: ViewerController,
	page: { title: string },
): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const write = (): void => {
		timer = undefined;
		const title = titleOf(controller.state);
		if (page.title !== title) page.title = title;
	};
	const stop = controller.store.subscribe(() => {
		timer ??= setTimeout(write, PACE_MS);
	});
	return () => {
		stop();
		clearTimeout(timer);
	};
}

/** Returns the theme of the page's link. */
function themeOfLink(): Theme | undefined {
	return parseLink(globalThis.location?.hash ?? "").state.theme;
}

/** Restores the stored theme, and stores changes; those by a link are the sender's. */
export function keepTheme(
	controller: ViewerController,
	storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
	linked = themeOfLink,
): () => void {
	try {
		const kept = storage().getItem(THEME_KEY);
		const theme = THEMES.find((one) => one === kept);
		if (theme) controller.setTheme(theme);
	} catch {
		// Storage is forbidden.
	}
	return controller.store.subscribe(({ theme }, before) => {
		if (theme === before.theme || theme === linked()) return;
		try {
			storage().setItem(THEME_KEY, theme);
		} catch {
			// Storage is forbidden or full: the theme applies to this page only.
		}
	});
}
