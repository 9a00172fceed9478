"""Readers that are read one after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _core
from ._mix import check_same_fields, restore_all
from ._stream import Batch, FieldType, Stream
from .reader import Reader


class Concat(Stream):
    """Batches of several readers, one after another; see concat_readers()."""

    def __init__(self, readers: Iterable[Reader]) -> None:
        self.readers = list(readers)
        self._order = _core.ConcatOrder(len(self.readers))
        check_same_fields(self.readers, "concat")

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_order"] = self._order.state([""] * len(self.readers))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._order = _core.ConcatOrder(len(self.readers))
        self._order.restore(state["_order"])

    @property
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each array of a batch."""
        return self.readers[0].schema

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

    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch of all readers."""
        for reader in self.readers:
            reader.reset(epoch)
        self._order.reset()

    def state(self) -> str:
        """Returns the position after the last batch as JSON."""
        return self._order.state([reader.state() for reader in self.readers])

    def load_state(self, state: str) -> None:
        """Continues at the position of readers of the same data and plans.

        Raises InvalidArgument if the state belongs to others; the position is then the
        one before.
        """
        restore_all(self.readers, self._order.reader_states(state))
        self._order.restore(state)


def concat_readers(readers: Iterable[Reader]) -> Concat:
    """Returns the batches of several readers with equal fields, one after another, such as
    the readers of several data sets.

    Raises InvalidArgument with both schemas if fields differ. Do not use the readers
    elsewhere meanwhile.
    """
    return Concat(readers)
