"""The semantic map."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..data.map_api import MapAPI, TLFacesColors
from .rasterizer import Image, NativeRasterizer, Rows
from .render_context import RenderContext
from .subpixel import (
    CV2_SHIFT_VALUE,
    CV2_SUB_VALUES,
    INTERPOLATION_POINTS,
    cv2_subpixel,
)

__all__ = [
    "COLORS",
    "CV2_SHIFT_VALUE",
    "CV2_SUB_VALUES",
    "INTERPOLATION_POINTS",
    "RasterEls",
    "SemanticRasterizer",
    "cv2_subpixel",
    "indices_in_bounds",
]


class RasterEls(IntEnum):
    """Elements of the map."""

    LANE_NOTL = 0
    ROAD = 1
    CROSSWALK = 2


COLORS = {
    TLFacesColors.GREEN.name: (0, 255, 0),
    TLFacesColors.RED.name: (255, 0, 0),
    TLFacesColors.YELLOW.name: (255, 255, 0),
    RasterEls.LANE_NOTL.name: (255, 217, 82),
    RasterEls.ROAD.name: (17, 17, 31),
    RasterEls.CROSSWALK.name: (255, 117, 69),
}


def indices_in_bounds(center: Rows, bounds: Rows, half_extent: float) -> Rows:
    """Returns which boxes (n, 2, 2) meet the square of that half side around a point."""
    low, high = bounds[:, 0] - half_extent, bounds[:, 1] + half_extent
    return np.nonzero(((low < center) & (center < high)).all(axis=1))[0]


class SemanticRasterizer(NativeRasterizer):
    """Three channels: lanes, crosswalks and the state of traffic lights."""

    map_type = "semantic_debug"

    def __init__(
        self, render_context: RenderContext, semantic_map_path: str, world_to_ecef: Rows
    ) -> None:
        super().__init__(render_context)
        self.world_to_ecef = world_to_ecef
        self.mapAPI = MapAPI(semantic_map_path, world_to_ecef)
        self.semantic_map = self.mapAPI.map

    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        # OpenCV draws on contiguous images only; transposed samples are not.
        image: Image = (in_im * 255).astype(np.uint8, order="C")
        return image

    def num_channels(self) -> int:
        return 3
