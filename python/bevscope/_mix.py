"""Mixtures of readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._errors import InvalidArgument
from .reader import Batch, Reader

_EXHAUSTED = ("stop", "renormalise", "restart")
_MASK = (1 << 64) - 1


def _hash(value: int) -> int:
    """Returns splitmix64's output for a state."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def _uniform(seed: int, step: int) -> float:
    """Returns a number in [0, 1), a function of its arguments alone."""
    return (_hash(_hash(seed & _MASK) ^ step) >> 11) * 2.0**-53


class Mix:
    """Batches of several readers, chosen at random by weight; see mix()."""

    def __init__(
        self, readers: Sequence[tuple[Reader, float]], seed: int, on_exhausted: str
    ) -> None:
        if on_exhausted not in _EXHAUSTED:
            raise InvalidArgument(
                f'mix: invalid on_exhausted (found "{on_exhausted}", expected '
                f"{', '.join(_EXHAUSTED)})"
            )
        if not readers:
            raise InvalidArgument("mix: no readers")
        self.readers = [reader for reader, _ in readers]
        self.weights = [float(weight) for _, weight in readers]
        if not all(0 < weight < float("inf") for weight in self.weights):
            raise InvalidArgument(f"mix: weights must be positive (found {self.weights})")
        first = self.readers[0].schema
        for i, reader in enumerate(self.readers):
            if reader.schema != first:
                raise InvalidArgument(
                    f"mix: schemas differ (found {reader.schema} of reader {i}, expected "
                    f"{first})"
                )
        self.seed, self.on_exhausted = seed, on_exhausted
        self._step = 0
        self._open = list(range(len(self.readers)))  # readers that are not exhausted

    @property
    def schema(self) -> dict[str, Any]:
        """The dtype and the shape of an item of each array of a batch."""
        return self.readers[0].schema

    def _choose(self) -> int:
        """Returns the reader of the next batch."""
        total = sum(self.weights[i] for i in self._open)
        rest = _uniform(self.seed, self._step) * total
        for i in self._open:
            rest -= self.weights[i]
            if rest < 0:
                return i
        return self._open[-1]  # after rounding

    def __iter__(self) -> Iterator[Batch]:
        while (found := self.next_batch()) is not None:
            yield found[1]

    def next_batch(self) -> tuple[int, Batch] | None:
        """Returns the number of a reader and its next batch; None at the end."""
        while self._open:
            chosen = self._choose()
            batch = self.readers[chosen].next_batch()
            if batch is None and self.on_exhausted == "restart":
                batch = self.readers[chosen].next_batch()
                if batch is None:
                    raise InvalidArgument(f"mix: reader {chosen} has no items")
            if batch is not None:
                self._step += 1
                return chosen, batch
            if self.on_exhausted == "stop":
                self._open = []
            else:
                self._open.remove(chosen)
        return None

    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch of all readers."""
        for reader in self.readers:
            reader.reset(epoch)
        self._step, self._open = 0, list(range(len(self.readers)))

    def state(self) -> str:
        """Returns the position after the last batch as JSON."""
        return json.dumps(
            {
                "version": 1,
                "weights": self.weights,
                "seed": self.seed,
                "on_exhausted": self.on_exhausted,
                "step": self._step,
                "open": self._open,
                "readers": [reader.state() for reader in self.readers],
            }
        )

    def load_state(self, state: str) -> None:
        """Continues at the position of an equal mixture.

        Raises InvalidArgument if the state belongs to another one.
        """
        found = _parsed(state)
        for name in ("weights", "seed", "on_exhausted"):
            if found.get(name) != getattr(self, name):
                raise InvalidArgument(
                    f"mix: state belongs to another mixture (found {name} "
                    f"{found.get(name)!r}, expected {getattr(self, name)!r})"
                )
        step: Any = found.get("step")
        opened, states = found.get("open"), found.get("readers")
        count = len(self.readers)
        if not (
            _is_count(step)
            and isinstance(opened, list)
            and all(_is_count(i) and i < count for i in opened)
            and len(set(opened)) == len(opened)
            and isinstance(states, list)
            and len(states) == count
            and all(isinstance(one, str) for one in states)
        ):
            raise InvalidArgument("mix: not a state of a mixture")
        for reader, one in zip(self.readers, states, strict=True):
            reader.load_state(one)
        self._step, self._open = step, sorted(opened)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _parsed(state: str) -> dict[str, Any]:
    try:
        found = json.loads(state)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("version") != 1:
        raise InvalidArgument("mix: not a state of a mixture")
    return found


def mix(
    readers: Iterable[tuple[Reader, float]], *, seed: int = 0, on_exhausted: str = "stop"
) -> Mix:
    """Returns batches of several readers with equal fields, each from a reader chosen at
    random.

    The choice is a function of seed and number of the batch. Do not use the readers
    elsewhere meanwhile.

    Args:
        readers: pairs of reader and weight.
        on_exhausted: at the end of a reader's epoch, "stop" the mixture, "renormalise"
            the other readers' weights until all are exhausted, or "restart" the reader
            with its next epoch, without end.
    """
    return Mix(list(readers), seed, on_exhausted)
