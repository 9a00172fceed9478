"""Arrays and groups in directories, as L5Kit's scripts use those of zarr."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._data import group
from ..._data.attributes import Attributes
from ..._data.writable import WritableArray

__all__ = ["Attributes", "Group", "WritableArray"]


class Group(group.Group):
    """A zarr group in a directory: what scripts use of `ChunkedDataset.root`."""

    def require_dataset(
        self, name: str, shape: Any, dtype: Any, chunks: Any = None, **_: Any
    ) -> WritableArray:
        """Returns an array. If it does not exist, it is created, and all of its chunks are
        written, as zeros: readers of L5Kit's arrays require every chunk."""
        if name in self:
            return self[name]
        array = super().create_dataset(name, shape=shape, dtype=dtype, chunks=chunks)
        step = array.chunks[0] if array.chunks else 1
        for begin in range(0, len(array), step):
            array[begin : begin + step] = np.zeros((), array.dtype)
        return array

    create_dataset = require_dataset
