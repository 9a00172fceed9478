"""The reader as a data set of PyTorch. Imports torch, so it is imported on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch.utils.data import IterableDataset, get_worker_info

from .torch import tensors_of

if TYPE_CHECKING:
    from ._stream import Stream


class ReaderDataset(IterableDataset[dict[str, Any]]):  # type: ignore[misc]
    """Batches of tensors; see Reader.torch()."""

    def __init__(self, reader: Stream, device: Any = None) -> None:
        super().__init__()
        self.reader = reader
        self.device = device

    def set_epoch(self, epoch: int) -> None:
        """Goes to the beginning of an epoch; workers that start later begin there."""
        self.reader.reset(epoch)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        # DataLoader takes batch i from worker i modulo their number, so that each worker
        # passes on its part of one stream.
        worker = get_worker_info()  # type: ignore[no-untyped-call]
        index, count = (worker.id, worker.num_workers) if worker else (0, 1)
        for i, batch in enumerate(self.reader):
            if i % count == index:
                numbers = {
                    name: values
                    for name, values in batch.items()
                    if values.dtype.kind != "U"
                }
                yield tensors_of(numbers, self.device)
