"""Simulated scenes, saved for the viewer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._errors import InvalidArgument
from ._simulate import SimulatedScene


def save_rollout(outputs: Any, path: str | os.PathLike[str], *, name: str = "") -> None:
    """Saves simulated scenes as a file that the viewer compares with the recorded ones.

    The file is JSON; docs/rollouts.md describes it.

    Raises InvalidArgument for outputs whose frames are not consecutive, or of the same
    scene.

    Args:
        outputs: a `SimulatedScene`, or a `SimulationOutput` of L5Kit or of
            `bevscope.l5kit`, or several of different scenes.
        path: file to write; a present one is replaced.
        name: name of the model, shown by the viewer; default: the file's name.
    """
    several = outputs if isinstance(outputs, Iterable) else [outputs]
    scenes = [_scene(output) for output in several]
    numbers = [scene["scene"] for scene in scenes]
    if len(set(numbers)) < len(numbers):
        raise InvalidArgument(f"rollout: a scene occurs twice (found {numbers})")
    file = {"format": "bevscope-rollout", "version": 1, "name": name, "scenes": scenes}
    text = json.dumps(file, allow_nan=False, separators=(",", ":"))
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def _scene(output: Any) -> dict[str, Any]:
    """Returns a simulated scene as lists."""
    if isinstance(output, SimulatedScene):
        return {
            "scene": output.scene,
            "timestamps": output.timestamps.tolist(),
            "ego": {name: values.tolist() for name, values in output.ego.items()},
            "agents": {name: values.tolist() for name, values in output.agents.items()},
        }
    frames, agents = output.simulated_ego, output.simulated_agents
    intervals = frames["agent_index_interval"]
    if len(frames) == 0 or (intervals[1:, 0] != intervals[:-1, 1]).any():
        raise InvalidArgument(
            f"rollout: scene {output.scene_id}: no frames, or rows of agents between them"
        )
    agents = agents[intervals[0, 0] : intervals[-1, 1]]
    rotation = frames["ego_rotation"]
    return {
        "scene": int(output.scene_id),
        "timestamps": frames["timestamp"].tolist(),
        "ego": {
            "x": frames["ego_translation"][:, 0].tolist(),
            "y": frames["ego_translation"][:, 1].tolist(),
            "yaw": np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0]).tolist(),
        },
        "agents": {
            "counts": (intervals[:, 1] - intervals[:, 0]).tolist(),
            "track_id": agents["track_id"].tolist(),
            "x": agents["centroid"][:, 0].tolist(),
            "y": agents["centroid"][:, 1].tolist(),
            "yaw": agents["yaw"].tolist(),
            "length": agents["extent"][:, 0].tolist(),
            "width": agents["extent"][:, 1].tolist(),
        },
    }
