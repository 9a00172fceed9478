"""Mixtures of readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from .. import _checks, _core
from .._errors import InvalidArgument
from ..reader import Reader
from .joined import Joined, check_same_fields
from .stream import Batch


class Mix(Joined[_core.MixOrder]):
    """Batches of several readers, chosen at random by weight; see mix().

    Iteration yields batches alone; next_batch() also tells the reader of each.
    """

    def __init__(
        self, readers: Sequence[tuple[Reader, float]], seed: int, on_exhausted: str
    ) -> None:
        weights = [_checks.number("mix: weight", weight) for _, weight in readers]
        #: The numbers of the readers that are ever chosen.
        self._numbers = [i for i, weight in enumerate(weights) if weight > 0]
        if min(weights, default=0) < 0 or (weights and not self._numbers):
            raise InvalidArgument(f"mix: weights must be positive (found {weights})")
        _checks.text("mix: on_exhausted", on_exhausted)
        check_same_fields([reader for reader, _ in readers], "mix")
        weights = [weights[i] for i in self._numbers]
        self._options = json.dumps(
            {"weights": weights, "seed": seed, "on_exhausted": on_exhausted}
        )
        super().__init__([readers[i][0] for i in self._numbers], "mix")

    def _new_order(self) -> _core.MixOrder:
        return _core.MixOrder(self._options)

    def __iter__(self) -> Iterator[Batch]:
        while (found := self.next_batch()) is not None:
            yield found[1]

    def next_batch(self) -> tuple[int, Batch] | None:
        """Returns the number of a reader and its next batch; None at the end."""
        while (chosen := self._order.choice()) is not None:
            batch = self.readers[chosen].next_batch()
            if batch is not None:
                self._order.took()
                return self._numbers[chosen], batch
            self._order.exhausted()
        return None


def mix(
    readers: Iterable[tuple[Reader, float]], *, seed: int = 0, on_exhausted: str = "stop"
) -> Mix:
    """Returns batches of several readers with equal fields, each from a reader chosen at
    random.

    The choice is a function of seed and number of the batch. Do not use the readers
    elsewhere meanwhile.

    Args:
        readers: pairs of reader and weight. One of weight 0 is never chosen.
        seed: from 0 to 2^53; another one is another order.
        on_exhausted: at the end of a reader's epoch, "stop" the mixture, "renormalise"
            the other readers' weights until all are exhausted, or "restart" the reader
            with its next epoch, without end.
    """
    pairs: list[tuple[Reader, float]] = []
    for one in readers:
        try:
            reader, weight = one
        except (TypeError, ValueError):
            raise _checks.invalid(
                "mix: readers", one, "pairs of reader and weight"
            ) from None
        if not isinstance(reader, Reader):
            raise _checks.invalid("mix: readers", reader, "pairs of reader and weight")
        pairs.append((reader, weight))
    return Mix(pairs, _checks.integer("mix: seed", seed), on_exhausted)
