"""Selects agents that are visible long enough and move plausibly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._data.dataset import Dataset
from ..._data.samples import _filled
from ..._sources.source import MemorySource
from ..data.zarr_array import Group
from ..data.zarr_dataset import ChunkedDataset
from ..sampling.native import window

TH_YAW_DEGREE = 30
TH_EXTENT_RATIO = 1.1
TH_DISTANCE_AV = 50

Mask = npt.NDArray[np.uint32]


def in_consecutive_frame(frame_index: int, prev_frame_index: int) -> bool:
    return frame_index - prev_frame_index == 1


def in_av_distance(av_centroid: Any, agent_centroid: Any, th: float) -> bool:
    distance = np.linalg.norm(np.asarray(av_centroid)[:2] - np.asarray(agent_centroid)[:2])
    return bool(distance < th)


def in_angular_distance(yaw1: float, yaw2: float, th: float) -> bool:
    turned = np.abs((yaw1 - yaw2 + np.pi) % (2 * np.pi) - np.pi)
    return bool(np.degrees(turned) < th)


def in_extent_ratio(extent1: Any, extent2: Any, th: float) -> bool:
    areas = extent1[0] * extent1[1], extent2[0] * extent2[1]
    if min(areas) < 0.01:
        return False
    return bool(max(areas) / min(areas) < th)


def _rules(threshold: float, yaw: float, ratio: float, distance: float) -> Any:
    return _filled(
        "rules",
        _core.AgentRules(),
        {
            "label_threshold": float(threshold),
            "max_yaw_step_deg": float(yaw),
            "max_extent_ratio": float(ratio),
            "max_distance_to_ego": float(distance),
        },
    )


def _selected(dataset: Dataset, scene: int, rules: Any) -> tuple[Mask, Counter[str]]:
    """Returns the counts of a scene's agents, and L5Kit's report."""
    found = dataset._handle.call(lambda core: core.select_agents(scene, rules))
    counts: Mask = found.pop("counts")
    report = Counter({rule: count for rule, count in found.items() if count})
    report["total_reject"] = sum(report.values())
    report["total_agent_frames"] = len(counts)
    return counts, report


def _scene_of(dataset: ChunkedDataset, begin: int, end: int) -> int | None:
    """Returns the stored scene that has these frames."""
    if not dataset.is_stored():
        return None
    found = np.nonzero((dataset.scenes["frame_index_interval"] == (begin, end)).all(1))[0]
    return int(found[0]) if len(found) else None


def get_valid_agents(
    frames_range: Any,
    dataset: ChunkedDataset,
    th_agent_filter_probability_threshold: float,
    th_yaw_degree: float,
    th_extent_ratio: float,
    th_distance_av: float,
) -> tuple[Mask, Counter[str], tuple[int, int]]:
    """Returns for each agent of frames the numbers of past and future frames in which
    its track is visible, (n, 2); a report; and the range of the agents' rows."""
    begin, end = int(frames_range[0]), int(frames_range[1])
    rows = dataset.frames[begin:end]
    first = int(rows[0]["agent_index_interval"][0])
    last = int(rows[-1]["agent_index_interval"][1])
    rules = _rules(
        th_agent_filter_probability_threshold,
        th_yaw_degree,
        th_extent_ratio,
        th_distance_av,
    )
    scene = _scene_of(dataset, begin, end)
    if scene is not None and dataset.dataset is not None:
        return (*_selected(dataset.dataset, scene, rules), (first, last))
    frames, agents, faces = window(
        dataset.frames, dataset.agents, dataset.tl_faces[:0], begin, end
    )
    scenes = np.zeros(1, dataset.scenes.dtype)
    scenes["frame_index_interval"] = [[0, len(frames)]]
    arrays = {
        "scenes": scenes,
        "frames": frames,
        "agents": agents,
        "traffic_light_faces": faces,
    }
    mask, report = _selected(Dataset(MemorySource(arrays)), 0, rules)
    return mask, report, (first, last)


def select_agents(
    zarr_dataset: ChunkedDataset,
    th_agent_prob: float,
    th_yaw_degree: float,
    th_extent_ratio: float,
    th_distance_av: float,
) -> None:
    """Writes the mask of a data set into it, as agents_mask/<th_agent_prob>."""
    folder = Path(zarr_dataset.path) / "agents_mask"
    if (folder / str(th_agent_prob)).exists():
        raise FileExistsError(f"agents_mask/{th_agent_prob}: exists")
    mask = mask_of_rules(
        zarr_dataset, _rules(th_agent_prob, th_yaw_degree, th_extent_ratio, th_distance_av)
    )
    made = Group(folder, "a").create_dataset(
        str(th_agent_prob), (0, 2), np.uint32, (10_000, 2)
    )
    made.append(mask)


def mask_of_rules(dataset: ChunkedDataset, rules: Any) -> Mask:
    """Returns the mask of all agents."""
    if dataset.is_stored() and dataset.dataset is not None:
        stored: Any = dataset.dataset
    else:
        stored = Dataset(MemorySource(dataset.arrays()))
    parts = [_selected(stored, scene, rules)[0] for scene in range(len(dataset.scenes))]
    return np.concatenate([np.empty((0, 2), np.uint32), *parts])
