"""What readers, mixtures and transforms of them have in common, and the transforms."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import arrow
from .._errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    from .torch_batches import ReaderDataset

Batch = dict[str, npt.NDArray[Any]]
#: A field's dtype and the shape of a row.
FieldType = tuple[np.dtype[Any], tuple[int, ...]]
#: Type of each output by name: a dtype, or a dtype and the shape of an item.
Outputs = Mapping[str, npt.DTypeLike | tuple[npt.DTypeLike, tuple[int, ...]]] | None


class Stream(ABC):
    """Batches of rows, an epoch after another, with a position."""

    @property
    @abstractmethod
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each array of a batch."""

    @abstractmethod
    def next_batch(self) -> Any:
        """Returns the next batch; None at the end."""

    @abstractmethod
    def reset(self, epoch: int = 0) -> None:
        """Goes to the beginning of an epoch."""

    @abstractmethod
    def state(self) -> str:
        """Returns the position after the last batch as JSON."""

    @abstractmethod
    def load_state(self, state: str) -> None:
        """Continues at the position of an equal stream."""

    def __iter__(self) -> Iterator[Batch]:
        while (batch := self.next_batch()) is not None:
            yield batch

    def _iterate(self, part: int, parts: int) -> Iterator[Any]:
        """Yields each `parts`-th batch from number `part` on."""
        return itertools.islice(self, part, None, parts)

    def map(
        self, function: Callable[[Batch], Mapping[str, Any]], outputs: Outputs = None
    ) -> Mapped:
        """Returns the batches as `function` converts them, checked.

        State and position are those of this stream. If `function` raises, its batch has
        been read.

        Args:
            function: takes a batch and returns arrays by name, with one row per item.
            outputs: dtype, or dtype and shape of an item, of each array by name; None if
                they are those of this stream.
        """
        return Mapped(self, function, outputs)

    def torch(self, device: Any = None) -> ReaderDataset:
        """Returns a `torch.utils.data.IterableDataset` of batches of tensors, for
        `DataLoader(dataset, batch_size=None)`. The stream is the same for any number of
        workers."""
        from .torch_batches import ReaderDataset

        return ReaderDataset(self, device)

    def tf(self, *, prefetch: int = 2) -> Any:
        """Returns a `tf.data.Dataset` of batches, of which `prefetch` are read ahead;
        every iteration is an epoch, from its beginning."""
        from .tf_batches import dataset_of

        refuse_ragged("tf", self.schema)

        def read(epoch: int) -> Iterator[Batch]:
            self.reset(epoch)
            return _without_nulls("tf", self)

        return dataset_of([read], self.schema, None, prefetch, self._first_epoch(), {})

    def _first_epoch(self) -> int:
        return int(getattr(self, "epoch", 0))

    def __arrow_c_schema__(self) -> object:
        refuse_ragged("Arrow", self.schema)
        return arrow.schema_of_fields(self.schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the rest of the epoch as an Arrow stream, a record batch per batch."""
        refuse_ragged("Arrow", self.schema)
        return arrow.stream_of_batches(self.schema, _without_nulls("Arrow", self))


def refuse_ragged(thing: str, schema: Mapping[str, FieldType]) -> None:
    """Raises Unsupported for fields of variable length, which only readers themselves
    convert."""
    for name, (dtype, _) in schema.items():
        if dtype.hasobject:
            raise Unsupported(f"{thing}: fields of variable length are not there ({name})")


def _without_nulls(thing: str, batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yields batches. Raises Unsupported for fields that may be null, which only readers
    themselves convert."""
    for batch in batches:
        for name, values in batch.items():
            if isinstance(values, np.ma.MaskedArray):
                raise Unsupported(
                    f"{thing}: fields that may be null are not there ({name})"
                )
        yield batch


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

    __module__ = "bevscope._map"  # as pickles name it

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
        return None if batch is None else self._mapped(batch)

    def _iterate(self, part: int, parts: int) -> Iterator[Batch]:
        return map(self._mapped, self.source._iterate(part, parts))

    def _mapped(self, batch: Any) -> Batch:
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
