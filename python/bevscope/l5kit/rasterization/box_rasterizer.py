"""Boxes of agents and of the ego vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.zarr_dataset import AGENT_DTYPE
from ..geometry import rotation33_as_yaw, transform_points
from .rasterizer import (
    EGO_EXTENT_HEIGHT,
    EGO_EXTENT_LENGTH,
    EGO_EXTENT_WIDTH,
    Image,
    NativeRasterizer,
    Rows,
    faded,
)
from .render_context import RenderContext
from .subpixel import cv2_subpixel, fill_polygons


def get_ego_as_agent(frame: Any) -> Rows:
    """Returns the ego vehicle of a frame as a row of agents (1,)."""
    ego = np.zeros(1, AGENT_DTYPE)
    ego["centroid"] = frame["ego_translation"][:2]
    ego["yaw"] = rotation33_as_yaw(frame["ego_rotation"])
    ego["extent"] = (EGO_EXTENT_LENGTH, EGO_EXTENT_WIDTH, EGO_EXTENT_HEIGHT)
    return ego


def get_box_world_coords(agents: Rows) -> Rows:
    """Returns the corners (n, 4, 2) of the agents' boxes, in world."""
    corners = np.array([[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]])
    local = corners * agents["extent"][:, None, :2]
    sine, cosine = np.sin(agents["yaw"]), np.cos(agents["yaw"])
    rotation = np.moveaxis(np.array(((cosine, sine), (-sine, cosine))), 2, 0)
    boxes: Rows = local @ rotation + agents["centroid"][:, None, :2]
    return boxes


def draw_boxes(
    raster_size: Any, raster_from_world: Rows, agents: Rows, color: Any
) -> Image:
    """Returns a raster of agents' boxes, grey for a number and RGB for a tuple."""
    shape: tuple[int, ...] = (int(raster_size[1]), int(raster_size[0]))
    image = np.zeros(shape if isinstance(color, int) else (*shape, 3), np.uint8)
    corners = get_box_world_coords(agents).reshape(-1, 2)
    in_raster = transform_points(corners, raster_from_world)
    fill_polygons(image, cv2_subpixel(in_raster.reshape(-1, 4, 2)), color)
    return image


class BoxRasterizer(NativeRasterizer):
    """One channel per frame for the agents, then one per frame for the ego vehicle (or
    the agent in the centre)."""

    map_type = "box_debug"

    def __init__(
        self,
        render_context: RenderContext,
        filter_agents_threshold: float,
        history_num_frames: int,
        render_ego_history: bool = True,
    ) -> None:
        super().__init__(render_context)
        self.filter_agents_threshold = filter_agents_threshold
        self.history_num_frames = history_num_frames
        self.render_ego_history = render_ego_history

    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        half = in_im.shape[-1] // 2
        agents = faded(in_im[..., :half], kwargs.get("agent_color", (0, 0, 1)))
        ego = faded(in_im[..., half:], kwargs.get("ego_color", (0, 1, 0)))
        image: Image = (np.clip(agents + ego, 0, 1) * 255).astype(np.uint8, order="C")
        return image

    def num_channels(self) -> int:
        return (self.history_num_frames + 1) * 2
