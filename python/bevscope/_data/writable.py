"""Arrays that can be changed."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._errors import InvalidArgument, NotFound, OutOfRange, Unsupported
from .._sources.source import descr_of, shown
from .array import Array, Rows, dtype_of

_Result = TypeVar("_Result")


class _Target(NamedTuple):
    """Elements of an array."""

    key: Any  #: for the core: row indices, or an index or a slice per axis
    shape: tuple[int, ...]  #: of their values
    where: npt.NDArray[np.bool_] | None = None  #: of a mask over all axes


class WritableArray(Array):
    """An array in a directory or in S3 that can be changed while other threads, processes
    and machines read and write it: `array[10:20] = rows`, `array["yaw", mask] = 0`,
    `array.append(rows)`, `array.resize(n)`.

    Only chunks with changed elements are read and written, each of them at once; codec
    and order stay. Indexing reads what is stored now, whole chunks each time, and
    `missing` chunks as the fill value. Pickles as its address.
    """

    def __init__(self, path: str | os.PathLike[str], array: str = "") -> None:
        self._address = (_checks.path("array", path), array)
        self._open()
        self._describe()

    def _open(self) -> None:
        self._pid, self._lock = os.getpid(), threading.Lock()
        self._core = _core.WritableArray(*self._address)

    def __getstate__(self) -> tuple[str, str]:
        return self._address

    def __setstate__(self, state: tuple[str, str]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def _describe(self) -> None:
        self._meta: dict[str, Any] = json.loads(self._core.metadata())
        self.path = self._core.path
        self.shape = tuple(self._meta["shape"])
        self.chunks = tuple(self._meta["chunks"])
        self.dtype = dtype_of(self._meta["dtype"])

    def _call(self, ask: Callable[[Any], _Result]) -> _Result:
        """Calls the core and takes the shape that it has found."""
        if self._pid != os.getpid():
            self._open()  # after a fork, a thread of the parent may hold the lock
        with self._lock:
            try:
                return ask(self._core)
            finally:
                self._describe()

    def __repr__(self) -> str:
        return f"<bevscope.WritableArray {self.name} {self.shape} {self.dtype}>"

    def refresh(self) -> WritableArray:
        """Reads the shape again, which others may have changed, and returns the array."""
        self._call(lambda core: core.refresh())
        return self

    def columns(
        self, fields: Iterable[str] = (), rows: slice = slice(None)
    ) -> dict[str, Rows]:
        names = _checks.names(f"{self.path}: fields", fields)
        found = self[rows]
        if self.dtype.names is None:
            return {"": found}
        return {name: found[self._known(name)] for name in names or self.dtype.names}

    def _known(self, name: str) -> str:
        if name in (self.dtype.names or ()):
            return name
        raise NotFound(f'{self.path}: unknown field "{name}"', key=self.path)

    def _field(self, name: str, key: Any) -> Any:
        return self._read(key)[self._known(name)]

    def _read(self, key: Any) -> Any:
        target = self._target(key)
        found, shape = self._call(lambda core: core.read(target.key))
        rows = found[""].view(self.dtype.base).reshape(shape)
        return rows[()] if target.where is None else rows[target.where]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.refresh()
        fields, key = self._split(key)
        names = [fields] if isinstance(fields, str) else list(fields or ())
        target = self._target(key)
        kind: Any = self.dtype
        if names:
            known = [self._known(name) for name in names]
            kind = self.dtype[known[0] if isinstance(fields, str) else known]
        values = np.zeros(target.shape, kind)
        if target.where is None:
            values[...] = value
        else:
            values[target.where] = value
        parts = [("", values)]
        if names:
            parts = [(n, values if isinstance(fields, str) else values[n]) for n in names]
        raw = [(name, _bytes_of(part)) for name, part in parts]
        where = None if target.where is None else _bytes_of(target.where)
        place = self._absolute(target.key)
        self._call(lambda core: core.assign(place, raw, where))

    def append(self, rows: npt.ArrayLike) -> tuple[int, ...]:
        """Appends rows along the first axis and returns the new shape."""
        added = np.asarray(rows, self.dtype)
        if not self.shape or added.shape[1:] != self.shape[1:] or added.ndim == 0:
            wanted = f"(n, {', '.join(map(str, self.shape[1:]))})"
            raise InvalidArgument(
                f"{self.path}: append: wrong shape (found {added.shape}, expected {wanted})"
            )
        self._call(lambda core: core.append(_bytes_of(added)))
        return self.shape

    def resize(self, *shape: int | tuple[int, ...]) -> None:
        """Changes the length of the axes. New elements have the fill value. Arrays in S3
        cannot become smaller."""
        lengths = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        wanted = [_checks.integer(f"{self.path}: resize", one) for one in lengths]
        self._call(lambda core: core.resize(wanted))

    def _target(self, key: Any) -> _Target:
        """Returns what a key selects; rows and indices are checked by the core."""
        if key is Ellipsis or (isinstance(key, tuple) and not key):
            key = (slice(None),) * self.ndim
        if isinstance(key, tuple):
            key = self._expanded(key)
            if len(key) == 1:
                (key,) = key
        if not isinstance(key, (tuple, slice)) and not _is_index(key):
            return self._listed(key)
        axes = [self._axis(one) for one in (key if isinstance(key, tuple) else (key,))]
        if len(axes) > self.ndim:
            raise IndexError(
                f"{self.path}: too many indices (found {len(axes)}, expected {self.ndim})"
            )
        shape = []
        for axis, length in zip(axes, self.shape):
            if isinstance(axis, tuple):
                shape.append(len(range(*slice(*axis).indices(length))))
            elif not -length <= axis < length:
                raise OutOfRange(
                    f"{self.path}: index {axis} is out of range (count {length})"
                )
        return _Target(axes, (*shape, *self.shape[len(axes) :]))

    def _absolute(self, key: Any) -> Any:
        """Returns the same elements as numbers, which do not move if the array grows."""
        if not isinstance(key, list):
            return key
        out: list[Any] = []
        for axis, length in zip(key, self.shape):
            if isinstance(axis, tuple):
                begin, end, step = slice(*axis).indices(length)
                axis = (begin, end, step) if end >= 0 else (begin, None, step)
                axis = (0, 0, 1) if len(range(begin, end, step)) == 0 else axis
            out.append(axis)
        return out + [(0, length, 1) for length in self.shape[len(key) :]]

    def _listed(self, key: Any) -> _Target:
        """Returns the elements of a mask over all axes, or rows."""
        mask = np.asarray(key) if self.ndim > 1 else None
        if mask is not None and mask.dtype == np.bool_ and mask.shape == self.shape:
            return _Target([(None, None, 1)] * self.ndim, self.shape, mask)
        rows = self._rows(key)
        return _Target(rows, (len(rows), *self.shape[1:]))

    @property
    def info(self) -> str:
        """What the array is and occupies, as zarr 2 prints it."""
        chunks, stored, size = self._call(lambda core: core.use())
        codec = self._meta["compressor"]
        lines = {
            "Name": self.name,
            "Type": "bevscope.WritableArray",
            "Data type": str(self.dtype),
            "Shape": str(self.shape),
            "Chunk shape": str(self.chunks),
            "Order": self._meta["order"],
            "Read-only": "False",
            "Compressor": json.dumps(codec) if codec else "none",
            "Store type": "S3" if self._address[0].startswith("s3://") else "directory",
            "No. bytes": str(self.nbytes),
            "No. bytes stored": str(size),
            "Storage ratio": f"{self.nbytes / size:.1f}" if size else "none",
            "Chunks initialized": f"{stored}/{chunks}",
        }
        return "\n".join(f"{name:<18} : {value}" for name, value in lines.items())


def _is_index(key: Any) -> bool:
    return hasattr(key, "__index__") and not isinstance(key, (bool, np.bool_, np.ndarray))


def _bytes_of(values: Rows) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)


def create_array(
    path: str | os.PathLike[str],
    array: str = "",
    *,
    shape: int | Iterable[int],
    dtype: npt.DTypeLike,
    chunks: int | Iterable[int] | None = None,
    codec: str = "blosc:lz4",
    level: int | None = None,
    fill_value: Any = 0,
    order: str = "C",
    zarr_format: int = 2,
    existing: str = "refuse",
) -> WritableArray:
    """Creates an array and opens it; see `bevscope.open`."""
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise Unsupported(f"create: dtype {kind} is not supported (it has objects)")
    lengths = _lengths("create: shape", shape)
    described = descr_of(kind.base)
    inner = list(kind.shape)
    _core.create_array(
        _checks.path("create", path),
        array,
        [*lengths, *inner],
        described if isinstance(described, str) else json.dumps(described),
        [] if chunks is None else [*_lengths("create: chunks", chunks), *inner],
        _checks.text("create: codec", codec),
        None if level is None else _checks.integer("create: level", level, -10, 100),
        _fill(fill_value, kind),
        _checks.text("create: order", order),
        _checks.integer("create: zarr_format", zarr_format, 2, 3),
        existing,
    )
    made = WritableArray(path, array)
    if existing == "keep" and (made.shape, made.dtype) != ((*lengths, *inner), kind.base):
        raise InvalidArgument(
            f"{made.path or path}: exists with another shape or dtype (found {made.shape} "
            f"{made.dtype}, expected {(*lengths, *inner)} {kind.base})"
        )
    return made


def _lengths(thing: str, given: int | Iterable[int]) -> list[int]:
    with contextlib.suppress(TypeError):
        given = [operator.index(given)]  # type: ignore[arg-type]
    if not isinstance(given, Iterable):
        raise _checks.invalid(thing, given, "a length per axis")
    return [_checks.integer(thing, one) for one in given]


def _fill(value: Any, kind: np.dtype[Any]) -> str:
    """Returns a fill value as metadata has it."""
    if value is None:
        return "null"
    if kind.kind == "f":
        number = float(value)
        names = {np.inf: "Infinity", -np.inf: "-Infinity"}
        return json.dumps("NaN" if np.isnan(number) else names.get(number, number))
    if kind.kind in "iub":
        return json.dumps(np.asarray(value, kind).item())
    if isinstance(value, (int, str)):
        return json.dumps(value)
    raise _checks.invalid("create: fill_value", value, f"one that fits {shown(str(kind))}")
