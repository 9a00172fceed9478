"""Comparison with the reference's outputs."""

import numpy as np


def read(path):
    """Returns the items of a file: {index: {key: array}}."""
    items = {}
    with np.load(path) as file:
        for name in file.files:
            index, _, key = name.partition(".")
            if key and index.isdigit():
                items.setdefault(int(index), {})[key] = file[name]
    return items


def close(found, expected, key, limit=None):
    """Asserts equality: exact for integers, near for floating point."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, (key, found.shape, expected.shape)
    if expected.dtype.kind != "f":
        assert np.array_equal(found, expected), key
        return
    assert found.dtype == expected.dtype, (key, found.dtype, expected.dtype)
    if limit is None:
        single = 1e-4 if "velocit" in key or "speed" in key else 1e-5
        limit = 1e-9 if expected.dtype == np.float64 else single
    off = np.abs(found - expected) / np.maximum(1, np.abs(expected))
    assert (off <= limit).all(), (key, off.max())
