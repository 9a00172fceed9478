"""Streams and saved rows as data sets of PyTorch. Imports torch, so it is imported on
request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info

from ..torch import tensors_of


def _part() -> tuple[int, int]:
    """Returns the index of DataLoader's worker and the number of workers. DataLoader takes
    batch i from worker i modulo their number: each passes on its part of one stream."""
    worker = get_worker_info()  # type: ignore[no-untyped-call]
    return (worker.id, worker.num_workers) if worker else (0, 1)


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
            numbers = {n: values for n, values in batch.items() if values.dtype.kind != "U"}
            yield tensors_of(numbers, self.device)


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
            numbers = {n: one for n, one in rows.items() if one.dtype.kind in "biufc"}
            yield tensors_of(numbers, self.device)
