import "../src/elements/define.js";
import type { Viewer } from "../src/elements/viewer/viewer.js";
import { startViewer } from "./viewer-page.js";

/** URL of the example, relative to this page; null if the build has none. */
declare const BEV_EXAMPLE: string | null;

/** URL of the example's model; null if the build has none. */
declare const BEV_MODEL: string | null;

/** Example scenarios of other data sets. */
declare const BEV_SCENARIOS: Viewer["examples"];

const viewer = document.querySelector<Viewer>("bev-viewer");
if (viewer) {
	viewer.example = BEV_EXAMPLE;
	const opening = () => void viewer.setModel(BEV_MODEL ?? undefined);
	const model = { label: "Example model", address: BEV_EXAMPLE ?? "", opening };
	viewer.examples = [...(BEV_MODEL ? [model] : []), ...BEV_SCENARIOS];
	startViewer(viewer);
}
