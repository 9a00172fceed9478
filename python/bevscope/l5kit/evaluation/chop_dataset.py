"""Test sets of scenes that end before their agents' futures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..data.zarr_array import WritableArray
from ..data.zarr_dataset import ChunkedDataset
from ..data.zarr_utils import zarr_scenes_chop
from ..dataset.select_agents import (
    TH_DISTANCE_AV,
    TH_EXTENT_RATIO,
    TH_YAW_DEGREE,
    select_agents,
)
from .extract_ground_truth import export_zarr_to_csv

MIN_FUTURE_STEPS = 10


def create_chopped_dataset(
    zarr_path: str,
    th_agent_prob: float,
    num_frames_to_copy: int,
    num_frames_gt: int,
    min_frame_future: int,
) -> str:
    """Writes the first frames of each scene, the mask of the agents in the last one with
    enough future, and their ground truth; returns the folder."""
    source = Path(zarr_path)
    folder = source.parent / f"{source.stem}_chopped_{num_frames_to_copy}"
    original = ChunkedDataset(str(source)).open()
    masks = source / "agents_mask"
    if not (masks / str(th_agent_prob)).exists():
        select_agents(
            original, th_agent_prob, TH_YAW_DEGREE, TH_EXTENT_RATIO, TH_DISTANCE_AV
        )
    counts = np.asarray(WritableArray(masks, str(th_agent_prob)))
    zarr_scenes_chop(str(source), str(folder / source.name), num_frames_to_copy)
    chopped = ChunkedDataset(str(folder / source.name)).open()
    kept = np.zeros(len(chopped.agents), bool)
    kept_originally = np.zeros(len(original.agents), bool)
    for scene in range(len(original.scenes)):
        first = original.scenes[scene]["frame_index_interval"][0]
        last = chopped.scenes[scene]["frame_index_interval"][1] - 1
        before = original.frames[int(first) + num_frames_to_copy - 1]
        rows = slice(*before["agent_index_interval"])
        enough = counts[rows, 1] >= min_frame_future
        kept_originally[rows] = enough
        kept[slice(*chopped.frames[int(last)]["agent_index_interval"])] = enough
    np.savez(str(folder / "mask"), kept)
    export_zarr_to_csv(
        original,
        str(folder / "gt.csv"),
        num_frames_gt,
        th_agent_prob,
        agents_mask=kept_originally,
    )
    return str(folder)
