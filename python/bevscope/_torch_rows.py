"""Saved rows as a data set of PyTorch. Imports torch, so it is imported on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch.utils.data import IterableDataset, get_worker_info

from .torch import tensors_of

if TYPE_CHECKING:
    from ._loader import DataLoader


class RowsDataset(IterableDataset[dict[str, Any]]):  # type: ignore[misc]
    """Batches of tensors; see DataLoader.torch()."""

    def __init__(self, loader: DataLoader, batch: int, device: Any = None) -> None:
        super().__init__()
        self.loader, self.batch, self.device = loader, batch, device

    def __len__(self) -> int:
        return -(-len(self.loader) // self.batch)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        # DataLoader takes batch i from worker i modulo their number
        worker = get_worker_info()  # type: ignore[no-untyped-call]
        index, count = (worker.id, worker.num_workers) if worker else (0, 1)
        for i in range(index, len(self), count):
            begin = i * self.batch
            rows = self.loader.rows(begin, min(begin + self.batch, len(self.loader)))
            numbers = {
                name: values
                for name, values in rows.items()
                if values.dtype.kind in "biufc"
            }
            yield tensors_of(numbers, self.device)
