"""Comparison of samples, and times."""

import sys
import time

import numpy as np


def seconds_of(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def tolerance(key, values):
    if values.dtype.kind != "f":
        return 0
    if "lane" in key or "crosswalk" in key:
        return 1e-5
    loose = "velocit" in key or "speed" in key
    return 1e-9 if values.dtype == np.float64 else 1e-4 if loose else 1e-5


def check_value(where, key, got, expected):
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        sys.exit(f"{where}/{key}: {got.dtype}{got.shape}, not {expected.dtype}")
    if key == "image":
        off = np.count_nonzero(got != expected)
        worst = np.max(np.abs(got - expected)) * 255
        if off > expected.size / 100_000 or worst > 10.5:
            sys.exit(f"{where}: {off} pixels differ, by up to {worst}")
        return
    wide = expected.astype(np.float64)
    off = np.abs(got.astype(np.float64) - wide) / np.maximum(1, np.abs(wide))
    if off.size and not np.max(off) <= tolerance(key, expected):
        sys.exit(f"{where}/{key}: off by {np.max(off)}")


def has_sample(dataset, item):
    """L5Kit refuses crops near the border of the aerial image."""
    try:
        return bool(dataset[int(item)])
    except IndexError:
        return False


def spread_items(dataset, count):
    items = np.unique(np.linspace(0, len(dataset) - 1, count).astype(int))
    return [int(item) for item in items if has_sample(dataset, item)]
