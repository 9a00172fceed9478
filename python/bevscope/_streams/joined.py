"""Several readers as one stream."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from .. import _core
from .._errors import InvalidArgument
from ..reader import Reader
from .stream import FieldType, Stream

Order = TypeVar("Order", _core.MixOrder, _core.ConcatOrder)


class Joined(Stream, Generic[Order]):
    """Batches of several readers with equal fields: Mix or Concat."""

    def __init__(self, readers: Sequence[Reader], thing: str) -> None:
        self.readers = list(readers)
        self._order: Order = self._new_order()
        check_same_fields(self.readers, thing)

    @abstractmethod
    def _new_order(self) -> Order:
        """Returns the readers' order, at the beginning."""

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_order"] = self._order.state([""] * len(self.readers))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._order = self._new_order()
        self._order.restore(state["_order"])

    @property
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each array of a batch."""
        return self.readers[0].schema

    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch of all readers."""
        for reader in self.readers:
            reader.reset(epoch)
        self._order.reset()

    def state(self) -> str:
        """Returns the position after the last batch as JSON."""
        return self._order.state([reader.state() for reader in self.readers])

    def load_state(self, state: str) -> None:
        """Continues at the position of readers of the same data, plans and rule.

        Raises InvalidArgument if the state belongs to others; the position is then the
        one before.
        """
        _restore_all(self.readers, self._order.reader_states(state))
        self._order.restore(state)


def check_same_fields(readers: Sequence[Reader], thing: str) -> None:
    """Raises InvalidArgument with both schemas if the readers' fields differ."""
    first = readers[0].schema if readers else None
    for i, reader in enumerate(readers):
        if reader.schema != first:
            raise InvalidArgument(
                f"{thing}: schemas differ (found {reader.schema} of reader {i}, expected "
                f"{first})"
            )


def _restore_all(readers: Sequence[Reader], states: Sequence[str]) -> None:
    """Restores all readers, or after an error none."""
    before = [reader.position for reader in readers]
    try:
        for reader, state in zip(readers, states, strict=True):
            reader.load_state(state)
    except BaseException:
        for reader, position in zip(readers, before, strict=True):
            reader._go(*position)
        raise
