import { AgentTable } from "./agents/agent-table.js";
import { Inspector } from "./agents/inspector.js";
import { SelectionLine } from "./agents/selection-line.js";
import { Layers } from "./layers/layers.js";
import { Share } from "./link/share.js";
import { LightList } from "./map/light-list.js";
import { Open } from "./open/open.js";
import { SceneView } from "./scene-view/scene-view.js";
import { Scenes } from "./scenes/scenes.js";
import { Timeline } from "./timeline/timeline.js";
import { Viewer } from "./viewer/viewer.js";

/** Every element class by tag. */
const ELEMENTS = {
	"bev-agent-table": AgentTable,
	"bev-inspector": Inspector,
	"bev-layers": Layers,
	"bev-light-list": LightList,
	"bev-open": Open,
	"bev-scene-view": SceneView,
	"bev-scenes": Scenes,
	"bev-selection-line": SelectionLine,
	"bev-share": Share,
	"bev-timeline": Timeline,
	"bev-viewer": Viewer,
};

declare global {
	interface HTMLElementTagNameMap {
		"bev-agent-table": AgentTable;
		"bev-inspector": Inspector;
		"bev-layers": Layers;
		"bev-light-list": LightList;
		"bev-open": Open;
		"bev-scene-view": SceneView;
		"bev-scenes": Scenes;
		"bev-selection-line": SelectionLine;
		"bev-share": Share;
		"bev-timeline": Timeline;
		"bev-viewer": Viewer;
	}
}

/** Registers the elements; tags that are already defined are skipped. */
export function define(registry: CustomElementRegistry = customElements): void {
	for (const [tag, element] of Object.entries(ELEMENTS)) {
		if (!registry.get(tag)) registry.define(tag, element);
	}
}

define();
