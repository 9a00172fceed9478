export { AgentTable } from "./agents/agent-table.js";
export { Inspector } from "./agents/inspector.js";
export type { PageLayer, PageLayerView } from "./draw/page-layer.js";
export type { Overlay } from "./draw/picture.js";
export type { RecordOptions } from "./export/page-video.js";
export type { VideoOptions } from "./export/video.js";
export { Help } from "./keys/help.js";
export type { Layer, LayerSet } from "./layers/layer-set.js";
export { Layers } from "./layers/layers.js";
export { formatLink, type LinkState, parseLink } from "./link/link.js";
export { LightList } from "./map/light-list.js";
export type { LiveModelOptions, ModelFrom } from "./models/live-controller.js";
export { type Example, Open } from "./open/open.js";
export { openPlace } from "./open/open-place.js";
export { Raster } from "./raster/raster.js";
export type { NamedPredictions, PredictionSets } from "./review/prediction-sets.js";
export { Review } from "./review/review.js";
export type { PredictionsFrom } from "./review/review-controller.js";
export type { Camera, Follow, Point, View } from "./scene-view/camera.js";
export type { Coords } from "./scene-view/frames.js";
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
export type { ExplainedProblem as Problem } from "./session/explanation.js";
export type { ReadProblem } from "./session/problem.js";
export type { Theme, ViewerState } from "./session/state.js";
export type { Store } from "./session/store.js";
export type { FrameRange } from "./timeline/clock.js";
export { Timeline } from "./timeline/timeline.js";
export { Viewer } from "./viewer/viewer.js";
export type { ViewerCapabilities } from "./viewer/viewer-api.js";
export type { ViewerAttributes, ViewerHandlers } from "./viewer/viewer-attributes.js";
export type {
	PictureClick,
	ViewerEventDetails,
	ViewerEventMap,
	ViewerListener,
} from "./viewer/viewer-events.js";
