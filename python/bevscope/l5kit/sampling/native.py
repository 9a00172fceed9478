"""The core's samples of rows in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._data.samples import Samples
from ..._sources.source import MemorySource
from ..data.filter import get_agents_slice_from_frames, get_tl_faces_slice_from_frames
from ..data.zarr_dataset import AGENT_DTYPE, FRAME_DTYPE, SCENE_DTYPE, TL_FACE_DTYPE

Rows = npt.NDArray[Any]

#: Keys of a data set's sample that generate_agent_sample() does not have.
ADDED = ("scene_index", "host_id", "timestamp", "track_id")


def window(
    frames: Any, agents: Any, tl_faces: Any, begin: int, end: int
) -> tuple[Rows, Rows, Rows]:
    """Returns copies of frames [begin, end) and of their rows, counted from 0."""
    rows = np.array(frames[begin:end])
    agent_rows = get_agents_slice_from_frames(rows[0], rows[-1])
    face_rows = get_tl_faces_slice_from_frames(rows[0], rows[-1])
    rows["agent_index_interval"] -= agent_rows.start
    if len(tl_faces):
        rows["traffic_light_faces_index_interval"] -= face_rows.start
    else:
        rows["traffic_light_faces_index_interval"] = 0
    return rows, np.array(agents[agent_rows]), np.array(tl_faces[face_rows])


def joined(
    frames: Rows, agents: list[Rows], tl_faces: list[Rows]
) -> tuple[Rows, Rows, Rows]:
    """Returns frames and their rows as one, with new intervals. Frames without a list
    have no rows."""
    rows = np.array(frames)
    for field, parts in (
        ("agent_index_interval", agents),
        ("traffic_light_faces_index_interval", tl_faces),
    ):
        counts = np.zeros(len(rows), np.int64)
        counts[: len(parts)] = [len(part) for part in parts]
        ends = np.cumsum(counts)
        rows[field] = np.column_stack([ends - counts, ends])
    return rows, _rows_of(agents, AGENT_DTYPE), _rows_of(tl_faces, TL_FACE_DTYPE)


def _rows_of(parts: list[Rows], dtype: Any) -> Rows:
    """Returns rows as one; empty parts may have any dtype."""
    return np.concatenate([np.empty(0, dtype), *(part for part in parts if len(part))])


def samples_of(
    frames: Rows, agents: Rows, tl_faces: Rows, config: dict[str, Any], **options: Any
) -> Samples:
    """Returns samples of frames in memory, as scene 0."""
    scenes = np.zeros(1, SCENE_DTYPE)
    scenes["frame_index_interval"] = [[0, len(frames)]]
    arrays = {
        "scenes": scenes,
        "frames": np.asarray(frames, FRAME_DTYPE),
        "agents": np.asarray(agents, AGENT_DTYPE),
        "traffic_light_faces": np.asarray(tl_faces, TL_FACE_DTYPE),
    }
    if options.get("kind") == "agent":
        options["rules"] = {"use_stored": False}  # there is no mask in memory
    return Samples(MemorySource(arrays), config, **options)
