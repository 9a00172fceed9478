"""Scenes that continue each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .zarr_dataset import SCENE_DTYPE


def get_combined_scenes(scenes: Any) -> npt.NDArray[Any]:
    """Returns the scenes with those merged that follow each other without a gap in time
    and have the same host."""
    rows = np.asarray(scenes[:]) if len(scenes) else scenes
    if len(rows) == 0:
        return rows
    follows = (rows["start_time"][1:] == rows["end_time"][:-1]) & (
        rows["host"][1:] == rows["host"][:-1]
    )
    first = np.flatnonzero(np.concatenate([[True], ~follows]))
    last = np.append(first[1:], len(rows)) - 1
    combined = np.array(rows[first], dtype=SCENE_DTYPE)
    combined["frame_index_interval"][:, 1] = rows["frame_index_interval"][last, 1]
    combined["end_time"] = rows["end_time"][last]
    return combined
