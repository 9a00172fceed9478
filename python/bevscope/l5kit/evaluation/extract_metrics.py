"""Metrics of CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .csv_utils import MAX_MODES, read_gt_csv, read_pred_csv
from .metrics import metric_signature


def validate_dicts(ground_truth: Mapping[str, Any], predicted: Mapping[str, Any]) -> bool:
    """Whether both have the same keys; prints the differences."""
    if len(ground_truth) != len(predicted):
        print(
            "Incorrect number of rows in inference csv. "
            f"Expected {len(ground_truth)}, Got {len(predicted)}"
        )
    for key in ground_truth.keys() - predicted.keys():
        print(f"Missing agents: {key}")
    for key in predicted.keys() - ground_truth.keys():
        print(f"Unknown agents: {key}")
    return ground_truth.keys() == predicted.keys()


def compute_metrics_csv(
    ground_truth_path: str,
    inference_output_path: str,
    metrics: Sequence[metric_signature],
    max_modes: int = MAX_MODES,
) -> dict[str, Any]:
    """Returns the mean of each metric over all agents, by its name."""
    assert len(metrics) > 0, "metrics: none"
    truth = {e["track_id"] + e["timestamp"]: e for e in read_gt_csv(ground_truth_path)}
    found = {
        e["track_id"] + e["timestamp"]: e
        for e in read_pred_csv(inference_output_path, max_modes)
    }
    if not validate_dicts(truth, found):
        raise ValueError("Error validating csv, see above for details.")
    values: dict[str, list[Any]] = {metric.__name__: [] for metric in metrics}
    for key, one in truth.items():
        other = found[key]
        for metric in metrics:
            values[metric.__name__].append(
                metric(one["coord"], other["coords"], other["conf"], one["avail"])
            )
    return {name: np.mean(each, axis=0) for name, each in values.items()}
