"""Angles, in radians."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def angle_between_vectors(v1: npt.ArrayLike, v2: npt.ArrayLike) -> Any:
    """Returns the angle from 0 to pi between two vectors of 2 or 3 elements."""
    a, b = np.asarray(v1), np.asarray(v2)
    if a.shape[-1] == 2:
        sine = abs(a[0] * b[1] - a[1] * b[0])
    else:
        sine = np.linalg.norm(np.cross(a, b))
    return np.arctan2(sine, np.dot(a, b))


def compute_yaw_around_north_from_direction(direction_vector: npt.ArrayLike) -> Any:
    """Returns the angle between a direction (2,) and the y axis."""
    return angle_between_vectors(direction_vector, np.array([0.0, 1.0]))


def angular_distance(angle_a: Any, angle_b: Any) -> Any:
    """Returns angle_a - angle_b, wrapped to [-pi, pi)."""
    return (angle_a - angle_b + np.pi) % (2 * np.pi) - np.pi
