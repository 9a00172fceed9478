"""Mixtures of readers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import _core
from ._errors import InvalidArgument
from ._stream import Batch, FieldType, Stream
from .reader import Reader


def check_same_fields(readers: Sequence[Reader], thing: str) -> None:
    """Raises InvalidArgument with both schemas if the readers' fields differ."""
    first = readers[0].schema
    for i, reader in enumerate(readers):
        if reader.schema != first:
            raise InvalidArgument(
                f"{thing}: schemas differ (found {reader.schema} of reader {i}, expected "
                f"{first})"
            )


def restore_all(readers: Sequence[Reader], states: Sequence[str]) -> None:
    """Restores all readers, or after an error none."""
    before = [reader.position for reader in readers]
    try:
        for reader, state in zip(readers, states, strict=True):
            reader.load_state(state)
    except BaseException:
        for reader, position in zip(readers, before, strict=True):
            reader._go(*position)
        raise


class Mix(Stream):
    """Batches of several readers, chosen at random by weight; see mix()."""

    def __init__(
        self, readers: Sequence[tuple[Reader, float]], seed: int, on_exhausted: str
    ) -> None:
        self.readers = [reader for reader, _ in readers]
        weights = [float(weight) for _, weight in readers]
        if not all(map(math.isfinite, weights)):  # as JSON has no names for these
            raise InvalidArgument(f"mix: weights must be positive (found {weights})")
        self._options = json.dumps(
            {"weights": weights, "seed": seed, "on_exhausted": on_exhausted}
        )
        self._order = _core.MixOrder(self._options)
        check_same_fields(self.readers, "mix")

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_order"] = self._order.state([""] * len(self.readers))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._order = _core.MixOrder(self._options)
        self._order.restore(state["_order"])

    @property
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each array of a batch."""
        return self.readers[0].schema

    def __iter__(self) -> Iterator[Batch]:
        while (found := self.next_batch()) is not None:
            yield found[1]

    def next_batch(self) -> tuple[int, Batch] | None:
        """Returns the number of a reader and its next batch; None at the end."""
        while (chosen := self._order.choice()) is not None:
            batch = self.readers[chosen].next_batch()
            if batch is not None:
                self._order.took()
                return chosen, batch
            self._order.exhausted()
        return None

    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch of all readers."""
        for reader in self.readers:
            reader.reset(epoch)
        self._order.reset()

    def state(self) -> str:
        """Returns the position after the last batch as JSON."""
        return self._order.state([reader.state() for reader in self.readers])

    def load_state(self, state: str) -> None:
        """Continues at the position of an equal mixture.

        Raises InvalidArgument if the state belongs to another one; the position is then
        the one before.
        """
        restore_all(self.readers, self._order.reader_states(state))
        self._order.restore(state)


def mix(
    readers: Iterable[tuple[Reader, float]], *, seed: int = 0, on_exhausted: str = "stop"
) -> Mix:
    """Returns batches of several readers with equal fields, each from a reader chosen at
    random.

    The choice is a function of seed and number of the batch. Do not use the readers
    elsewhere meanwhile.

    Args:
        readers: pairs of reader and weight.
        seed: from 0 to 2^53; another one is another order.
        on_exhausted: at the end of a reader's epoch, "stop" the mixture, "renormalise"
            the other readers' weights until all are exhausted, or "restart" the reader
            with its next epoch, without end.
    """
    return Mix(list(readers), seed, on_exhausted)
