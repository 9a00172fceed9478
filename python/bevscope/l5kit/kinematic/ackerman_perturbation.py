"""L5Kit's perturbation by a steering model, computed by the core."""

from __future__ import annotations

from typing import Any

from ..random import GaussianRandomGenerator, RandomGenerator
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

    def native(self, seed: int) -> dict[str, Any] | None:
        """Returns the core's options, if it can draw the same numbers."""
        drawn = self.random_offset_generator
        if type(drawn) is not GaussianRandomGenerator or drawn.random_seed is None:
            return None
        return {
            "probability": self.perturb_prob,
            "mean": drawn.mean.tolist(),
            "deviation": drawn.std.tolist(),
            "seed": seed,
            "offset_seed": drawn.random_seed,
            "min_displacement": self.min_displacement,
        }

    def perturb(self, history_frames: Frames, future_frames: Frames) -> tuple[Frames, Frames]:
        raise NotImplementedError("AckermanPerturbation.perturb: not supported yet")
