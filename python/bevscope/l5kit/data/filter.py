"""Selections of agents and faces, and the slices that intervals stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .labels import (
    PERCEPTION_LABEL_TO_INDEX,
    PERCEPTION_LABELS,
    TL_FACE_LABEL_TO_INDEX,
)

Rows = npt.NDArray[Any]

#: Labels of road users: CAR to ANIMAL.
PERCEPTION_LABELS_TO_KEEP = PERCEPTION_LABELS[
    PERCEPTION_LABEL_TO_INDEX["PERCEPTION_LABEL_CAR"] : -1
]
PERCEPTION_LABEL_INDICES_TO_KEEP = [
    PERCEPTION_LABEL_TO_INDEX[label] for label in PERCEPTION_LABELS_TO_KEEP
]


def _get_label_filter(label_probabilities: Rows, threshold: float) -> Rows:
    kept = label_probabilities[:, PERCEPTION_LABEL_INDICES_TO_KEEP]
    mask: Rows = np.sum(kept, axis=1) > threshold
    return mask


def filter_agents_by_labels(agents: Rows, threshold: float = 0.5) -> Rows:
    """Returns the agents that are road users with a probability above the threshold."""
    return agents[_get_label_filter(agents["label_probabilities"], threshold)]


def filter_agents_by_distance(agents: Rows, centroid: Rows, max_distance: float) -> Rows:
    """Returns the agents nearer than max_distance metres, the nearest first."""
    distances = np.linalg.norm(agents["centroid"] - centroid, axis=-1)
    near = np.nonzero(distances < max_distance)[0]
    return agents[near[np.argsort(distances[near])]]


def filter_agents_by_track_id(agents: Rows, track_id: int) -> Rows:
    """Returns the agents of a track."""
    return agents[agents["track_id"] == track_id]


def filter_agents_by_frames(frames: Rows, agents: Any) -> list[Rows]:
    """Returns the agents of each frame."""
    return [agents[get_agents_slice_from_frames(f)] for f in np.atleast_1d(frames)]


def filter_tl_faces_by_frames(frames: Rows, tl_faces: Any) -> list[Rows]:
    """Returns the traffic light faces of each frame."""
    return [tl_faces[get_tl_faces_slice_from_frames(f)] for f in np.atleast_1d(frames)]


def filter_tl_faces_by_status(tl_faces: Rows, status: str) -> Rows:
    """Returns the faces with a non-zero probability of a state: "ACTIVE"."""
    column = TL_FACE_LABEL_TO_INDEX[status]
    return tl_faces[tl_faces["traffic_light_face_status"][:, column] > 0]


def _slice(first: Any, last: Any, field: str) -> slice:
    return slice(first[field][0], (first if last is None else last)[field][1])


def get_frames_slice_from_scenes(scene_a: Any, scene_b: Any = None) -> slice:
    """Returns the rows of `frames` from one scene to another, or of one scene."""
    return _slice(scene_a, scene_b, "frame_index_interval")


def get_agents_slice_from_frames(frame_a: Any, frame_b: Any = None) -> slice:
    """Returns the rows of `agents` from one frame to another, or of one frame."""
    return _slice(frame_a, frame_b, "agent_index_interval")


def get_tl_faces_slice_from_frames(frame_a: Any, frame_b: Any = None) -> slice:
    """Returns the rows of `traffic_light_faces` from one frame to another."""
    return _slice(frame_a, frame_b, "traffic_light_faces_index_interval")


def get_other_agents_ids(
    all_agents_ids: Rows, priority_ids: Rows, selected_track_id: int | None, max_agents: int
) -> list[Any]:
    """Returns up to max_agents track ids without the selected one: first those of
    priority_ids, then the others, from present to past. The order is that of a set."""
    taken: set[Any] = set()
    for one in np.concatenate([priority_ids, all_agents_ids]):
        if len(taken) >= max_agents:
            break
        if one != selected_track_id:
            taken.add(one)
    return list(taken)
