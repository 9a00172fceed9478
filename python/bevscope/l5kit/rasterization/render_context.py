"""Where a raster lies in world."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..geometry import compute_agent_pose, vertical_flip


class RenderContext:
    """Size and resolution of a raster, and the position of its pose in it.

    Args:
        raster_size_px: width and height.
        pixel_size_m: metres per pixel; both must be equal.
        center_in_raster_ratio: position of the pose, as fraction of the size.
        set_origin_to_bottom: whether y points up.
    """

    def __init__(
        self,
        raster_size_px: Any,
        pixel_size_m: Any,
        center_in_raster_ratio: Any,
        set_origin_to_bottom: bool,
    ) -> None:
        if pixel_size_m[0] != pixel_size_m[1]:
            raise NotImplementedError("render context: pixels must be square")
        self.raster_size_px = raster_size_px
        self.pixel_size_m = pixel_size_m
        self.center_in_raster_ratio = center_in_raster_ratio
        self.set_origin_to_bottom = set_origin_to_bottom
        scale = 1.0 / np.asarray(pixel_size_m)
        centre = np.asarray(center_in_raster_ratio) * np.asarray(raster_size_px)
        local = np.array([[scale[0], 0, centre[0]], [0, scale[1], centre[1]], [0, 0, 1]])
        if set_origin_to_bottom:
            local = vertical_flip(local, raster_size_px[1])
        self.raster_from_local = local

    def raster_from_world(self, position_m: Any, angle_rad: float) -> npt.NDArray[Any]:
        """Returns the transform (3, 3) for a pose in world."""
        pose = compute_agent_pose(position_m, angle_rad)
        matrix: npt.NDArray[Any] = self.raster_from_local @ np.linalg.inv(pose)
        return matrix

    def config(self) -> dict[str, Any]:
        """Returns the keys of raster_params that describe this context."""
        return {
            "raster_size": [int(v) for v in self.raster_size_px],
            "pixel_size": [float(v) for v in self.pixel_size_m],
            "ego_center": [float(v) for v in self.center_in_raster_ratio],
            "set_origin_to_bottom": bool(self.set_origin_to_bottom),
        }
