"""What a vectorized sample contains."""

from __future__ import annotations

from typing import Any

from ..data.map_api import MapAPI


class Vectorizer:
    """Parameters of vectorized samples, which the core builds. They can be changed
    between samples."""

    def __init__(self, cfg: dict[str, Any], mapAPI: MapAPI) -> None:
        data, model = cfg["data_generation_params"], cfg["model_params"]
        self.lane_cfg_params = data["lane_params"]
        self.mapAPI = mapAPI
        self.max_agents_distance = data["max_agents_distance"]
        self.other_agents_num = data["other_agents_num"]
        self.history_num_frames_agents = model["history_num_frames_agents"]
        self.future_num_frames = model["future_num_frames"]
        self.history_num_frames_max = max(
            model["history_num_frames_ego"], self.history_num_frames_agents
        )

    def config(
        self, model: dict[str, Any], threshold: float, *, faces: bool = True
    ) -> dict[str, Any]:
        """Returns a config for the core."""
        return {
            "format_version": 4,
            "model_params": {"history_num_frames": 0, "render_ego_history": True, **model},
            "raster_params": {
                "filter_agents_threshold": float(threshold),
                "disable_traffic_light_faces": not faces,
                "semantic_map_key": "",
                "dataset_meta_key": "",
                "map_type": "py_semantic",
                "raster_size": [1, 1],
                "pixel_size": [1.0, 1.0],
                "ego_center": [0.5, 0.5],
                "set_origin_to_bottom": True,
            },
            "data_generation_params": {
                "lane_params": self.lane_cfg_params,
                "max_agents_distance": self.max_agents_distance,
                "other_agents_num": self.other_agents_num,
            },
        }
