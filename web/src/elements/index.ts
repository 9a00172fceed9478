export { AgentTable } from "./agents/agent-table.js";
export { Inspector } from "./agents/inspector.js";
export type { PageLayer, PageLayerView } from "./draw/page-layer.js";
export type { Overlay } from "./draw/picture.js";
export { Help } from "./keys/help.js";
export { Layers } from "./layers/layers.js";
export { formatLink, type LinkState, parseLink } from "./link/link.js";
export { LightList } from "./map/light-list.js";
export { type Example, Open } from "./open/open.js";
export { openPlace } from "./open/open-place.js";
export { Raster } from "./raster/raster.js";
export { Review } from "./review/review.js";
export type { PredictionsFrom } from "./review/review-controller.js";
export type { Selection } from "./scene-view/picking.js";
export { SceneView } from "./scene-view/scene-view.js";
export { Scenes } from "./scenes/scenes.js";
export type { ControllerOptions } from "./session/controller.js";
export { ViewerController } from "./session/controller.js";
export type {
	Opened,
	Opener,
	OpenerOptions,
	OpenProgress,
	Place,
	ViewerDataset,
} from "./session/dataset.js";
export type { ViewerState } from "./session/state.js";
export { Timeline } from "./timeline/timeline.js";
export { Viewer } from "./viewer/viewer.js";
export type { PictureClick, ViewerEventDetails } from "./viewer/viewer-events.js";
export type { RecordOptions, ViewerCapabilities } from "./viewer/viewer-face.js";
export type { ViewerEventMap, ViewerListener } from "./viewer/viewer-target.js";
