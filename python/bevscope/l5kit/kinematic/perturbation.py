"""Changes of the ego vehicle's trajectory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy.typing as npt

Frames = npt.NDArray[Any]


class Perturbation(ABC):
    """Changes the frames of a sample."""

    @abstractmethod
    def perturb(
        self, history_frames: Frames, future_frames: Frames
    ) -> tuple[Frames, Frames]:
        """Returns history (latest first) and future frames with another trajectory."""
