import { AgentTable } from "./ui/agent-table.js";
import { Inspector } from "./ui/inspector.js";
import { Layers } from "./ui/layers.js";
import { LightList } from "./ui/light-list.js";
import { Open } from "./ui/open.js";
import { SceneView } from "./ui/scene-view.js";
import { Scenes } from "./ui/scenes.js";
import { SelectionLine } from "./ui/selection-line.js";
import { Share } from "./ui/share.js";
import { Timeline } from "./ui/timeline.js";
import { Viewer } from "./ui/viewer.js";

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
