"""Streams whose batches a function converts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidArgument
from ._stream import Batch, FieldType, Stream

#: Type of each output by name: a dtype, or a dtype and the shape of an item.
Outputs = Mapping[str, npt.DTypeLike | tuple[npt.DTypeLike, tuple[int, ...]]] | None


def _field_of(name: str, declared: Any) -> FieldType:
    try:
        if isinstance(declared, tuple):
            dtype, shape = declared
            return np.dtype(dtype), tuple(int(length) for length in shape)
        return np.dtype(declared), ()
    except (TypeError, ValueError):
        raise InvalidArgument(
            f'map: invalid output "{name}" (found {declared!r}, expected a dtype, or a '
            "dtype and a shape)"
        ) from None


def _checked(name: str, found: Any, expected: FieldType, items: int) -> npt.NDArray[Any]:
    if not isinstance(found, np.ndarray):
        raise InvalidArgument(
            f'map: output "{name}" is not an array (found {type(found).__name__})'
        )
    dtype, shape = expected
    if found.dtype != dtype:
        raise InvalidArgument(
            f'map: output "{name}": wrong dtype (found {found.dtype}, expected {dtype})'
        )
    if found.shape != (items, *shape):
        raise InvalidArgument(
            f'map: output "{name}": wrong shape (found {found.shape}, expected '
            f"{(items, *shape)})"
        )
    return found


class Mapped(Stream):
    """Batches that a function converts; see Reader.map()."""

    def __init__(
        self,
        source: Stream,
        function: Callable[[Batch], Mapping[str, Any]],
        outputs: Outputs = None,
    ) -> None:
        self.source = source
        self._function = function
        self._schema = (
            source.schema
            if outputs is None
            else {name: _field_of(name, one) for name, one in outputs.items()}
        )

    @property
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each output."""
        return dict(self._schema)

    def next_batch(self) -> Batch | None:
        """Returns the outputs of the next batch; None at the end.

        Raises InvalidArgument if the outputs are not the declared ones.
        """
        batch = self.source.next_batch()
        if batch is None:
            return None
        if isinstance(batch, tuple):  # of a mixture, with the reader
            batch = batch[1]
        items = len(next(iter(batch.values()), ()))
        found = self._function(batch)
        if not isinstance(found, Mapping) or found.keys() != self._schema.keys():
            names = list(found) if isinstance(found, Mapping) else type(found).__name__
            raise InvalidArgument(
                f"map: wrong outputs (found {names}, expected {list(self._schema)})"
            )
        return {
            name: _checked(name, found[name], field, items)
            for name, field in self._schema.items()
        }

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        return len(self.source)  # type: ignore[arg-type]

    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch."""
        self.source.reset(epoch)

    def state(self) -> str:
        """Returns the position of the source."""
        return self.source.state()

    def load_state(self, state: str) -> None:
        """Continues at the position of an equal source."""
        self.source.load_state(state)
