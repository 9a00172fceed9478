/** L5Kit's sample config of the programs: boxes and map, 112 by 112 pixels of 0.5 m. */
export const config = {
	model_params: {
		history_num_frames: 2,
		future_num_frames: 12,
		step_time: 0.1,
		render_ego_history: true,
	},
	raster_params: {
		raster_size: [112, 112],
		pixel_size: [0.5, 0.5],
		ego_center: [0.25, 0.5],
		set_origin_to_bottom: true,
		map_type: "py_semantic",
		semantic_map_key: "semantic_map/semantic_map.pb",
		dataset_meta_key: "meta.json",
		filter_agents_threshold: 0.5,
		disable_traffic_light_faces: false,
	},
};
