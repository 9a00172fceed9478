"""Boxes over the aerial image."""

from __future__ import annotations

from .box_rasterizer import BoxRasterizer
from .composite import CompositeRasterizer
from .rasterizer import Image, Rows
from .render_context import RenderContext
from .satellite_rasterizer import INTER_LINEAR, SatelliteRasterizer


class SatBoxRasterizer(CompositeRasterizer):
    """The channels of BoxRasterizer, then those of SatelliteRasterizer."""

    map_type = "py_satellite"

    def __init__(
        self,
        render_context: RenderContext,
        filter_agents_threshold: float,
        history_num_frames: int,
        map_im: Image,
        world_to_aerial: Rows,
        interpolation: int = INTER_LINEAR,
        render_ego_history: bool = True,
    ) -> None:
        super().__init__(render_context)
        self.sat_rast = SatelliteRasterizer(
            render_context, map_im, world_to_aerial, interpolation
        )
        boxes = BoxRasterizer(
            render_context, filter_agents_threshold, history_num_frames, render_ego_history
        )
        self.combine(boxes, self.sat_rast)
