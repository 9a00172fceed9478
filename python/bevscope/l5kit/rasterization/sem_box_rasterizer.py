"""Boxes over the semantic map."""

from __future__ import annotations

from .box_rasterizer import BoxRasterizer
from .composite import CompositeRasterizer
from .rasterizer import Rows
from .render_context import RenderContext
from .semantic_rasterizer import SemanticRasterizer


class SemBoxRasterizer(CompositeRasterizer):
    """The channels of BoxRasterizer, then those of SemanticRasterizer."""

    map_type = "py_semantic"

    def __init__(
        self,
        render_context: RenderContext,
        filter_agents_threshold: float,
        history_num_frames: int,
        semantic_map_path: str,
        world_to_ecef: Rows,
        render_ego_history: bool = True,
    ) -> None:
        super().__init__(render_context)
        self.sem_rast = SemanticRasterizer(render_context, semantic_map_path, world_to_ecef)
        boxes = BoxRasterizer(
            render_context, filter_agents_threshold, history_num_frames, render_ego_history
        )
        self.combine(boxes, self.sem_rast)
