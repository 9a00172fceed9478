import type { AbortOptions, ObjectFrom } from "../api.js";
import type { PictureOptions } from "../samples/options.js";
import type { Sample } from "../samples/sample.js";
import type { MapPlace } from "./pure/places.js";

/** A config of samples with the name it goes by. */
export interface NamedConfig {
	readonly name: string;
	/** JSON, or YAML where there is who reads it. */
	readonly text: string;
}

/** Whose view of which frame; without a track the ego vehicle's. */
export interface RasterAt {
	readonly scene: number;
	readonly frame: number;
	readonly track: bigint | undefined;
}

/** Draws what a model sees by one config. */
export interface RasterMaker {
	/** What the channels of the image are, in words. */
	readonly channels: readonly string[];
	/** With an `image` for people: all channels, or one alone. */
	sample(at: RasterAt, options: PictureOptions): Promise<Sample>;
	/** Exactly what a model gets. */
	exact(at: RasterAt, options: AbortOptions): Promise<Sample>;
	close(): void;
}

export interface RasterOptions extends AbortOptions {
	/** The map to draw in place of the one that the config names. */
	readonly map?: MapPlace<ObjectFrom> | undefined;
}

/** Where samples come from. */
export interface RasterSource {
	/** The config that lies beside the data. */
	findConfig(options: AbortOptions): Promise<NamedConfig | undefined>;
	/** Rejects with what is wrong with the config. */
	open(config: string, options: RasterOptions): Promise<RasterMaker>;
}

/** What is drawn: the config beside the data, one of our own, or one that was chosen. */
export type RasterChoice = "beside" | "boxes" | "map" | NamedConfig;

/** A config for data that comes without one: 112 m by 112 m, a second of the past. */
export function plainConfig(map_type: "box_debug" | "py_semantic"): string {
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
