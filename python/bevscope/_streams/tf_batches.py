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
from .._errors import Unsupported
from .ragged import Ragged

Batch = dict[str, npt.NDArray[Any]]
#: Returns the batches of an epoch.
Epoch = Callable[[int], Iterator[Batch]]
Fields = Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]
Varying = Mapping[str, Ragged]


def _spec(dtype: np.dtype[Any], shape: tuple[int, ...], batch: int | None) -> Any:
    kind = tf.string if dtype.kind in "US" else tf.as_dtype(dtype)
    return tf.TensorSpec((batch, *shape), kind)


def _varying_specs(name: str, field: Ragged, batch: int | None) -> dict[str, Any]:
    """Returns the types of a field that varies, or may be null."""
    valid = {f"{name}.valid": tf.TensorSpec((batch,), tf.bool)} if field.nullable else {}
    if field.kind in ("text", "bytes", "image"):
        return {name: tf.TensorSpec((batch,), tf.string), **valid}
    if field.dtype is None or field.kind == "npy":
        raise Unsupported(
            f"tf: arrays whose type or shape varies are not there (found {name}; leave "
            "it out of fields)"
        )
    if not field.kind:
        shape = tuple(length or 0 for length in field.shape)
        return {name: _spec(field.dtype, shape, batch), **valid}
    varying: tuple[int | None, ...] = (batch, None, *field.shape[1:])
    return {
        name: tf.RaggedTensorSpec(varying, tf.as_dtype(field.dtype), 1, tf.int64),
        **valid,
    }


def _varying(name: str, field: Ragged, rows: Any) -> dict[str, Any]:
    """Returns the items of a field as tensors; nulls as empty items or zeros."""
    if not field.kind:
        mask = np.ma.getmaskarray(rows)  # type: ignore[no-untyped-call]
        valid = ~mask.any(axis=tuple(range(1, mask.ndim)))
        made: Any = rows.data
    else:
        valid = np.array([row is not None for row in rows], bool)
        if field.kind == "array":
            inner = tuple(length or 0 for length in field.shape[1:])
            given = [row for row in rows if row is not None]
            values = np.concatenate([np.empty((0, *inner), field.dtype), *given])
            lengths = [0 if row is None else len(row) for row in rows]
            made = tf.RaggedTensor.from_row_lengths(values, np.array(lengths, np.int64))
        else:
            made = np.empty(len(rows), object)
            made[:] = [row.encode() if isinstance(row, str) else row or b"" for row in rows]
    return {name: made, f"{name}.valid": valid} if field.nullable else {name: made}


def _converted(
    batches: Iterator[Batch], fields: Fields, varying: Varying
) -> Iterator[dict[str, Any]]:
    """Yields the batches with text as TensorFlow takes it: bytes in UTF-8."""
    texts = [name for name, (dtype, _) in fields.items() if dtype.kind == "U"]
    for batch in batches:
        found: dict[str, Any] = {name: batch[name] for name in fields}
        for name in texts:
            found[name] = np.char.encode(found[name], "utf-8")
        for name, field in varying.items():
            found.update(_varying(name, field, batch[name]))
        yield found


def dataset_of(
    parts: Sequence[Epoch],
    fields: Fields,
    batch: int | None,
    prefetch: int,
    epoch: int,
    varying: Varying,
) -> Any:
    """Returns a data set of the batches of several parts in turns, of which each is read
    by a thread of its own. Every iteration is an epoch, beginning with `epoch`.

    Args:
        fields: those of a fixed shape, that are never null.
        batch: items of every batch; None if a batch may have fewer.
        prefetch: batches that are read ahead.
        varying: the other fields.
    """
    prefetch = _checks.integer("tf: prefetch", prefetch)
    next_epoch, lock = [epoch], threading.Lock()

    def begin() -> Iterator[int]:
        with lock:
            number = next_epoch[0]
            next_epoch[0] += 1
        yield number

    def read(number: Any, part: Any) -> Iterator[dict[str, Any]]:
        return _converted(parts[int(part)](int(number)), fields, varying)

    signature = {name: _spec(*one, batch) for name, one in fields.items()}
    for name, field in varying.items():
        signature.update(_varying_specs(name, field, batch))
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
