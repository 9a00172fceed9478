"""Streams and saved rows as data sets of PyTorch. Imports torch, so it is imported on
request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from torch.utils.data import IterableDataset, get_worker_info

from ..torch import tensors_of


def _part() -> tuple[int, int]:
    """Returns the index of DataLoader's worker and the number of workers. DataLoader takes
    batch i from worker i modulo their number: each passes on its part of one stream."""
    worker = get_worker_info()  # type: ignore[no-untyped-call]
    return (worker.id, worker.num_workers) if worker else (0, 1)


def ragged_tensors(batch: Mapping[str, Any], device: Any) -> dict[str, Any]:
    """Returns a batch as tensors. Fields of variable length are lists of tensors, or of
    what their items are; None is a null. Of fields of fixed shape that may be null,
    `name.valid` says which items are not. Strings of fixed length are left out."""
    numbers: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    for name, values in batch.items():
        if values.dtype.hasobject:
            lists[name] = [_tensor_of(item, device) for item in values.reshape(-1)]
        elif isinstance(values, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(values)  # type: ignore[no-untyped-call]
            item_axes = tuple(range(1, mask.ndim))
            numbers[name] = values.data
            numbers[f"{name}.valid"] = ~mask.any(axis=item_axes) if item_axes else ~mask
        elif values.dtype.kind != "U":
            numbers[name] = values
    return {**tensors_of(numbers, device), **lists}


def _tensor_of(item: Any, device: Any) -> Any:
    if not isinstance(item, np.ndarray):
        return item
    return tensors_of({"item": item}, device)["item"]


class ReaderDataset(IterableDataset[dict[str, Any]]):  # type: ignore[misc]
    """Batches of tensors; see Reader.torch()."""

    def __init__(self, reader: Any, device: Any = None) -> None:
        super().__init__()
        self.reader, self.device = reader, device

    def set_epoch(self, epoch: int) -> None:
        """Goes to the beginning of an epoch; workers that start later begin there."""
        self.reader.reset(epoch)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.reader._iterate(*_part()):
            yield ragged_tensors(batch, self.device)


class RowsDataset(IterableDataset[dict[str, Any]]):  # type: ignore[misc]
    """Batches of tensors; see DataLoader.torch()."""

    def __init__(self, loader: Any, batch: int, device: Any = None) -> None:
        super().__init__()
        self.loader, self.batch, self.device = loader, batch, device

    def __len__(self) -> int:
        return -(-len(self.loader) // self.batch)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        begin, step = _part()
        for i in range(begin, len(self), step):
            first = i * self.batch
            rows = self.loader.rows(first, min(first + self.batch, len(self.loader)))
            known = {n: one for n, one in rows.items() if one.dtype.kind in "biufcO"}
            yield ragged_tensors(known, self.device)
