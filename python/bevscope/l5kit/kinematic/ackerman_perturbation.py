"""L5Kit's perturbation by a steering model, computed by the core."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..geometry import transform_points, yaw_as_rotation33
from ..random import RandomGenerator
from ..sampling.native import joined, samples_of
from .perturbation import Frames, Perturbation


class AckermanPerturbation(Perturbation):
    """Moves the current pose by random offsets and returns to the trajectory.

    Args:
        random_offset_generator: draws lateral and longitudinal metres and yaw radians.
        perturb_prob: probability of a sample being perturbed.
        min_displacement: metres; shorter futures keep their heading.
    """

    def __init__(
        self,
        random_offset_generator: RandomGenerator,
        perturb_prob: float,
        min_displacement: float = 0,
    ) -> None:
        self.perturb_prob = perturb_prob
        self.random_offset_generator = random_offset_generator
        self.min_displacement = min_displacement
        if perturb_prob == 0:
            warnings.warn(
                "Consider replacing this object with None if no perturbation is intended",
                RuntimeWarning,
                stacklevel=2,
            )

    def draw(self) -> list[float] | None:
        """Draws the offset of the next sample; None if it is not perturbed."""
        if np.random.rand() >= self.perturb_prob:
            return None
        return [float(value) for value in self.random_offset_generator()]

    def perturb(
        self, history_frames: Frames, future_frames: Frames
    ) -> tuple[Frames, Frames]:
        offset = self.draw()
        if offset is None:
            return history_frames.copy(), future_frames.copy()
        assert len(history_frames) > 0, "perturbation: no history frames"
        assert len(future_frames) > 0, "perturbation: no future frames"
        return self._moved(history_frames, future_frames, offset)

    def _moved(
        self, history: Frames, future: Frames, offset: list[float]
    ) -> tuple[Frames, Frames]:
        """Lets the core perturb a sample by this offset, and writes its poses."""
        frames = np.concatenate((history[::-1], future))
        rows = joined(frames, [], [])
        samples = samples_of(
            *rows,
            _config(len(history) - 1, len(future)),
            image="none",
            perturbation={
                "probability": 1,
                "mean": offset,
                "min_displacement": float(self.min_displacement),
            },
        )
        made = samples.track(0, len(history) - 1)
        history["ego_translation"][0, :2] = made["centroid"]
        history["ego_rotation"][0] = yaw_as_rotation33(made["yaw"])
        local = made["target_positions"].astype(np.float64)
        future["ego_translation"][:, :2] = transform_points(local, made["world_from_agent"])
        yaws = made["yaw"] + made["target_yaws"][:, 0].astype(np.float64)
        future["ego_rotation"] = np.stack([yaw_as_rotation33(yaw) for yaw in yaws])
        return history, future


def _config(history: int, future: int) -> dict[str, Any]:
    return {
        "format_version": 4,
        "model_params": {
            "history_num_frames": history,
            "future_num_frames": future,
            "step_time": 0.1,
            "render_ego_history": True,
        },
        "raster_params": {
            "raster_size": [1, 1],
            "pixel_size": [1.0, 1.0],
            "ego_center": [0.5, 0.5],
            "set_origin_to_bottom": True,
            "map_type": "stub_debug",
            "filter_agents_threshold": 0.5,
            "disable_traffic_light_faces": True,
        },
    }
