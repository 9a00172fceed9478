"""The interface of rasterizers, and the core's rasterizers behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from ..sampling.native import joined, samples_of
from .render_context import RenderContext

Rows = npt.NDArray[Any]
Image = npt.NDArray[Any]

EGO_EXTENT_LENGTH = 4.87
EGO_EXTENT_WIDTH = 1.85
EGO_EXTENT_HEIGHT = 1.8


class Rasterizer(ABC):
    """Draws the input of a model. Subclass it to draw your own."""

    @abstractmethod
    def rasterize(
        self,
        history_frames: Rows,
        history_agents: list[Rows],
        history_tl_faces: list[Rows],
        agent: Any = None,
    ) -> Image:
        """Returns an image (H, W, C), float32 from 0 to 1.

        Args:
            history_frames: frames, the current one first.
            history_agents: agents of each frame.
            history_tl_faces: traffic light faces of each frame.
            agent: the agent that the raster is centred on; None for the ego vehicle.
        """

    @abstractmethod
    def to_rgb(self, in_im: Image, **kwargs: Any) -> Image:
        """Returns an image of rasterize() for display: (H, W, 3), uint8."""

    @abstractmethod
    def num_channels(self) -> int:
        """Returns the number of channels of rasterize()."""


class NativeRasterizer(Rasterizer):
    """A rasterizer of the core. Data sets let the core draw with it, unless it is a
    subclass, which may override rasterize()."""

    map_type = ""
    history_num_frames = 0
    filter_agents_threshold = -1.0  # all agents
    render_ego_history = True
    semantic_map: Any = None
    aerial_image: Any = None

    def __init__(self, render_context: RenderContext) -> None:
        self.render_context = render_context
        self.raster_size = render_context.raster_size_px
        self.pixel_size = render_context.pixel_size_m
        self.ego_center = render_context.center_in_raster_ratio

    def config(self, model: dict[str, Any], threshold: float) -> dict[str, Any]:
        """Returns a config for the core."""
        return {
            "format_version": 4,
            "model_params": {"render_ego_history": self.render_ego_history, **model},
            "raster_params": {
                **self.render_context.config(),
                "map_type": self.map_type,
                "filter_agents_threshold": float(threshold),
                "disable_traffic_light_faces": False,
                "satellite_map_key": "",
                "semantic_map_key": "",
                "dataset_meta_key": "",
            },
        }

    def draws(self, context: RenderContext, history: int, threshold: float) -> bool:
        """Whether its images are those of a sample with these parameters."""
        if self.render_context.config() != context.config():
            return False
        if self.num_channels() == 3:
            return True  # draws no agents
        return history == self.history_num_frames and (
            float(threshold) == float(self.filter_agents_threshold)
        )

    def rasterize(
        self,
        history_frames: Rows,
        history_agents: list[Rows],
        history_tl_faces: list[Rows],
        agent: Any = None,
    ) -> Image:
        frames, agents, faces = joined(
            history_frames[::-1], history_agents[::-1], history_tl_faces[::-1]
        )
        config = self.config(
            {
                "history_num_frames": self.history_num_frames,
                "future_num_frames": 0,
                "step_time": 0.1,
            },
            self.filter_agents_threshold,
        )
        samples = samples_of(
            frames,
            agents,
            faces,
            config,
            kind="ego" if agent is None else "agent",
            map=self.semantic_map,
            aerial=self.aerial_image,
        )
        track = None if agent is None else int(np.ravel(agent["track_id"])[0])
        image: Image = samples.track(0, len(frames) - 1, track)["image"]
        return image.transpose(1, 2, 0)


def faded(channels: Image, colour: Any) -> Image:
    """Returns channels (H, W, n) in one colour, the later the paler."""
    image = np.zeros((*channels.shape[:2], 3), np.float32)
    for i in reversed(range(channels.shape[-1])):
        image *= 0.85
        image[channels[..., i] > 0] = colour
    return image
