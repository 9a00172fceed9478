"""Batches of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

#: Keys of scalars that are plain Python numbers in L5Kit's samples.
_PYTHON_NUMBERS = {"scene_index": int, "frame_index": int, "type": int, "yaw": float}


def with_numbers(sample: dict[str, Any]) -> dict[str, Any]:
    """Replaces NumPy's scalars by the numbers that L5Kit's samples have."""
    for key, number in _PYTHON_NUMBERS.items():
        if key in sample and np.ndim(sample[key]) == 0:
            sample[key] = number(sample[key])
    return sample


class Batch(Sequence["dict[str, Any]"]):
    """Samples that share memory: a sequence of dicts, as PyTorch's default collate
    function takes them, and `arrays`, the same stacked: (n, ...) by key."""

    def __init__(self, arrays: dict[str, Any], count: int) -> None:
        self.arrays = arrays
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(f"batch: item {index} is out of range ({self._count})")
        return with_numbers({key: array[index] for key, array in self.arrays.items()})
