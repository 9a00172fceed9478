"""Streams and saved rows as data sets of TensorFlow. Imports tensorflow, so it is imported
on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from .. import _checks

Batch = dict[str, npt.NDArray[Any]]
#: Returns the batches of an epoch.
Epoch = Callable[[int], Iterator[Batch]]
Fields = Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]


def _spec(dtype: np.dtype[Any], shape: tuple[int, ...], batch: int | None) -> Any:
    kind = tf.string if dtype.kind in "US" else tf.as_dtype(dtype)
    return tf.TensorSpec((batch, *shape), kind)


def _converted(batches: Iterator[Batch], fields: Fields) -> Iterator[Batch]:
    """Yields the batches with text as TensorFlow takes it: bytes in UTF-8."""
    texts = [name for name, (dtype, _) in fields.items() if dtype.kind == "U"]
    for batch in batches:
        found = {name: batch[name] for name in fields}
        for name in texts:
            found[name] = np.char.encode(found[name], "utf-8")
        yield found


def dataset_of(
    parts: Sequence[Epoch], fields: Fields, batch: int | None, prefetch: int, epoch: int
) -> Any:
    """Returns a data set of the batches of several parts in turns, of which each is read
    by a thread of its own. Every iteration is an epoch, beginning with `epoch`.

    Args:
        batch: items of every batch; None if a batch may have fewer.
        prefetch: batches that are read ahead.
    """
    prefetch = _checks.integer("tf: prefetch", prefetch)
    next_epoch, lock = [epoch], threading.Lock()

    def begin() -> Iterator[int]:
        with lock:
            number = next_epoch[0]
            next_epoch[0] += 1
        yield number

    def read(number: Any, part: Any) -> Iterator[Batch]:
        return _converted(parts[int(part)](int(number)), fields)

    signature = {name: _spec(*one, batch) for name, one in fields.items()}
    count = len(parts)

    def batches(number: Any) -> Any:
        def one(part: Any) -> Any:
            return tf.data.Dataset.from_generator(
                read, output_signature=signature, args=(number, part)
            )

        return tf.data.Dataset.range(count).interleave(
            one, cycle_length=count, num_parallel_calls=count, deterministic=True
        )

    epochs = tf.data.Dataset.from_generator(
        begin, output_signature=tf.TensorSpec((), tf.int64)
    )
    made = epochs.flat_map(batches)
    return made.prefetch(prefetch) if prefetch else made
