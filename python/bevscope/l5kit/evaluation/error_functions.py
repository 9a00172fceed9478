"""Errors of tensors; need PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

ErrorFunction = Callable[[Any, Any], Any]


def l2_error(pred: Any, gt: Any) -> Any:
    """Returns the distance over the last axis."""
    import torch

    return torch.linalg.norm(pred - gt, ord=2, dim=-1)


def closest_angle_error(angle_a: Any, angle_b: Any) -> Any:
    """Returns the angle from 0 to pi between two angles."""
    import torch

    assert angle_a.shape == angle_b.shape
    turn = 2.0 * math.pi
    wrapped: Any = torch.fmod(angle_b - angle_a, turn)
    return torch.abs(torch.fmod(2.0 * wrapped, turn) - wrapped)
