/**
 * Entry `bevscope/model`: models that predict futures from samples, by ONNX Runtime Web (an
 * optional package, loaded with the first model) or by a function of the page.
 */

export { Model } from "./model/model.js";
export {
	type PredictionProgress,
	type PredictScenesOptions,
	predictScenes,
} from "./model/predict-scenes.js";
export type { PredictionSet } from "./model/prediction-rows.js";
export {
	type DrivenBy,
	type SimulateOptions,
	type SimulationProgress,
	simulate,
} from "./model/simulate.js";
export type {
	SimulatedAgents,
	SimulatedPoses,
	SimulatedScene,
} from "./model/simulated-scene.js";
export type {
	ModelContract,
	ModelInput,
	ModelOptions,
	ModelProvider,
	ModelSettings,
	ModelTensor,
	ModelTensors,
	ModelTimes,
	ModelType,
	OnnxRuntime,
	PredictedFutures,
	PredictFunction,
} from "./model/types.js";
