"""Arrays of a data set, read when they are indexed."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _checks, arrow
from .._errors import InvalidArgument, NotFound, OutOfRange
from .handle import Handle

Rows = npt.NDArray[Any]


def dtype_of(descr: Any) -> np.dtype[Any]:
    """Returns the NumPy dtype of a description in array metadata."""
    if isinstance(descr, str):
        return np.dtype(descr)
    return np.dtype([(f[0], dtype_of(f[1]), *_shape_of(f[2:])) for f in descr])


def _shape_of(rest: list[Any]) -> list[tuple[int, ...]]:
    if not rest:
        return []
    return [tuple(rest[0]) if isinstance(rest[0], list) else (int(rest[0]),)]


def rows_of(key: Any, count: int, name: str) -> npt.NDArray[np.int64]:
    """Returns the rows that a mask or a list of indices selects. Indices may be
    negative or out of range."""
    try:
        wanted = np.asarray(key)
    except ValueError:  # lists of different lengths
        raise IndexError(f"{name}: unsupported index {key!r}") from None
    if wanted.dtype == np.bool_:
        if wanted.shape != (count,):
            raise OutOfRange(
                f"{name}: wrong mask (found {wanted.shape}, expected {(count,)})"
            )
        return np.nonzero(wanted)[0].astype(np.int64, copy=False)
    if wanted.size == 0:
        return np.empty(0, np.int64)
    if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
        raise IndexError(f"{name}: unsupported index {key!r}")
    if wanted.max() > np.iinfo(np.int64).max:
        raise OutOfRange(f"{name}: index {wanted.max()} is out of range (count {count})")
    return wanted.astype(np.int64)


class Array:
    """An array of a data set: indexing reads and returns NumPy arrays, as in zarr 2.

    `array[7]`, `array[10:20]`, `array[mask]`, `array[[3, 1, 3]]` select rows;
    `array["centroid"]` reads one field of all rows and `array["centroid", 10:20]` of
    some, without decoding the others.
    """

    def __init__(self, handle: Handle, path: str, described: dict[str, Any]) -> None:
        self._handle = handle
        self.path = path
        self.shape: tuple[int, ...] = tuple(described["shape"])
        chunks = described["chunks"]
        self.chunks = tuple(chunks) if isinstance(chunks, list) else None
        self.dtype = dtype_of(described["dtype"])

    @property
    def name(self) -> str:
        return "/" + self.path

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"{self.path}: len() of an array without axes")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<bevscope.Array {self.name} {self.shape} {self.dtype}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Rows:
        rows = self[:] if self.shape else self[()]
        return rows if dtype is None else rows.astype(dtype, copy=False)

    def __iter__(self) -> Iterator[Any]:
        for block in self.blocks():
            yield from block

    def blocks(self, rows: int | None = None) -> Iterator[Rows]:
        """Yields all rows in order, at most `rows` (a chunk's) at a time."""
        step = self.chunks[0] if self.chunks else 10_000
        if rows is not None:
            step = _checks.integer(f"{self.path}: rows", rows, 1)
        for begin in range(0, len(self), step):
            yield self[begin : begin + step]

    def mapped(self, rows: slice = slice(None)) -> Rows:
        """Returns rows as a read-only view of the file that holds them, which is mapped
        into memory: nothing is copied, and only what is accessed is read.

        For data sets in folders of this machine whose chunks are stored as they are:
        without compressor, filters and shards. The file is checked in each call, not when
        the view is used; see docs/python.md.

        Args:
            rows: in one chunk; see mapped_chunks().

        Raises InvalidArgument for rows of several chunks, Unsupported for other stores and
        arrays, NotFound for a chunk that is not stored, ReadError if the file has another
        length, or is another one than was read before.
        """
        if not isinstance(rows, slice):
            raise _checks.invalid(f"{self.path}: rows", rows, "a slice")
        if not self.shape or self.chunks is None:
            raise InvalidArgument(f"{self.path}: rows of an array without axes")
        wanted = range(*_checks.bounds(self.path, rows).indices(len(self)))
        size = self.chunks[0]
        first = min(wanted[0], wanted[-1]) // size if wanted else 0
        last = max(wanted[0], wanted[-1]) // size if wanted else 0
        if first != last:
            raise InvalidArgument(
                f"{self.path}: rows {min(wanted)} to {max(wanted)} are in "
                f"{last - first + 1} chunks of {size} (expected one; mapped_chunks() "
                "yields them one by one)"
            )
        if not len(self):
            return np.empty((0, *self.shape[1:]), self.dtype)
        found = self._mapped_chunk(first)
        base = first * size
        stop = wanted.stop - base
        return found[wanted.start - base : stop if stop >= 0 else None : wanted.step]

    def mapped_chunks(self) -> Iterator[Rows]:
        """Yields the rows of each chunk in order, as mapped() returns them."""
        for chunk in range(-(-len(self) // self.chunks[0]) if self.chunks else 0):
            yield self._mapped_chunk(chunk)

    def _mapped_chunk(self, chunk: int) -> Rows:
        found = self._handle.call(lambda core: core.map_chunk(self.path, chunk))
        return found.view(self.dtype).reshape(-1, *self.shape[1:])

    def columns(
        self, fields: Iterable[str] = (), rows: slice = slice(None)
    ) -> dict[str, Rows]:
        """Returns the fields of rows as arrays of shape (n, ...), from one read; all fields
        if none is named. Strings come as structured rows do."""
        names = _checks.names(f"{self.path}: fields", fields)
        names = names or list(self.dtype.names or ("",))
        if not isinstance(rows, slice):
            raise _checks.invalid(f"{self.path}: rows", rows, "a slice")
        plain = [n for n in names if self._is_plain(n)]
        which = self._range(rows)
        found: dict[str, Rows] = {}
        if plain:
            found = self._handle.call(lambda core: core.columns(self.path, plain, *which))
        return {n: found[n] if n in found else self[n, rows] for n in names}

    def _is_plain(self, name: str) -> bool:
        """Tells whether the core returns a field as an array of NumPy's numbers."""
        if not name:
            kind = self.dtype
        elif self.dtype.names is None or name not in self.dtype.names:
            raise NotFound(f'{self.path}: unknown field "{name}"', key=self.path)
        else:
            kind = self.dtype[name].base
        return kind.kind in "biuf" and kind != np.float16 and kind.byteorder != ">"

    def _fields(self) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
        """Returns the dtype and the shape of a row of each column of a table."""
        if not self.shape:
            raise InvalidArgument(f"{self.path}: an array without axes is no table")
        if self.dtype.names is None:
            return {self.path.rpartition("/")[2]: (self.dtype, self.shape[1:])}
        return {n: (self.dtype[n].base, self.dtype[n].shape) for n in self.dtype.names}

    def _tables(self) -> Iterator[dict[str, Rows]]:
        """Yields the columns of all rows, a chunk at a time."""
        if self.dtype.names is None:
            (name,) = self._fields()
            yield from ({name: rows} for rows in self.blocks())
            return
        step = self.chunks[0] if self.chunks else 10_000
        for begin in range(0, len(self), step):
            yield self.columns((), slice(begin, begin + step))

    def __arrow_c_schema__(self) -> object:
        return arrow.schema_of_fields(self._fields())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the rows as an Arrow stream, a record batch per chunk."""
        return arrow.stream_of_batches(self._fields(), self._tables())

    def __getitem__(self, key: Any) -> Any:
        fields, key = self._split(key)
        if fields is None:
            return self._read(key)
        if isinstance(fields, str):
            return self._field(fields, key)
        unknown = [name for name in fields if name not in (self.dtype.names or ())]
        if unknown:
            raise NotFound(f'{self.path}: unknown field "{unknown[0]}"', key=self.path)
        return self._read(key)[fields]

    def _split(self, key: Any) -> tuple[Any, Any]:
        """Splits an index into field names and the selection of rows."""
        if isinstance(key, str):
            return key, slice(None)
        if isinstance(key, list) and key and all(isinstance(k, str) for k in key):
            return key, slice(None)
        if not isinstance(key, tuple) or not key:
            return None, key
        names = [k for k in key if isinstance(k, str)]
        rest = self._expanded(tuple(k for k in key if not isinstance(k, str)))
        if len(rest) > self.ndim:
            raise IndexError(
                f"{self.path}: too many indices (found {len(rest)}, expected {self.ndim})"
            )
        rows = rest[0] if len(rest) == 1 else (rest if rest else slice(None))
        if not names:
            return None, rows
        return names[0] if len(names) == 1 else names, rows

    def _expanded(self, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Replaces `...` by the whole axes that it stands for."""
        places = [i for i, k in enumerate(key) if k is Ellipsis]
        if not places:
            return key
        if len(places) > 1:
            raise IndexError(f"{self.path}: two ellipses in {key!r}")
        whole = (slice(None),) * (self.ndim - len(key) + 1)
        return (*key[: places[0]], *whole, *key[places[0] + 1 :])

    def _field(self, name: str, key: Any) -> Any:
        if not self._is_plain(name):
            rows = self._read(key)
            return rows[name] if name else rows
        return self._select(key, lambda which: self._columns(name, which))

    def _read(self, key: Any) -> Any:
        if key is Ellipsis or (isinstance(key, tuple) and not key):
            key = slice(None) if self.shape else ()
        if not self._is_plain(""):
            return self._elements(key if isinstance(key, tuple) else (key,))
        if isinstance(key, tuple) or self.ndim != 1:
            return self._box(key if isinstance(key, tuple) else (key,))
        return self._select(key, lambda which: self._columns("", which))

    def _select(self, key: Any, read: Any) -> Any:
        """Reads rows: a range as (begin, end, step), or an array of row indices."""
        if isinstance(key, slice):
            return read(self._range(key))
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            row = self._row(operator.index(key))
            return read((row, row + 1, 1))[0]
        return read(self._rows(key))

    def _row(self, index: int) -> int:
        count = len(self)
        row = index + count if index < 0 else index
        if not 0 <= row < count:
            raise OutOfRange(f"{self.path}: row {index} is out of range (count {count})")
        return row

    def _range(self, key: slice) -> tuple[int | None, int | None, int]:
        key = _checks.bounds(self.path, key)
        rows = range(*key.indices(len(self)))
        if len(rows) == 0:
            return 0, 0, 1
        return rows.start, rows.stop if rows.stop >= 0 else None, rows.step

    def _rows(self, key: Any) -> npt.NDArray[np.int64]:
        rows, count = rows_of(key, len(self), self.path), len(self)
        rows[rows < 0] += count
        if rows.size and (rows.min() < 0 or rows.max() >= count):
            raise OutOfRange(f"{self.path}: row is out of range (count {count})")
        return rows

    def _records(self, which: Any) -> Rows:
        def ask(core: Any) -> Any:
            if isinstance(which, tuple):
                return core.records(self.path, *which)
            return core.records_at(self.path, which)

        found: Rows = self._handle.call(ask)
        return found.view(self.dtype).reshape(-1, *self.shape[1:])

    def _elements(self, key: tuple[Any, ...]) -> Any:
        """Reads records, and elements that the core returns as something else than NumPy
        does (dates, complex numbers, text): whole rows, of which NumPy selects."""
        if not self.shape:
            return self._records((None, None, 1)).reshape(())[key]
        # As of numbers, a list of rows or a mask stands alone.
        axes = [self._axis(k) for k in key] if len(key) > 1 else []
        inner = tuple(slice(*k) if isinstance(k, tuple) else k for k in axes[1:])
        rows = self._select(key[0], self._records)
        is_row = np.ndim(rows) < self.ndim
        return rows[inner if is_row else (slice(None), *inner)] if inner else rows

    def _columns(self, name: str, which: Any) -> Rows:
        fields = [name] if name else []

        def ask(core: Any) -> Any:
            if isinstance(which, tuple):
                return core.columns(self.path, fields, *which)
            return core.columns_at(self.path, fields, which)

        found: Rows = self._handle.call(ask)[name]
        return found

    def _axis(self, key: Any) -> Any:
        """Returns the selection along an axis for the core."""
        if isinstance(key, slice):
            key = _checks.bounds(self.path, key)
            return key.start, key.stop, 1 if key.step is None else key.step
        if isinstance(key, (bool, np.bool_)) or not hasattr(key, "__index__"):
            raise IndexError(f"{self.path}: unsupported index {key!r}")
        return operator.index(key)

    def _box(self, key: tuple[Any, ...]) -> Any:
        if len(key) == 1 and not isinstance(key[0], (int, np.integer, slice)):
            return self._select(key[0], lambda which: self._columns("", which))
        axes = [self._axis(k) for k in key]
        found = self._handle.call(lambda core: core.box(self.path, axes))[""]
        return found[()] if found.ndim == 0 else found
