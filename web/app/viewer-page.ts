import { LinkSync } from "../src/elements/link/link-sync.js";
import { keepTheme, keepTitle } from "../src/elements/viewer/page-state.js";
import type { Viewer } from "../src/elements/viewer/viewer.js";

/** Lets a viewer be all of the page: it has the page's keys, theme, title and address. */
export function startViewer(viewer: Viewer): void {
	const { controller } = viewer;
	if (!controller) return;
	viewer.pageKeys = true;
	viewer.linkBase = location.href.replace(/#.*$/s, "");
	// Loaded with the first config, because it is larger than the panel that needs it.
	controller.rasters.readConfig = async (text) =>
		(await import("../src/yaml.js")).parseConfig(text);
	const sync = new LinkSync({
		controller,
		host: window,
		ask: (address, start) => {
			viewer.pending = { address, start };
		},
	});
	keepTheme(controller);
	keepTitle(controller, document);
	sync.read();
	// Labels in the picture have the same typeface.
	void document.fonts.ready.then(() => viewer.redraw());
}
