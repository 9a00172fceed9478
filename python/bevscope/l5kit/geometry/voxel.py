"""Grids of voxels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def points_within_bounds(coords: npt.NDArray[Any], shape: Any) -> npt.NDArray[np.bool_]:
    """Returns which points (N, 3) lie in a grid of a shape."""
    inside: npt.NDArray[np.bool_] = ((coords >= 0) & (coords < np.array(shape))).all(axis=1)
    return inside


def voxel_coords_to_intensity_grid(
    voxel_coords: npt.NDArray[Any],
    shape: tuple[int, int, int],
    dtype: Any = np.float32,
    drop_out_of_bounds: bool = True,
) -> npt.NDArray[Any]:
    """Returns the number of points (N, 3) in each cell of a grid."""
    if drop_out_of_bounds:
        voxel_coords = voxel_coords[points_within_bounds(voxel_coords, shape)]
    cells, counts = np.unique(voxel_coords, axis=0, return_counts=True)
    grid = np.zeros(shape, dtype=dtype)
    grid[tuple(cells.T)] = counts
    return grid


def normalize_intensity(x: npt.NDArray[Any], max_intensity: float) -> npt.NDArray[Any]:
    """Returns x / max_intensity, clipped to 0..1."""
    return np.clip(x / max_intensity, 0, 1)
