"""Readers that are read one after another."""

from __future__ import annotations

from collections.abc import Iterable

from .. import _core
from ..reader import Reader
from .joined import Joined
from .stream import Batch


class Concat(Joined[_core.ConcatOrder]):
    """Batches of several readers, one after another; see concat_readers()."""

    def __init__(self, readers: Iterable[Reader]) -> None:
        super().__init__(list(readers), "concat")

    def _new_order(self) -> _core.ConcatOrder:
        return _core.ConcatOrder(len(self.readers))

    def next_batch(self) -> Batch | None:
        """Returns the next batch; None after the last one of the last reader. The batch
        after that is the first one of the next epoch."""
        while (chosen := self._order.choice()) is not None:
            batch = self.readers[chosen].next_batch()
            if batch is not None:
                return batch
            self._order.exhausted()
        self._order.reset()
        return None

    def count(self) -> int:
        """Returns the number of items of an epoch; reads what the filters need, once."""
        return sum(reader.count() for reader in self.readers)

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        return sum(len(reader) for reader in self.readers)


def concat_readers(readers: Iterable[Reader]) -> Concat:
    """Returns the batches of several readers with equal fields, one after another, such as
    the readers of several data sets.

    Raises InvalidArgument with both schemas if fields differ. Do not use the readers
    elsewhere meanwhile.
    """
    return Concat(readers)
