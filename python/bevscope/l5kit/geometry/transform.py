"""Poses, transforms of points, and earth-centred coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]

# WGS 84
_MAJOR = 6378137.0
_FLATTENING = 1 / 298.257223563
_MINOR = _MAJOR * (1 - _FLATTENING)


def compute_agent_pose(agent_centroid_m: Any, agent_yaw_rad: Any) -> Matrix:
    """Returns world_from_agent (3, 3)."""
    cosine, sine = np.cos(agent_yaw_rad), np.sin(agent_yaw_rad)
    x, y = agent_centroid_m[0], agent_centroid_m[1]
    return np.array([[cosine, -sine, x], [sine, cosine, y], [0, 0, 1]])


def rotation33_as_yaw(rotation: Matrix) -> float:
    """Returns the yaw of a rotation matrix (static axes x, y, z)."""
    matrix = np.asarray(rotation, np.float64)
    if np.hypot(matrix[0, 0], matrix[1, 0]) < 4 * np.finfo(np.float64).eps:
        return 0.0  # looks straight up or down: yaw and roll are one
    return float(np.arctan2(matrix[1, 0], matrix[0, 0]))


def yaw_as_rotation33(yaw: float) -> Matrix:
    """Returns the rotation matrix of a yaw."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def vertical_flip(tm: Matrix, y_dim_size: int) -> Matrix:
    """Returns a raster transform (3, 3) with y counted from the other edge."""
    flipped = np.diag([1.0, -1.0, 1.0]) @ tm
    flipped[1, 2] += y_dim_size
    return flipped


def _check(points: Matrix, matrix: Matrix) -> None:
    found = f"(found points {points.shape}, matrix {matrix.shape})"
    assert points.ndim in (2, 3), f"points must be (N, F) or (B, N, F) {found}"
    assert matrix.ndim in (2, 3), f"matrix must be (F+1, F+1) or (B, F+1, F+1) {found}"
    assert points.ndim >= matrix.ndim, f"a matrix per batch needs batches {found}"
    assert points.shape[-1] in (2, 3), f"points must have 2 or 3 coordinates {found}"
    assert matrix.shape[-1] == matrix.shape[-2], f"matrix must be square {found}"
    assert points.shape[-1] == matrix.shape[-1] - 1, f"sizes must match {found}"


def transform_points(points: Matrix, transf_matrix: Matrix) -> Matrix:
    """Returns points (N, F) or (B, N, F) transformed by a matrix (F+1, F+1), or by one
    per batch (B, F+1, F+1), with F of 2 or 3. The matrix' last row is not used."""
    _check(points, transf_matrix)
    axes = points.shape[-1]
    rotation = np.swapaxes(transf_matrix, -1, -2)[..., :axes, :axes]
    offset = transf_matrix[..., :axes, axes]
    result: Matrix = points @ rotation + (
        offset[:, None] if transf_matrix.ndim == 3 else offset
    )
    return result


def transform_point(point: Matrix, transf_matrix: Matrix) -> Matrix:
    """Returns a point (F,) transformed by a matrix (F+1, F+1)."""
    return transform_points(np.expand_dims(point, 0), transf_matrix)[0]


def ecef_to_geodetic(point: Matrix | Sequence[float]) -> Matrix:
    """Returns latitude and longitude (degrees) and altitude (metres)."""
    x, y, z = (np.float64(v) for v in point[:3])
    # You (2000), "Transformation of Cartesian to geodetic coordinates without iterations"
    radius = np.sqrt(x**2 + y**2 + z**2)
    focal = np.sqrt(_MAJOR**2 - _MINOR**2)
    half = radius**2 - focal**2
    u = np.sqrt(0.5 * half + 0.5 * np.hypot(half, 2 * focal * z))
    across, side = np.hypot(x, y), np.hypot(u, focal)
    beta = np.arctan2(side * z, u * across) if across > 0 else np.sign(z) * np.pi / 2
    step = (_MINOR * u - _MAJOR * side + focal**2) * np.sin(beta)
    step /= _MAJOR * side / np.cos(beta) - focal**2 * np.cos(beta)
    beta += step
    latitude = np.arctan(_MAJOR / _MINOR * np.tan(beta))
    altitude = np.hypot(z - _MINOR * np.sin(beta), across - _MAJOR * np.cos(beta))
    inside = x**2 / _MAJOR**2 + y**2 / _MAJOR**2 + z**2 / _MINOR**2 < 1
    longitude = np.arctan2(y, x)
    return np.array(
        [np.degrees(latitude), np.degrees(longitude), -altitude if inside else altitude]
    )


def geodetic_to_ecef(lla_point: Matrix | Sequence[float]) -> Matrix:
    """Returns earth-centred x, y, z of latitude, longitude (degrees) and, if given,
    altitude (metres)."""
    latitude, longitude = np.radians(lla_point[0]), np.radians(lla_point[1])
    altitude = lla_point[2] if len(lla_point) > 2 else 0
    cosine, sine = np.cos(latitude), np.sin(latitude)
    normal = _MAJOR**2 / np.hypot(_MAJOR * cosine, _MINOR * sine)
    x = (normal + altitude) * cosine * np.cos(longitude)
    y = (normal + altitude) * cosine * np.sin(longitude)
    z = (normal * (_MINOR / _MAJOR) ** 2 + altitude) * sine
    return np.array([x, y, z], dtype=np.float64)
