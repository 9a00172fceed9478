"""Concatenating, splitting and cutting data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .filter import (
    get_agents_slice_from_frames,
    get_frames_slice_from_scenes,
    get_tl_faces_slice_from_frames,
)
from .zarr_dataset import ChunkedDataset


def _append_scene(
    source: ChunkedDataset, scene: int, output: ChunkedDataset, frame_count: int | None
) -> None:
    """Appends the first frames of a scene, with its intervals moved."""
    scenes = source.scenes[scene : scene + 1].copy()
    rows = get_frames_slice_from_scenes(scenes[0])
    stop = rows.stop if frame_count is None else min(rows.start + frame_count, rows.stop)
    frames = source.frames[rows.start : stop].copy()
    agents = get_agents_slice_from_frames(frames[0], frames[-1])
    faces = get_tl_faces_slice_from_frames(frames[0], frames[-1])
    begin = len(output.frames)
    scenes["frame_index_interval"] = [[begin, begin + len(frames)]]
    frames["agent_index_interval"] += len(output.agents) - agents.start
    frames["traffic_light_faces_index_interval"] += len(output.tl_faces) - faces.start
    output.scenes.append(scenes)
    output.frames.append(frames)
    output.agents.append(source.agents[agents])
    output.tl_faces.append(source.tl_faces[faces])


def _create(path: str) -> ChunkedDataset:
    assert not Path(path).exists(), f"{path}: exists"
    return ChunkedDataset(path).initialize()


def zarr_concat(input_zarrs: list[str], output_zarr: str) -> None:
    """Writes a data set of all scenes of others."""
    output = _create(output_zarr)
    for path in input_zarrs:
        try:
            source = ChunkedDataset(path).open()
        except (ValueError, KeyError, LookupError, OSError):
            print(f"{path} is not valid! skipping")
            continue
        _append_whole(source, output)


def _append_whole(source: ChunkedDataset, output: ChunkedDataset) -> None:
    scenes, frames = source.scenes[:], source.frames[:]
    scenes["frame_index_interval"] += len(output.frames)
    frames["agent_index_interval"] += len(output.agents)
    frames["traffic_light_faces_index_interval"] += len(output.tl_faces)
    output.scenes.append(scenes)
    output.frames.append(frames)
    output.agents.append(source.agents[:])
    output.tl_faces.append(source.tl_faces[:])


def zarr_split(
    input_zarr: str, output_path: str, split_infos: list[dict[str, Any]]
) -> list[tuple[int, int]]:
    """Writes parts of a data set and returns their ranges of scenes.

    Args:
        split_infos: {"name": file name, "split_size_GB": size} of each part; -1 in the
            last one means the rest.
    """
    source = ChunkedDataset(input_zarr).open()
    assert split_infos, "split: no parts"
    assert split_infos[-1]["split_size_GB"] == -1, "split: the last size must be -1"
    files = (f for f in Path(input_zarr).glob("**/*") if f.is_file())
    gigabytes = sum(file.stat().st_size for file in files) / 2**30
    count = len(source.scenes)
    sizes = [int(count * one["split_size_GB"] / gigabytes) for one in split_infos[:-1]]
    assert sum(sizes) < count, f"split: too large (found {sum(sizes)} of {count} scenes)"
    ends = np.cumsum([*sizes, count - sum(sizes)]).tolist()
    cuts = list(zip([0, *ends], ends))
    for one, (first, last) in zip(split_infos, cuts):
        output = _create(str(Path(output_path) / one["name"]))
        for scene in range(first, last):
            _append_scene(source, scene, output, None)
    return cuts


def zarr_scenes_chop(input_zarr: str, output_zarr: str, num_frames_to_copy: int) -> None:
    """Writes a data set of the first frames of each scene."""
    source = ChunkedDataset(input_zarr).open()
    frames = np.diff(source.scenes["frame_index_interval"], axis=1)
    assert np.all(frames > num_frames_to_copy), "chop: a scene is too short"
    output = _create(output_zarr)
    for scene in range(len(source.scenes)):
        _append_scene(source, scene, output, num_frames_to_copy)
