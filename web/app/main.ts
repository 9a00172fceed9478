import "../src/elements/define.js";
import { LinkSync } from "../src/elements/link-sync.js";
import { keepTheme, keepTitle } from "../src/elements/page-keeping.js";
import type { Viewer } from "../src/elements/ui/viewer.js";

/** Where the build put the example, beside this page; null where there is none. */
declare const BEV_EXAMPLE: string | null;

const viewer = document.querySelector<Viewer>("bev-viewer");
const controller = viewer?.controller;
if (viewer && controller) {
	viewer.example = BEV_EXAMPLE;
	viewer.pageKeys = true;
	viewer.linkBase = location.href.replace(/#.*$/s, "");
	// Loaded by the first config that is read: it is larger than the panel that needs it.
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
}
