export type { ControllerOptions } from "./controller.js";
export { ViewerController } from "./controller.js";
export type {
	Opened,
	Opener,
	OpenerOptions,
	OpenProgress,
	Place,
	ViewerDataset,
} from "./dataset.js";
export { openPlace } from "./open-place.js";
export { formatLink, type LinkState, parseLink, type Selection } from "./pure/link.js";
export type { PredictionsFrom } from "./review-controller.js";
export type { ViewerState } from "./state.js";
export { AgentTable } from "./ui/agent-table.js";
export { Help } from "./ui/help.js";
export { Inspector } from "./ui/inspector.js";
export { Layers } from "./ui/layers.js";
export { LightList } from "./ui/light-list.js";
export { Open } from "./ui/open.js";
export { Raster } from "./ui/raster.js";
export { Review } from "./ui/review.js";
export { SceneView } from "./ui/scene-view.js";
export { Scenes } from "./ui/scenes.js";
export { Timeline } from "./ui/timeline.js";
export { Viewer } from "./ui/viewer.js";
export type { RecordOptions, ViewerCapabilities } from "./ui/viewer-face.js";
export type { PictureClick, ViewerEventDetails } from "./viewer-events.js";
