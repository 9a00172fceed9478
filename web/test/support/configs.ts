/** An L5Kit config that draws nothing and needs only the data set. */
export const STUB_CONFIG = {
	format_version: 4,
	model_params: {
		history_num_frames: 2,
		future_num_frames: 3,
		step_time: 0.1,
		render_ego_history: true,
	},
	raster_params: {
		raster_size: [8, 8],
		pixel_size: [0.5, 0.5],
		ego_center: [0.25, 0.5],
		map_type: "stub_debug",
		satellite_map_key: "aerial_map/aerial_map.png",
		semantic_map_key: "semantic_map/semantic_map.pb",
		dataset_meta_key: "meta.json",
		filter_agents_threshold: 0.5,
		disable_traffic_light_faces: false,
		set_origin_to_bottom: true,
	},
} as const;
