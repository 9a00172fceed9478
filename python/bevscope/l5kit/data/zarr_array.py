"""Arrays of a zarr directory that can be written."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._dataset import Dataset
from ..._source import descr_of

Rows = npt.NDArray[Any]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    os.replace(temporary, path)


class Attributes(dict[str, Any]):
    """The attributes of a group; every change is written."""

    def __init__(self, path: Path) -> None:
        super().__init__(json.loads(path.read_text()) if path.exists() else {})
        self._path = path

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        _write(self._path, json.dumps(dict(self)).encode())

    def update(self, *args: Any, **kwargs: Any) -> None:
        super().update(*args, **kwargs)
        _write(self._path, json.dumps(dict(self)).encode())


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
    """An array along one axis in a directory, for reading, appending and assignment.

    Chunks are compressed with zlib. Existing chunks are read with the codec that they
    have; an array with another codec than zlib is rewritten as a whole when it changes.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self.path = folder, name
        self._meta = json.loads((folder / name / ".zarray").read_text())
        self._reader: Dataset | None = None

    @classmethod
    def create(
        cls, folder: Path, name: str, dtype: Any, chunks: tuple[int, ...], shape: Any
    ) -> WritableArray:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        meta = {
            "zarr_format": 2,
            "shape": list(shape),
            "chunks": list(chunks),
            "dtype": descr_of(np.dtype(dtype)),
            "compressor": {"id": "zlib", "level": 1},
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
        rows = self[:]
        rows[key] = value
        self._store(0, rows)

    def append(self, data: Any) -> tuple[int, ...]:
        """Appends rows and returns the new shape."""
        rows = np.asarray(data, dtype=self.dtype)
        count, size = len(self), self.chunks[0]
        first = 0 if not self._is_zlib() else count // size * size
        kept = self[first:count]
        self._store(first, np.concatenate([kept, rows]))
        return self.shape

    def _is_zlib(self) -> bool:
        return bool((self._meta["compressor"] or {}).get("id") == "zlib")

    def _store(self, first: int, rows: Rows) -> None:
        """Writes the rows from `first`, a chunk's first row, to the end of the array."""
        size = self.chunks[0]
        folder = self._folder / self.path
        self._meta["compressor"] = {"id": "zlib", "level": 1}
        self._meta["filters"] = None
        for begin in range(0, len(rows), size):
            part = np.ascontiguousarray(rows[begin : begin + size])
            padding = bytes((size - len(part)) * (part.nbytes // max(len(part), 1)))
            name = ".".join([str((first + begin) // size), *["0"] * (self.ndim - 1)])
            _write(folder / name, zlib.compress(part.tobytes() + padding, 1))
        self._meta["shape"] = [first + len(rows), *self._meta["shape"][1:]]
        _write(folder / ".zarray", json.dumps(self._meta).encode())
        self._reader = None


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
