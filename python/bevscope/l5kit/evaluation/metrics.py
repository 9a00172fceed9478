"""Metrics of predicted trajectories.

Arguments: ground truth (T, 2), predictions (M, T, 2), confidences (M,), availabilities
(T,).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]
metric_signature = Callable[[Values, Values, Values, Values], Values]


def _assert_shapes(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> None:
    assert pred.ndim == 3, f"pred: expected (M, T, 2), found {pred.shape}"
    modes, steps, axes = pred.shape
    assert ground_truth.shape == (steps, axes), f"ground truth: found {ground_truth.shape}"
    assert confidences.shape == (modes,), f"confidences: found {confidences.shape}"
    assert np.allclose(np.sum(confidences), 1), "confidences should sum to 1"
    assert avails.shape == (steps,), f"avails: found {avails.shape}"
    for name, values in (
        ("pred", pred),
        ("gt", ground_truth),
        ("confidences", confidences),
        ("avails", avails),
    ):
        assert np.isfinite(values).all(), f"invalid value found in {name}"


def _squares(ground_truth: Values, pred: Values, avails: Values) -> Values:
    """Returns squared distances (M, T), 0 where the truth is unavailable."""
    found: Values = np.sum(((ground_truth - pred) * avails[:, None]) ** 2, axis=-1)
    return found


def _log_weights(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    _assert_shapes(ground_truth, pred, confidences, avails)
    squares = _squares(ground_truth, pred, avails)
    with np.errstate(divide="ignore"):  # a confidence of 0 is -inf
        weights: Values = np.log(confidences) - 0.5 * np.sum(squares, axis=-1)
    return weights


def neg_multi_log_likelihood(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the negative log likelihood of the truth under the mixture of modes."""
    weights = _log_weights(ground_truth, pred, confidences, avails)
    most = weights.max()
    found: Values = -np.log(np.sum(np.exp(weights - most), axis=-1)) - most
    return found


def rmse(ground_truth: Values, pred: Values, confidences: Values, avails: Values) -> Values:
    """Returns the root mean squared error that the likelihood stands for."""
    likelihood = neg_multi_log_likelihood(ground_truth, pred, confidences, avails)
    found: Values = np.sqrt(2 * likelihood / pred.shape[1])
    return found


def prob_true_mode(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the probability (M,) of each mode, given the truth."""
    weights = _log_weights(ground_truth, pred, confidences, avails)
    parts = np.exp(weights - weights.max())
    found: Values = parts / np.sum(parts)
    return found


def time_displace(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the expected distance (T,) at each step."""
    modes = prob_true_mode(ground_truth, pred, confidences, avails)
    distances = np.sqrt(_squares(ground_truth, pred, avails))
    found: Values = np.sum(modes[:, None] * distances, axis=0)
    return found


def _reduced(errors: Values, mode: str) -> Values:
    if mode == "oracle":
        return np.asarray(np.min(errors))[()]
    if mode == "mean":
        return np.asarray(np.mean(errors, axis=0))[()]
    raise ValueError(f"mode: {mode} not valid")


def _average_displacement_error(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values, mode: str
) -> Values:
    _assert_shapes(ground_truth, pred, confidences, avails)
    distances = _squares(ground_truth, pred, avails) ** 0.5
    return _reduced(np.mean(distances, axis=-1), mode)


def average_displacement_error_oracle(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the mean distance over time of the best mode."""
    return _average_displacement_error(ground_truth, pred, confidences, avails, "oracle")


def average_displacement_error_mean(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the mean distance over time and modes."""
    return _average_displacement_error(ground_truth, pred, confidences, avails, "mean")


def _final_displacement_error(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values, mode: str
) -> Values:
    _assert_shapes(ground_truth, pred, confidences, avails)
    return _reduced(_squares(ground_truth, pred, avails)[:, -1] ** 0.5, mode)


def final_displacement_error_oracle(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the distance at the last step of the best mode."""
    return _final_displacement_error(ground_truth, pred, confidences, avails, "oracle")


def final_displacement_error_mean(
    ground_truth: Values, pred: Values, confidences: Values, avails: Values
) -> Values:
    """Returns the mean distance at the last step over modes."""
    return _final_displacement_error(ground_truth, pred, confidences, avails, "mean")


class CollisionType(IntEnum):
    """The side of the ego vehicle that another agent touches."""

    FRONT = 0
    REAR = 1
    SIDE = 2


def detect_collision(
    pred_centroid: Values, pred_yaw: Values, pred_extent: Values, target_agents: Values
) -> tuple[CollisionType, Any] | None:
    """Returns the kind of the first collision with an agent, and its track; None if
    there is none. Needs shapely."""
    from ..planning import utils

    ego = utils._get_bounding_box(pred_centroid, pred_yaw, pred_extent)
    near = utils.within_range(
        pred_centroid, pred_extent, target_agents["centroid"], target_agents["extent"]
    )
    for agent in target_agents[near]:
        box = utils._get_bounding_box(agent["centroid"], agent["yaw"], agent["extent"])
        if ego.intersects(box):
            lengths = [box.intersection(side).length for side in utils._get_sides(ego)]
            side = min(int(np.argmax(lengths)), int(CollisionType.SIDE))
            return CollisionType(side), agent["track_id"]
    return None


def distance_to_reference_trajectory(pred_centroid: Any, ref_traj: Any) -> Any:
    """Returns the distance (B,) of positions (B, 2) to the nearest point of trajectories
    (B, T, 2); tensors."""
    import torch

    assert pred_centroid.dim() == 2
    assert ref_traj.dim() == 3
    distances = torch.linalg.norm(pred_centroid.unsqueeze(1) - ref_traj, ord=2, dim=-1)
    return torch.amin(distances, dim=1)
