"""A rasterizer that draws nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rasterizer import Image, NativeRasterizer, Rows


class StubRasterizer(NativeRasterizer):
    """Returns black images, for tests."""

    map_type = "stub_debug"

    def rasterize(
        self,
        history_frames: Rows,
        history_agents: list[Rows],
        history_tl_faces: list[Rows],
        agent: Any = None,
    ) -> Image:
        return np.zeros((self.raster_size[0], self.raster_size[1], 3), np.float32)

    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        return np.zeros((self.raster_size[0], self.raster_size[1], 3), np.uint8)

    def num_channels(self) -> int:
        return 3
