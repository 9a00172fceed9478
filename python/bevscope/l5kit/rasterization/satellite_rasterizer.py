"""The aerial image."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..._data.maps import AerialImage
from .rasterizer import Image, NativeRasterizer, Rows
from .render_context import RenderContext

INTER_LINEAR = 1  # OpenCV's


def aerial_of(map_im: Image, world_to_aerial: Rows) -> AerialImage:
    """Returns the core's image, placed by a transform (4, 4)."""
    meta = {
        "world_to_ecef": np.eye(4).tolist(),
        "ecef_to_aerial": np.asarray(world_to_aerial, np.float64).tolist(),
    }
    return AerialImage(np.ascontiguousarray(map_im), json.dumps(meta).encode())


class SatelliteRasterizer(NativeRasterizer):
    """Three channels: the aerial image around the pose."""

    map_type = "satellite_debug"

    def __init__(
        self,
        render_context: RenderContext,
        map_im: Image,
        world_to_aerial: Rows,
        interpolation: int = INTER_LINEAR,
    ) -> None:
        super().__init__(render_context)
        self.map_im = map_im
        self.world_to_aerial = world_to_aerial
        self.interpolation = interpolation
        self.aerial_image = aerial_of(map_im, world_to_aerial)
        rows = np.linalg.norm(np.asarray(world_to_aerial)[:2, :3], axis=1)
        self.map_pixel_scale = float(np.mean(1 / rows))

    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        # OpenCV draws on contiguous images only; transposed samples are not.
        image: Image = (in_im * 255).astype(np.uint8, order="C")
        return image

    def num_channels(self) -> int:
        return 3
