import type { AbortOptions, ObjectFrom } from "../../api.js";
import type { Model } from "../../model/model.js";
import type { BatchSeen, PredictScenesOptions } from "../../model/predict-scenes.js";
import type { PredictionSet } from "../../model/prediction-rows.js";
import type { SimulateOptions } from "../../model/simulate.js";
import type { SimulatedScene } from "../../model/simulated-scene.js";
import type { SubjectRules } from "../../model/subjects.js";
import type { EgoSampleOptions, PictureOptions } from "../../samples/options.js";
import type { Sample } from "../../samples/sample.js";
import type { MapPlace } from "../open/places.js";

/** A sampling config and its name. */
export interface NamedConfig {
	readonly name: string;
	/** JSON, or YAML if a config reader supports it. */
	readonly text: string;
}

/** Identity of a raster; without a track, the ego vehicle's. */
export interface RasterAt {
	readonly scene: number;
	readonly frame: number;
	readonly track: bigint | undefined;
}

/** What a model drives through a scene. */
export interface UnrollOptions
	extends Pick<
		SimulateOptions,
		| "start"
		| "history"
		| "steps"
		| "ego"
		| "agents"
		| "newAgents"
		| "onProgress"
		| "signal"
	> {
	readonly model: Model;
	readonly scene: number;
}

/** What a model predicts of a data set. */
export interface PredictOptions
	extends Pick<
		PredictScenesOptions,
		"scenes" | "every" | "subject" | "resume" | "onProgress" | "signal"
	> {
	readonly model: Model;
	readonly onBatch: BatchSeen;
}

/** Draws rasters with one config. */
export interface RasterMaker {
	/** Names of the image's channels. */
	readonly channels: readonly string[];
	/** Makes a sample; of the form `rgba`, with an image of all channels, or of one. */
	sample(at: RasterAt, options: PictureOptions): Promise<Sample>;
	/** Returns the sampler's exact output. */
	exact(at: RasterAt, options: AbortOptions): Promise<Sample>;
	/** Lets a model drive through a scene, on these samples. */
	simulate?(options: UnrollOptions): Promise<readonly SimulatedScene[]>;
	/** Makes samples of several places, one after the other in each array. */
	batch?(at: readonly RasterAt[], options: AbortOptions): Promise<Sample>;
	/** Returns the agents of a frame that a model predicts, the nearest ones first. */
	subjects?(
		at: Omit<RasterAt, "track">,
		rules: Omit<SubjectRules, "config">,
		options: AbortOptions,
	): Promise<readonly bigint[]>;
	/** Lets a model predict scenes, on these samples. */
	predict?(options: PredictOptions): Promise<PredictionSet>;
	close(): void;
}

/** Options of samples; by default rasters of the form `rgba`. */
export interface RasterOptions
	extends AbortOptions,
		Pick<EgoSampleOptions, "image" | "vectorized"> {
	/** Map that replaces the one named in the config. */
	readonly map?: MapPlace<ObjectFrom> | undefined;
}

/** Source of samples. */
export interface RasterSource {
	/** Returns the config beside the data. */
	findConfig(options: AbortOptions): Promise<NamedConfig | undefined>;
	/** Opens a config; rejects if it is invalid. */
	open(config: string, options: RasterOptions): Promise<RasterMaker>;
}

/** The config to use: the one beside the data, a default one, or a chosen one. */
export type RasterChoice = "beside" | "boxes" | "map" | NamedConfig;

type MapType = "box_debug" | "py_semantic";

/**
 * Returns the default config for data without one: 112 m by 112 m, one second of
 * history.
 */
export function plainConfig(map_type: MapType): string {
	return JSON.stringify({
		model_params: {
			history_num_frames: 10,
			future_num_frames: 50,
			step_time: 0.1,
			render_ego_history: true,
		},
		raster_params: {
			raster_size: [224, 224],
			pixel_size: [0.5, 0.5],
			ego_center: [0.25, 0.5],
			map_type,
			semantic_map_key: "semantic_map/semantic_map.pb",
			dataset_meta_key: "meta.json",
			filter_agents_threshold: 0.5,
			disable_traffic_light_faces: false,
			set_origin_to_bottom: true,
		},
	});
}
