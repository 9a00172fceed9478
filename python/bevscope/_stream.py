"""What readers, mixtures and transforms of them have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._map import Mapped, Outputs
    from ._torch_reader import ReaderDataset

Batch = dict[str, npt.NDArray[Any]]
#: A field's dtype and the shape of a row.
FieldType = tuple[np.dtype[Any], tuple[int, ...]]


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
        from ._map import Mapped

        return Mapped(self, function, outputs)

    def torch(self, device: Any = None) -> ReaderDataset:
        """Returns a `torch.utils.data.IterableDataset` of batches of tensors, for
        `DataLoader(dataset, batch_size=None)`. The stream is the same for any number of
        workers."""
        from ._torch_reader import ReaderDataset

        return ReaderDataset(self, device)

    def tf(self) -> Any:
        """Returns a `tf.data.Dataset` of batches; every iteration is an epoch."""
        import tensorflow as tf

        def spec(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
            kind = tf.string if dtype.kind == "U" else tf.as_dtype(dtype)
            return tf.TensorSpec((None, *shape), kind)

        signature = {name: spec(*one) for name, one in self.schema.items()}
        return tf.data.Dataset.from_generator(
            lambda: iter(self), output_signature=signature
        )

    def __arrow_c_schema__(self) -> object:
        from .arrow import schema_of_fields

        return schema_of_fields(self.schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the rest of the epoch as an Arrow stream, a record batch per batch."""
        from .arrow import stream_of_batches

        return stream_of_batches(self.schema, iter(self))
