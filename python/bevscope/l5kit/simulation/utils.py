"""Changes of a data set of one scene in memory, as get_scene_dataset() returns it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.filter import get_agents_slice_from_frames, get_tl_faces_slice_from_frames
from ..data.zarr_dataset import ChunkedDataset, in_memory

Rows = npt.NDArray[Any]


def _check(dataset: ChunkedDataset, *names: str) -> None:
    """Raises ValueError unless there is one scene and the arrays are NumPy's."""
    if len(dataset.scenes) != 1:
        raise ValueError(f"data set: must have one scene (found {len(dataset.scenes)})")
    for name in names:
        if not isinstance(getattr(dataset, name), np.ndarray):
            raise ValueError(f"{name}: must be a NumPy array, which can be changed")


def insert_agent(agent: Rows, frame_idx: int, dataset: ChunkedDataset) -> None:
    """Adds an agent to a frame; replaces the frame's row of the same track, if any.

    Args:
        agent: one row (1,) of agents.
        frame_idx: the frame to change.
        dataset: changed in place; a new row needs a new array `agents`.
    """
    _check(dataset, "agents", "frames")
    count = len(dataset.frames)
    if not -count <= frame_idx < count:
        raise ValueError(f"frame {frame_idx} is out of range (count {count})")
    at = frame_idx % count
    rows = get_agents_slice_from_frames(dataset.frames[at])
    found = np.flatnonzero(dataset.agents["track_id"][rows] == agent["track_id"])
    assert len(found) <= 1, f"frame {at}: repeats track {agent['track_id']}"
    if len(found):
        row = rows.start + int(found[0])
        dataset.agents[row : row + 1] = agent
        return
    before, after = dataset.agents[: rows.stop], dataset.agents[rows.stop :]
    dataset.agents = np.concatenate([before, agent, after])
    intervals = dataset.frames["agent_index_interval"]
    intervals[at, 1] += 1
    intervals[at + 1 :] += 1


def disable_agents(dataset: ChunkedDataset, allowlist: Rows) -> None:
    """Hides the agents of all tracks but those of allowlist (n,): without position,
    size and yaw, and with probabilities that every label filter rejects."""
    _check(dataset, "agents")
    if allowlist.ndim != 1:
        raise ValueError(f"allowlist: must have one axis (found {allowlist.ndim})")
    hidden = ~np.isin(dataset.agents["track_id"], allowlist)
    for field in ("centroid", "yaw", "extent"):
        dataset.agents[field][hidden] = 0
    dataset.agents["label_probabilities"][hidden] = -1


def get_frames_subset(
    dataset: ChunkedDataset, frame_start_idx: int, frame_end_idx: int
) -> ChunkedDataset:
    """Returns a copy of the frames [frame_start_idx, frame_end_idx) and of their rows."""
    _check(dataset, "agents", "tl_faces", "frames")
    count = len(dataset.frames)
    if not 0 <= frame_start_idx < frame_end_idx <= count:
        asked = f"[{frame_start_idx}, {frame_end_idx})"
        raise ValueError(f"frames {asked}: not a range of the scene's {count} frames")
    frames = dataset.frames[frame_start_idx:frame_end_idx].copy()
    agents = dataset.agents[get_agents_slice_from_frames(frames[0], frames[-1])].copy()
    faces = dataset.tl_faces[get_tl_faces_slice_from_frames(frames[0], frames[-1])].copy()
    for field in ("agent_index_interval", "traffic_light_faces_index_interval"):
        frames[field] -= frames[field][0, 0]
    scenes = dataset.scenes.copy()
    scenes["frame_index_interval"] = (0, len(frames))
    scenes["start_time"] = frames["timestamp"][0]
    scenes["end_time"] = frames["timestamp"][-1]
    return in_memory(scenes, frames, agents, faces)
