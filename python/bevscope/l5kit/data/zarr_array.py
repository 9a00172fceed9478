"""Arrays of a zarr directory that can be written."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..._data.dataset import Dataset
from ..._errors import OutOfRange, Unsupported
from ..._sources.source import descr_of

Rows = npt.NDArray[Any]
_Result = TypeVar("_Result")

#: The only codec that is written.
_CODEC = {"id": "zlib", "level": 1}


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Excludes others that change the folder's files through this module."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _check_alone(group: Path, document: str) -> None:
    """Raises Unsupported if other documents of a group repeat or describe a document,
    so that they would no longer match after a change."""
    consolidated, statistics = group / ".zmetadata", group / ".bevscope/statistics.json"
    found = []
    if consolidated.exists():
        known = json.loads(consolidated.read_text()).get("metadata", {})
        found += [consolidated.name] if document in known else []
    if document != ".zattrs" and statistics.exists():
        found.append(".bevscope/statistics.json")
    if found:
        raise Unsupported(
            f"{group / document}: cannot be changed (found {found[0]}, which would not "
            "match; change a copy that zarr_concat or ChunkedDataset.initialize made)"
        )


class Attributes(dict[str, Any]):
    """The attributes of a group; every change of a key is written, or refused as a whole.
    Values are not watched: assign a list again after changing it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        super().__init__(self._stored())

    def _stored(self) -> dict[str, Any]:
        if not self._path.exists():
            return {}
        found: dict[str, Any] = json.loads(self._path.read_text())
        return found

    def _change(self, change: Callable[[dict[str, Any]], _Result]) -> _Result:
        """Changes what is stored now, and then this."""
        _check_alone(self._path.parent, self._path.name)
        with _locked(self._path.parent):
            new = self._stored()
            result = change(new)
            text = json.dumps(new)
            _write(self._path, text.encode())
        super().clear()
        super().update(json.loads(text))
        return result

    def __setitem__(self, key: str, value: Any) -> None:
        self._change(lambda new: new.__setitem__(key, value))

    def __delitem__(self, key: str) -> None:
        self._change(lambda new: new.__delitem__(key))

    def update(self, *args: Any, **kwargs: Any) -> None:
        self._change(lambda new: new.update(*args, **kwargs))

    def __ior__(self, other: Any) -> Attributes:  # type: ignore[override,misc]
        self.update(other)
        return self

    def setdefault(self, key: str, default: Any = None) -> Any:
        return self._change(lambda new: new.setdefault(key, default))

    def pop(self, key: str, *default: Any) -> Any:
        return self._change(lambda new: new.pop(key, *default))

    def popitem(self) -> tuple[str, Any]:
        return self._change(lambda new: new.popitem())

    def clear(self) -> None:
        self._change(lambda new: new.clear())


class FolderSource:
    """The files of one array in a directory."""

    def __init__(self, folder: Path, name: str, meta: dict[str, Any]) -> None:
        self._folder = folder
        self._documents = {
            ".zgroup": {"zarr_format": 2},
            ".zmetadata": {
                "zarr_consolidated_format": 1,
                "metadata": {".zgroup": {"zarr_format": 2}, f"{name}/.zarray": meta},
            },
            f"{name}/.zarray": meta,
        }

    def read(self, key: str, range: tuple[int, int] | None) -> bytes | None:
        if key in self._documents:
            found = json.dumps(self._documents[key]).encode()
        elif key.rpartition("/")[2].startswith(".z"):
            return None
        else:
            try:
                found = (self._folder / key).read_bytes()
            except FileNotFoundError:
                return None
        return found if range is None else found[range[0] : range[1]]


class WritableArray:
    """An array in a directory, for reading, and if this class created it for appending
    and assignment, which write the chunks that they change, each by a rename.

    Arrays of other programs are not changed: their codecs are not written here.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self.path = folder, name
        self._reload()

    def _reload(self) -> None:
        """Reads the array's metadata, which another process may have changed."""
        text = (self._folder / self.path / ".zarray").read_text()
        self._meta: dict[str, Any] = json.loads(text)
        self._reader: Dataset | None = None

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Excludes other writers. Raises Unsupported if the array cannot be changed."""
        with _locked(self._folder / self.path):
            self._reload()
            found, codec = self._meta, self._meta["compressor"] or {}
            if (
                codec.get("id") != _CODEC["id"]
                or found["filters"]
                or found["order"] != "C"
                or found.get("dimension_separator", ".") != "."
                or found["chunks"][1:] != found["shape"][1:]
            ):
                raise Unsupported(
                    f"{self._folder / self.path}: cannot be changed (found compressor "
                    f"{json.dumps(found['compressor'])}, expected an array that "
                    "ChunkedDataset.initialize or Group.create_dataset made)"
                )
            _check_alone(self._folder, f"{self.path}/.zarray")
            yield

    @classmethod
    def create(
        cls, folder: Path, name: str, dtype: Any, chunks: tuple[int, ...], shape: Any
    ) -> WritableArray:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        meta = {
            "zarr_format": 2,
            "shape": list(shape),
            "chunks": [*chunks[:1], *shape[1:]],
            "dtype": descr_of(np.dtype(dtype)),
            "compressor": _CODEC,
            "filters": None,
            "fill_value": None,
            "order": "C",
        }
        _write(folder / name / ".zarray", json.dumps(meta).encode())
        array = cls(folder, name)
        array._store(0, np.zeros(shape, dtype))
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._meta["shape"])

    @property
    def chunks(self) -> tuple[int, ...]:
        return tuple(self._meta["chunks"])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._array().dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def _array(self) -> Any:
        if self._reader is None:
            self._reader = Dataset(FolderSource(self._folder, self.path, self._meta))
        return self._reader[self.path]

    def __getitem__(self, key: Any) -> Any:
        return self._array()[key]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Rows:
        return np.asarray(self[:], dtype=dtype)

    def __iter__(self) -> Any:
        return iter(self._array())

    def __setitem__(self, key: Any, value: Any) -> None:
        with self._changing():
            parts = key if isinstance(key, tuple) else (key,)
            names = [one for one in parts if isinstance(one, str)]
            first, *rest = [one for one in parts if not isinstance(one, str)] or [
                slice(None)
            ]
            if first is Ellipsis:
                first, rest = slice(None), [first, *rest]
            at = _places(first, len(self))
            if at.size == 0:
                return
            size = self.chunks[0]
            begin = int(at.min()) // size * size
            end = min(int(at.max()) // size * size + size, len(self))
            rows = self[begin:end]
            changed = rows[names[0] if len(names) == 1 else names] if names else rows
            changed[(_moved(first, at, begin), *rest)] = value
            self._write_rows(begin, rows, np.unique(at // size))
            self._reader = None

    def append(self, data: Any) -> tuple[int, ...]:
        """Appends rows and returns the new shape."""
        with self._changing():
            rows = np.asarray(data, dtype=self.dtype)
            count, size = len(self), self.chunks[0]
            first = count // size * size
            self._store(first, np.concatenate([self[first:count], rows]))
            return self.shape

    def _store(self, first: int, rows: Rows) -> None:
        """Writes the rows from `first`, a chunk's first row, to the end of the array."""
        self._write_rows(first, rows)
        self._meta["shape"] = [first + len(rows), *self._meta["shape"][1:]]
        _write(self._folder / self.path / ".zarray", json.dumps(self._meta).encode())
        self._reader = None

    def _write_rows(self, first: int, rows: Rows, only: Rows | None = None) -> None:
        """Writes the chunks of rows from `first`, a chunk's first row; or `only` those."""
        size, folder = self.chunks[0], self._folder / self.path
        for begin in range(0, len(rows), size):
            number = (first + begin) // size
            if only is not None and number not in only:
                continue
            part = np.ascontiguousarray(rows[begin : begin + size])
            padding = bytes((size - len(part)) * (part.nbytes // max(len(part), 1)))
            name = ".".join([str(number), *["0"] * (self.ndim - 1)])
            _write(folder / name, zlib.compress(part.tobytes() + padding, 1))


def _places(key: Any, count: int) -> Rows:
    """Returns the rows that an index selects, in its shape."""
    if isinstance(key, slice):
        return np.arange(*key.indices(count))
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        if not -count <= key < count:
            raise OutOfRange(f"row {key} is out of range (count {count})")
        return np.asarray(key % count)
    return np.asarray(np.arange(count)[key])


def _moved(key: Any, at: Rows, begin: int) -> Any:
    """Returns an index that selects the rows `at` of those from `begin`."""
    if not isinstance(key, slice):
        return at - begin
    stop = int(at[-1]) - begin + (step := key.step or 1)
    return slice(int(at[0]) - begin, None if stop < 0 else stop, step)


class Group:
    """A zarr group in a directory: what scripts use of `ChunkedDataset.root`."""

    def __init__(self, folder: Path, mode: str = "r") -> None:
        self.folder = folder
        if mode in ("w", "w-", "a", "r+") and not (folder / ".zgroup").exists():
            _write(folder / ".zgroup", b'{"zarr_format": 2}')
        self.attrs: Mapping[str, Any] = Attributes(folder / ".zattrs")

    def __contains__(self, name: str) -> bool:
        return (self.folder / name / ".zarray").exists()

    def __getitem__(self, name: str) -> WritableArray:
        if name not in self:
            raise KeyError(name)
        return WritableArray(self.folder, name)

    def require_dataset(
        self, name: str, shape: Any, dtype: Any, chunks: Any = None, **_: Any
    ) -> WritableArray:
        """Returns an array, which is created if it does not exist."""
        if name in self:
            return self[name]
        whole = (shape,) if isinstance(shape, int) else tuple(shape)
        size = tuple(chunks) if chunks else tuple(max(n, 1) for n in whole)
        return WritableArray.create(self.folder, name, dtype, size, whole)

    create_dataset = require_dataset
