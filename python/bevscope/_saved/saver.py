"""Saving data sets of arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._data.handle import keep_in_forks
from .._errors import InvalidArgument
from .._sources.source import descr_of
from .._streams.ragged import joined, nullable_of
from .config import DataConfig, Rows, array_of


class DataSaver:
    """Saves batches of rows: a zarr group with an array per attribute, each object of
    which has at most `config.max_object_size` bytes.

    Rows become visible at `store` by `commit()`, all at once. As a context manager the
    saver commits at the end of the block. If the block raises, nothing is committed, and
    rows that were flushed are kept: continue with `resume=True`, or remove them with
    `discard_parts()`.

    Several processes may save to one store, each with a number of its own and
    `commit=False`; afterwards one calls `commit_parts()`. Rows are in the order of these
    numbers, then of batches.

    Args:
        config: the schema. A store that exists, and other savers, must have an equal one.
        store: path of a folder, of a .zip file if the name ends so, or `s3://bucket/key`.
        saver: number among several savers.
        mode: "create", "append" to the rows of an existing data set, or "replace" it.
        commit: whether the end of the block commits; otherwise it calls `finish()`.
        resume: continue with the rows that a killed saver has flushed; `batches` tells
            which batch is next. Otherwise such rows are an error.
        threads: that encode and write.
        queue_bytes: most bytes of rows that wait for them.
        upload: of a data set in S3: the end of the block, and `finish()`, upload this
            saver's rows, so that those of several machines are joined by
            `commit_parts(store, savers=n)`; `commit()` is then an error.
    """

    def __init__(
        self,
        config: DataConfig,
        store: str | os.PathLike[str],
        *,
        saver: int = 0,
        mode: str = "create",
        commit: bool = True,
        resume: bool = False,
        threads: int = 4,
        queue_bytes: int = 256 << 20,
        upload: bool = False,
    ) -> None:
        if not isinstance(config, DataConfig):
            raise _checks.invalid("saver: config", config, "a DataConfig")
        self.config, self.store = config, _checks.path("saver: store", store)
        saver = _checks.integer("saver", saver)
        mode = _checks.text("mode", mode)
        threads = _checks.integer("saver: threads", threads)
        queue_bytes = _checks.integer("saver: queue_bytes", queue_bytes)
        self._attributes, self._fields = config.attributes, config.fields
        upload = bool(upload)
        self._commits, self._pid = commit and not upload, os.getpid()
        self._core = _core.DataSaver(
            self.store, config.to_json(), saver, mode, threads, queue_bytes, upload
        )
        keep_in_forks(self)
        self._has_ended = False
        if self._core.rows and not resume:
            rows, batches = self._core.rows, self._core.batches
            del self._core  # unlocks the part
            raise InvalidArgument(
                f"{self.store}: saver {saver} was interrupted after {rows} rows in "
                f"{batches} batches (continue with resume=True, or remove them with "
                "discard_parts())"
            )

    def _own(self) -> _core.DataSaver:
        if self._pid != os.getpid():
            raise InvalidArgument(
                f"{self.store}: the saver belongs to another process; create one in each"
            )
        return self._core

    def __reduce__(self) -> Any:
        raise TypeError("a saver cannot be pickled; create one in each process")

    def save(self, batch: Mapping[str, Rows]) -> None:
        """Appends rows: an array or CPU tensor per attribute, with equal first axes.

        Contiguous arrays are not copied before they are encoded. Strings may be shorter
        than the attribute's. Attributes of variable length take a sequence of arrays, of
        str or of bytes, in which None is a null; those of fixed shape that may be null
        take a masked array, or a sequence. Raises before any row is saved if the batch
        does not match the config.
        """
        if not isinstance(batch, Mapping):
            raise _checks.invalid("save: batch", batch, "rows by attribute")
        arrays = []
        for name, rows in batch.items():
            _checks.text("save: attribute", name)
            for key, part in self._arrays_of(name, rows).items():
                array = self._widened(name, part)
                flat = np.ascontiguousarray(array).reshape(-1)
                shape = list(array.shape)
                arrays.append((key, _text_of(array.dtype), shape, flat.view(np.uint8)))
        self._own().save(arrays)

    def _arrays_of(self, name: str, rows: Rows) -> dict[str, npt.NDArray[Any]]:
        """Returns the rows of an attribute as the core takes them."""
        field = self._fields.get(name)
        if field is None:
            return {name: array_of(name, rows)}
        if field.kind:
            return joined(name, field, _sequence_of(name, rows))
        return nullable_of(name, field, rows)

    def _widened(self, name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns strings with the length of the attribute's, others as they are."""
        wanted = self._attributes[name].base if name in self._attributes else array.dtype
        shorter = array.dtype.itemsize < wanted.itemsize
        if array.dtype.kind in "US" and array.dtype.kind == wanted.kind and shorter:
            return array.astype(wanted)
        return array

    def attach(
        self, name: str, content: bytes | bytearray | memoryview | os.PathLike[str]
    ) -> None:
        """Copies bytes, or a file given by its path (`pathlib.Path`), into the data set
        as they are, in place of what this saver attached under that name before.

        Durable after flush(), visible after commit(); read by `DataLoader.attachment()`.
        The file is not changed. `name` is a file name without slashes that begins with no
        dot. At most 1 GiB.
        """
        _checks.text("attach: name", name)
        if isinstance(content, (bytes, bytearray, memoryview)):
            self._own().attach(name, bytes(content))
        else:
            self._own().attach_file(name, _checks.path("attach", content))

    def flush(self) -> None:
        """Makes the rows saved so far durable: a killed saver resumes after them."""
        self._own().flush()

    def finish(self) -> None:
        """Flushes and completes this saver's rows, for a later commit_parts()."""
        self._own().finish()
        self._has_ended = True

    def commit(self) -> None:
        """Finishes, and publishes the rows of all savers of the store."""
        self._own().commit()
        self._has_ended = True

    def abort(self) -> None:
        """Removes this saver's rows, also flushed ones."""
        self._own().abort()
        self._has_ended = True

    @property
    def rows(self) -> int:
        """The rows saved, with those resumed."""
        return self._own().rows

    @property
    def batches(self) -> int:
        """The batches saved, with those resumed."""
        return self._own().batches

    def __enter__(self) -> DataSaver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and not self._has_ended:
            self.commit() if self._commits else self.finish()
        if not self._has_ended and self._pid == os.getpid():
            del self._core  # unlocks the part, whose flushed rows stay
            self._has_ended = True


def _text_of(dtype: np.dtype[Any]) -> str:
    """Returns NumPy's code, or the fields of a record as JSON."""
    described = descr_of(dtype)
    return described if isinstance(described, str) else json.dumps(described)


def _sequence_of(name: str, rows: Rows) -> Sequence[Any]:
    if isinstance(rows, (str, bytes)) or not hasattr(rows, "__len__"):
        raise InvalidArgument(f"{name}: not a sequence (found {type(rows).__name__})")
    return list(rows)


def commit_parts(store: str | os.PathLike[str], *, savers: int | None = None) -> int:
    """Joins what savers have collected for a store, in the order of their numbers, and
    publishes the data set. Returns its number of rows. If the process is killed, repeat
    the call.

    Args:
        savers: of a data set in S3 whose savers have uploaded their rows (`upload=True`):
            how many there must be. May be called on any machine with enough disk space.
    """
    if savers is not None:
        savers = _checks.integer("commit: savers", savers, 1)
    return _core.commit_parts(_checks.path("store", store), savers)


def discard_parts(store: str | os.PathLike[str]) -> bool:
    """Removes what savers have collected and not committed. Returns whether there was
    anything."""
    return _core.discard_parts(_checks.path("store", store))


@dataclass(frozen=True)
class SavedDataset:
    """A data set written by savers.

    Attributes:
        path: of the store.
        config: its schema.
        rows: of each attribute.
        objects: files or members, with metadata.
        bytes: of these, as stored.
        has_parts: whether rows were saved that are not committed.
    """

    path: str
    config: DataConfig
    rows: int
    objects: int
    bytes: int
    has_parts: bool


def list_datasets(path: str | os.PathLike[str]) -> list[SavedDataset]:
    """Returns the data set at a path, or those directly below a folder, sorted by path."""
    return [
        SavedDataset(found, DataConfig.from_json(config), rows, objects, size, parts)
        for found, config, rows, objects, size, parts in _core.list_datasets(
            _checks.path("path", path)
        )
    ]
