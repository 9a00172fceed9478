"""Vectorized samples of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from .agent_sampling import get_agent_context
from .native import ADDED, joined, samples_of


def generate_agent_sample_vectorized(
    state_index: int,
    frames: Any,
    agents: Any,
    tl_faces: Any,
    selected_track_id: int | None,
    history_num_frames_ego: int,
    history_num_frames_agents: int,
    future_num_frames: int,
    step_time: float,
    filter_agents_threshold: float,
    vectorizer: Any,
    perturbation: Any = None,
) -> dict[str, Any]:
    """Returns the vectorized sample of a frame of a scene.

    Raises ValueError if the track is not in the frame or below the threshold.
    """
    history = max(history_num_frames_ego, history_num_frames_agents)
    past, future, past_agents, future_agents, past_faces, future_faces = get_agent_context(
        state_index, frames, agents, tl_faces, history, future_num_frames
    )
    if perturbation is not None and len(future) == future_num_frames:
        past, future = perturbation.perturb(history_frames=past, future_frames=future)
    config = vectorizer.config(
        {
            "history_num_frames_ego": history_num_frames_ego,
            "history_num_frames_agents": history_num_frames_agents,
            "future_num_frames": future_num_frames,
            "step_time": step_time,
        },
        filter_agents_threshold,
    )
    samples = samples_of(
        *joined(
            np.concatenate((past[::-1], future)),
            past_agents[::-1] + future_agents,
            past_faces[::-1] + future_faces,
        ),
        config,
        kind="ego" if selected_track_id is None else "agent",
        vectorized=True,
        map=vectorizer.mapAPI.map,
    )
    made = samples.track(0, len(past) - 1, selected_track_id)
    for key in ADDED:
        made.pop(key, None)
    made["frame_index"] = state_index
    return made
