"""Rasterizers of configs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._data.maps import decode_image
from ..configs.config import load_metadata
from ..data.local_data_manager import DataManager
from .box_rasterizer import BoxRasterizer
from .rasterizer import Rasterizer
from .render_context import RenderContext
from .sat_box_rasterizer import SatBoxRasterizer
from .satellite_rasterizer import SatelliteRasterizer
from .sem_box_rasterizer import SemBoxRasterizer
from .semantic_rasterizer import SemanticRasterizer
from .stub_rasterizer import StubRasterizer


def _matrix(meta: dict[str, Any], name: str) -> Any:
    return np.array(meta[name], dtype=np.float64)


def build_rasterizer(cfg: dict[str, Any], data_manager: DataManager) -> Rasterizer:
    """Returns the rasterizer of a config's map_type.

    Raises NotImplementedError for an unknown map_type.
    """
    raster, model = cfg["raster_params"], cfg["model_params"]
    kind = raster["map_type"]
    context = RenderContext(
        np.array(raster["raster_size"]),
        np.array(raster["pixel_size"]),
        np.array(raster["ego_center"]),
        raster["set_origin_to_bottom"],
    )
    boxes = (context, raster["filter_agents_threshold"], model["history_num_frames"])
    ego_history = model["render_ego_history"]
    if kind == "box_debug":
        return BoxRasterizer(*boxes, render_ego_history=ego_history)
    if kind == "stub_debug":
        return StubRasterizer(context)
    if kind not in ("py_satellite", "satellite_debug", "py_semantic", "semantic_debug"):
        raise NotImplementedError(f"raster_params.map_type: unsupported (found {kind})")
    meta = load_metadata(data_manager.require(raster["dataset_meta_key"]))
    world_to_ecef = _matrix(meta, "world_to_ecef")
    if kind.endswith("semantic") or kind == "semantic_debug":
        path = data_manager.require(raster["semantic_map_key"])
        if kind == "semantic_debug":
            return SemanticRasterizer(context, path, world_to_ecef)
        return SemBoxRasterizer(*boxes, path, world_to_ecef, render_ego_history=ego_history)
    image = decode_image(data_manager.require(raster["satellite_map_key"]))
    world_to_aerial = _matrix(meta, "ecef_to_aerial") @ world_to_ecef
    if kind == "satellite_debug":
        return SatelliteRasterizer(context, image, world_to_aerial)
    return SatBoxRasterizer(*boxes, image, world_to_aerial, render_ego_history=ego_history)
