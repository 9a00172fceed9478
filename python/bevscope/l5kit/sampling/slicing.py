"""Slices of history and future frames."""

from __future__ import annotations


def get_history_slice(
    frame_index: int,
    history_num_states: int,
    history_step_size: int,
    include_current_state: bool = False,
) -> slice:
    """Returns the slice of past frames, the latest first, optionally after the current
    one: get_history_slice(20, 2, 2, True) is frames 20, 18, 16."""
    if history_step_size <= 0:
        raise IndexError("history slice: the step must be above 0")
    latest = frame_index - (0 if include_current_state else history_step_size)
    if latest < 0:
        return slice(0, 0, -history_step_size)
    first = frame_index - history_num_states * history_step_size
    reaches_0 = first <= 0 and first % history_step_size == 0
    return slice(latest, None if reaches_0 else max(0, first - 1), -history_step_size)


def get_future_slice(
    frame_index: int, future_num_states: int, future_step_size: int
) -> slice:
    """Returns the slice of future frames, without the current one."""
    if future_step_size <= 0:
        raise IndexError("future slice: the step must be above 0")
    first = frame_index + future_step_size
    last = frame_index + future_num_states * future_step_size
    return slice(first, last + 1, future_step_size)
