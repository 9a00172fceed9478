import type { ViewerController } from "./controller.js";
import { nameOf } from "./pure/places.js";
import type { Theme, ViewerState } from "./state.js";

/** At most this often does the title change. */
const PACE_MS = 500;
const THEME_KEY = "bevscope.theme";
const THEMES: readonly Theme[] = ["auto", "dark", "light"];

/** Data set, scene and frame, as a page's title. */
export function titleOf({ phase, place, scene, frame }: ViewerState): string {
	if (phase !== "ready" || !place) return "bevscope";
	const name = place.kind === "address" ? nameOf(place.address) : place.name;
	return `${name} · scene ${scene} · frame ${frame} – bevscope`;
}

/** Keeps the page's title in step with the viewer; returns what ends that. */
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

/** Restores the theme that was chosen last, and remembers the next choice. */
export function keepTheme(
	controller: ViewerController,
	storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
): () => void {
	try {
		const kept = storage().getItem(THEME_KEY);
		const theme = THEMES.find((one) => one === kept);
		if (theme) controller.setTheme(theme);
	} catch {
		// Storage may be forbidden.
	}
	return controller.store.subscribe(({ theme }, before) => {
		if (theme === before.theme) return;
		try {
			storage().setItem(THEME_KEY, theme);
		} catch {
			// Forbidden or full: the choice holds for this page.
		}
	});
}
