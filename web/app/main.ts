import "../src/elements/define.js";
import { LinkSync } from "../src/elements/link/link-sync.js";
import { keepTheme, keepTitle } from "../src/elements/viewer/page-state.js";
import type { Viewer } from "../src/elements/viewer/viewer.js";

/** URL of the example, relative to this page; null if the build has none. */
declare const BEV_EXAMPLE: string | null;

/** Example scenarios of other data sets. */
declare const BEV_SCENARIOS: Viewer["examples"];

const viewer = document.querySelector<Viewer>("bev-viewer");
const controller = viewer?.controller;
if (viewer && controller) {
	viewer.example = BEV_EXAMPLE;
	viewer.examples = BEV_SCENARIOS;
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
