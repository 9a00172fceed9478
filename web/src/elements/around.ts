import { AgentTable } from "./agents/agent-table.js";
import { Inspector } from "./agents/inspector.js";
import { SelectionLine } from "./agents/selection-line.js";
import { Layers } from "./layers/layers.js";
import { Share } from "./link/share.js";
import { LightList } from "./map/light-list.js";
import { Scenes } from "./scenes/scenes.js";
import { Timeline } from "./timeline/timeline.js";

/** The elements around every picture, by tag; they are needed together. */
export const AROUND: Readonly<Record<string, CustomElementConstructor>> = {
	"bev-agent-table": AgentTable,
	"bev-inspector": Inspector,
	"bev-layers": Layers,
	"bev-light-list": LightList,
	"bev-scenes": Scenes,
	"bev-selection-line": SelectionLine,
	"bev-share": Share,
	"bev-timeline": Timeline,
};
