"""Samples of a frame: the input and targets of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.filter import (
    filter_agents_by_frames,
    filter_agents_by_labels,
    filter_agents_by_track_id,
    filter_tl_faces_by_frames,
)
from ..geometry import angular_distance, rotation33_as_yaw, transform_points
from .native import ADDED, joined, samples_of, window
from .slicing import get_future_slice, get_history_slice

Rows = npt.NDArray[Any]
Context = tuple[Rows, Rows, "list[Rows]", "list[Rows]", "list[Rows]", "list[Rows]"]


def get_agent_context(
    state_index: int,
    frames: Any,
    agents: Any,
    tl_faces: Any,
    history_num_frames: int,
    future_num_frames: int,
) -> Context:
    """Returns copies of history frames (latest first) and future frames, then the agents
    of each, then the traffic light faces of each."""
    past = get_history_slice(state_index, history_num_frames, 1, include_current_state=True)
    future = get_future_slice(state_index, future_num_frames, 1)
    begin = 0 if past.stop is None else past.stop + 1
    end = max(min(future.stop, len(frames)), state_index + 1)
    rows, all_agents, all_faces = window(frames, agents, tl_faces, begin, end)
    current = state_index - begin
    before, after = rows[current::-1].copy(), rows[current + 1 :].copy()
    return (
        before,
        after,
        filter_agents_by_frames(before, all_agents),
        filter_agents_by_frames(after, all_agents),
        filter_tl_faces_by_frames(before, all_faces),
        filter_tl_faces_by_frames(after, all_faces),
    )


def compute_agent_velocity(
    history_positions_m: Rows, future_positions_m: Rows, step_time: float
) -> tuple[Rows, Rows]:
    """Returns velocities (m/s, float32) between history positions (latest first) and
    from the current position, which is 0, through future positions."""
    assert step_time > np.finfo(float).eps, f"step_time: too small (found {step_time})"
    steps = np.diff(future_positions_m, axis=0)
    future = np.concatenate((future_positions_m[:1], steps))
    history = -np.diff(history_positions_m, axis=0)
    history, future = history / step_time, future / step_time
    return history.astype(np.float32), future.astype(np.float32)


def get_relative_poses(
    num_frames: int,
    frames: Rows,
    selected_track_id: int | None,
    agents: list[Rows],
    agent_from_world: Rows,
    current_agent_yaw: float,
) -> tuple[Rows, Rows, Rows, Rows]:
    """Returns positions (n, 2), yaws (n, 1) and extents (n, 2) of a track, or of the ego
    vehicle, relative to a pose, and their availability (n,); float32, 0 if unavailable."""
    from ..rasterization.rasterizer import EGO_EXTENT_LENGTH, EGO_EXTENT_WIDTH

    positions = np.zeros((num_frames, 2), agent_from_world.dtype)
    yaws = np.zeros((num_frames, 1), np.float32)
    extents = np.zeros((num_frames, 2), np.float32)
    available = np.zeros(num_frames, np.float32)
    for i, (frame, frame_agents) in enumerate(zip(frames, agents)):
        if selected_track_id is None:
            positions[i] = frame["ego_translation"][:2]
            yaws[i] = rotation33_as_yaw(frame["ego_rotation"])
            extents[i] = (EGO_EXTENT_LENGTH, EGO_EXTENT_WIDTH)
        else:
            found = filter_agents_by_track_id(frame_agents, selected_track_id)
            if len(found) == 0:
                continue
            positions[i] = found[0]["centroid"]
            yaws[i] = found[0]["yaw"]
            extents[i] = found[0]["extent"][:2]
        available[i] = 1
    local = transform_points(positions, agent_from_world) * available[:, None]
    turned = angular_distance(yaws, current_agent_yaw) * available[:, None]
    return local.astype(np.float32), turned, extents, available


def _selected(agents: Rows, track_id: int | None, threshold: float) -> Any:
    """Returns the row of a track; raises IndexError if it is absent or filtered."""
    if track_id is None:
        return None
    return filter_agents_by_track_id(filter_agents_by_labels(agents, threshold), track_id)[
        0
    ]


def generate_agent_sample(
    state_index: int,
    frames: Any,
    agents: Any,
    tl_faces: Any,
    selected_track_id: int | None,
    render_context: Any,
    history_num_frames: int,
    future_num_frames: int,
    step_time: float,
    filter_agents_threshold: float,
    rasterizer: Any,
    perturbation: Any = None,
) -> dict[str, Any]:
    """Returns the sample of a frame of a scene, with an image (H, W, C).

    Raises IndexError if the track is not in the frame or below the threshold.
    """
    past, future, past_agents, future_agents, past_faces, future_faces = get_agent_context(
        state_index, frames, agents, tl_faces, history_num_frames, future_num_frames
    )
    if perturbation is not None and len(future) == future_num_frames:
        past, future = perturbation.perturb(history_frames=past, future_frames=future)
    chosen = _selected(past_agents[0], selected_track_id, filter_agents_threshold)
    rows = joined(
        np.concatenate((past[::-1], future)),
        past_agents[::-1] + future_agents,
        past_faces[::-1] + future_faces,
    )
    native = _draws(rasterizer, render_context, history_num_frames, filter_agents_threshold)
    config = _config(
        rasterizer if native else None,
        render_context,
        {
            "history_num_frames": history_num_frames,
            "future_num_frames": future_num_frames,
            "step_time": step_time,
        },
        filter_agents_threshold,
    )
    samples = samples_of(
        *rows,
        config,
        kind="ego" if selected_track_id is None else "agent",
        image="f32" if native else "none",
        map=rasterizer.semantic_map if native else None,
        aerial=rasterizer.aerial_image if native else None,
    )
    made = samples.track(0, len(past) - 1, selected_track_id)
    if native:
        image = made["image"].transpose(1, 2, 0)
    else:
        image = rasterizer.rasterize(past, past_agents, past_faces, chosen)
    return _finished(made, state_index, image)


def _finished(made: dict[str, Any], state_index: int, image: Any) -> dict[str, Any]:
    """Returns a sample with L5Kit's order of keys and another image."""
    result = {"frame_index": state_index, "image": image}
    for key, value in made.items():
        if key not in result and key not in ADDED:
            result[key] = value
    return result


def _draws(rasterizer: Any, context: Any, history: int, threshold: float) -> bool:
    """Whether the core draws what the rasterizer does."""
    from ..rasterization.rasterizer import NativeRasterizer

    exact = type(rasterizer).__module__.startswith(
        NativeRasterizer.__module__.rpartition(".")[0]
    )
    return (
        exact
        and isinstance(rasterizer, NativeRasterizer)
        and rasterizer.draws(context, history, threshold)
    )


def _config(
    rasterizer: Any, context: Any, model: dict[str, Any], threshold: float
) -> dict[str, Any]:
    from ..rasterization.stub_rasterizer import StubRasterizer

    drawn = rasterizer if rasterizer is not None else StubRasterizer(context)
    config: dict[str, Any] = drawn.config(model, threshold)
    config["raster_params"].update(context.config())
    return config
