"""Boxes over a map."""

from __future__ import annotations

from typing import Any

from .box_rasterizer import BoxRasterizer
from .rasterizer import Image, NativeRasterizer


class CompositeRasterizer(NativeRasterizer):
    """The channels of a box rasterizer, then those of a map."""

    box_rast: BoxRasterizer
    map_rast: NativeRasterizer

    def combine(self, boxes: BoxRasterizer, base: NativeRasterizer) -> None:
        self.box_rast, self.map_rast = boxes, base
        self.filter_agents_threshold = boxes.filter_agents_threshold
        self.history_num_frames = boxes.history_num_frames
        self.render_ego_history = boxes.render_ego_history
        self.semantic_map, self.aerial_image = base.semantic_map, base.aerial_image

    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        boxes = self.box_rast.to_rgb(in_im[..., :-3], **kwargs)
        image = self.map_rast.to_rgb(in_im[..., -3:], **kwargs)
        drawn = (boxes > 0).any(-1)
        image[drawn] = boxes[drawn]
        return image

    def num_channels(self) -> int:
        return self.box_rast.num_channels() + self.map_rast.num_channels()
