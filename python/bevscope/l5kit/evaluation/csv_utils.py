"""CSV files of ground truth and predictions.

Ground truth: timestamp, track_id, one availability per step, then x and y per step.
Predictions: timestamp, track_id, one confidence per mode, then x and y per step and mode.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

MAX_MODES = 3

Values = npt.NDArray[Any]


def _generate_coords_keys(future_len: int, mode_index: int = 0) -> list[str]:
    return [f"coord_{axis}{mode_index}{i}" for i in range(future_len) for axis in "xy"]


def _generate_avails_keys(future_len: int) -> list[str]:
    return [f"avail_{i}" for i in range(future_len)]


def _generate_confs_keys(max_modes: int = MAX_MODES) -> list[str]:
    return [f"conf_{i}" for i in range(max_modes)]


def _write(csv_path: str, header: Sequence[str], rows: Any) -> None:
    with open(csv_path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def _texts(coords: Values) -> list[str]:
    return [f"{value:.5f}" for value in coords.reshape(-1)]


def write_gt_csv(
    csv_path: str, timestamps: Values, track_ids: Values, coords: Values, avails: Values
) -> None:
    """Writes positions (n, steps, 2) and their availabilities (n, steps)."""
    assert coords.ndim == 3 and coords.shape[2] == 2, f"coords: {coords.shape}"
    count, steps, _ = coords.shape
    assert timestamps.shape == track_ids.shape == (count,)
    assert avails.shape == (count, steps)
    header = ["timestamp", "track_id", *_generate_avails_keys(steps)]
    rows = (
        [time, track, *avail, *_texts(coord)]
        for time, track, avail, coord in zip(timestamps, track_ids, avails, coords)
    )
    _write(csv_path, header + _generate_coords_keys(steps), rows)


def _read(csv_path: str) -> Iterator[list[str]]:
    with open(csv_path, newline="") as file:
        yield from csv.reader(file)


def read_gt_csv(csv_path: str) -> Iterator[dict[str, Any]]:
    """Yields track_id and timestamp (text), coord (steps, 2) and avail (steps,)."""
    rows = _read(csv_path)
    steps, rest = divmod(len(next(rows)) - 2, 3)
    assert rest == 0, f"{csv_path}: not a file of ground truth"
    for row in rows:
        values = np.array(row[2:], np.float64)
        yield {
            "track_id": row[1],
            "timestamp": row[0],
            "coord": values[steps:].reshape(steps, 2),
            "avail": values[:steps],
        }


def write_pred_csv(
    csv_path: str,
    timestamps: Values,
    track_ids: Values,
    coords: Values,
    confs: Values | None = None,
    max_modes: int = MAX_MODES,
) -> None:
    """Writes predictions (n, steps, 2), or (n, modes, steps, 2) with confidences
    (n, modes) that sum to 1."""
    assert coords.ndim in (3, 4), f"coords: {coords.shape}"
    if coords.ndim == 3:
        assert confs is None, "confs: only with several modes"
        coords, confs = coords[:, None], np.ones((len(coords), 1))
    count, modes, steps, axes = coords.shape
    assert axes == 2 and timestamps.shape == track_ids.shape == (count,)
    assert confs is not None and confs.shape == (count, modes)
    assert np.allclose(np.sum(confs, axis=-1), 1.0), "confs: must sum to 1"
    assert modes <= max_modes, f"modes: {modes}, at most {max_modes}"
    all_coords = np.zeros((count, max_modes, steps, 2), coords.dtype)
    all_confs = np.zeros((count, max_modes), confs.dtype)
    all_coords[:, :modes], all_confs[:, :modes] = coords, confs
    header = ["timestamp", "track_id", *_generate_confs_keys(max_modes)]
    for mode in range(max_modes):
        header += _generate_coords_keys(steps, mode)
    rows = (
        [time, track, *conf, *_texts(coord)]
        for time, track, conf, coord in zip(timestamps, track_ids, all_confs, all_coords)
    )
    _write(csv_path, header, rows)


def read_pred_csv(csv_path: str, max_modes: int = MAX_MODES) -> Iterator[dict[str, Any]]:
    """Yields track_id and timestamp (text), coords (modes, steps, 2) and conf (modes,)."""
    rows = _read(csv_path)
    steps, rest = divmod(len(next(rows)) - 2 - max_modes, 2 * max_modes)
    assert rest == 0, f"{csv_path}: not a file of {max_modes} predictions"
    for row in rows:
        values = np.array(row[2:], np.float64)
        yield {
            "track_id": row[1],
            "timestamp": row[0],
            "coords": values[max_modes:].reshape(max_modes, steps, 2),
            "conf": values[:max_modes],
        }
