"""Where the bytes of a data set come from."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._errors import InvalidArgument, loggable
from .remote import FsspecSource, ObstoreSource

Array = npt.NDArray[Any]
Range = "tuple[int, int] | None"


@runtime_checkable
class Source(Protocol):
    """Reads the objects of a store by key. Implement it to read from anywhere.

    More is optional. `read_all(requests)` takes a list of `(key, range)` and yields
    `(index, bytes or None)` for each, in any order: implement it to read concurrently.
    `size(key)` returns the size in bytes or None; only sharded arrays need it. A
    persistent cache (`cache=` of `bevscope.open`) needs `name`, a text that no other
    store has, and `states(keys)`, which returns for each key a text that differs
    whenever the object does, such as its ETag, or None.
    """

    def read(self, key: str, range: tuple[int, int] | None) -> bytes | None:
        """Returns the object, or the bytes [begin, end) of it that exist.

        Returns None if the object does not exist. Raises if reading fails.
        """


class MappingSource:
    """The objects of a mapping from keys to bytes: a dict, a zarr 2 store."""

    def __init__(self, objects: Mapping[str, Any]) -> None:
        self._objects = objects

    def read(self, key: str, range: tuple[int, int] | None) -> Any:
        try:
            found = self._objects[key]
        except KeyError:
            return None
        return found if range is None else memoryview(found)[range[0] : range[1]]


class MemorySource:
    """NumPy arrays as a store: the data set of arrays in memory.

    The arrays are read when the core asks for them; later changes of what was read are
    not seen.
    """

    #: Rows of a chunk. Small enough that one frame's agents do not copy everything.
    CHUNK = 4096

    def __init__(
        self, arrays: Mapping[str, Array], attrs: Mapping[str, Any] | None = None
    ) -> None:
        self._arrays = {name: np.ascontiguousarray(a) for name, a in arrays.items()}
        documents: dict[str, object] = {
            ".zgroup": {"zarr_format": 2},
            ".zattrs": dict(attrs or {}),
        }
        for name, array in self._arrays.items():
            documents[f"{name}/.zarray"] = self._describe(array)
        listing = {"zarr_consolidated_format": 1, "metadata": documents}
        self._documents = {
            key: json.dumps(one).encode()
            for key, one in {**documents, ".zmetadata": listing}.items()
        }

    def _describe(self, array: Array) -> dict[str, object]:
        return {
            "zarr_format": 2,
            "shape": list(array.shape),
            "chunks": [self._rows(array), *array.shape[1:]],
            "dtype": descr_of(array.dtype),
            "compressor": None,
            "filters": None,
            "fill_value": None,
            "order": "C",
        }

    def _rows(self, array: Array) -> int:
        """Returns the number of rows of a chunk."""
        return min(max(len(array), 1), self.CHUNK)

    def read(self, key: str, range: tuple[int, int] | None) -> bytes | None:
        found = self._documents.get(key)
        if found is None:
            found = self._chunk(key)
        if found is None or range is None:
            return found
        return found[range[0] : range[1]]

    def _chunk(self, key: str) -> bytes | None:
        name, _, index = key.rpartition("/")
        array = self._arrays.get(name)
        first = index.split(".")[0]
        if array is None or not first.isdigit():
            return None
        size = self._rows(array)
        rows = array[int(first) * size : (int(first) + 1) * size]
        missing = size - len(rows)
        bytes_of_row = array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))
        return rows.tobytes() + bytes(missing * bytes_of_row)


def shown(address: Any) -> Any:
    """Returns addresses without user name, password, query and fragment."""
    if isinstance(address, list):
        return [shown(one) for one in address]
    return loggable(address) if isinstance(address, str) else address


def descr_of(dtype: np.dtype[Any]) -> object:
    """Returns a dtype as in a .zarray document."""
    if dtype.names is None:
        return dtype.str
    fields: Mapping[str, Any] = dtype.fields or {}
    descr: list[list[object]] = []
    for name in dtype.names:
        base, shape = fields[name][0].base, fields[name][0].shape
        descr.append([name, descr_of(base), *([list(shape)] if shape else [])])
    return descr


def _checked(address: str) -> str:
    """Raises InvalidArgument for a path that is not UTF-8, and for a URL with user name
    or password."""
    try:
        address.encode()
    except (UnicodeEncodeError, AttributeError):
        raise InvalidArgument(f"address: not UTF-8 (found {address!r})") from None
    scheme, _, rest = address.partition("://")
    if scheme.lower() in ("http", "https") and "@" in re.split("[/?#]", rest)[0]:
        raise InvalidArgument(
            f"{shown(address)}: user name and password in the URL are not supported"
        )
    return address


def scenario_format(address: Any) -> str | None:
    """Returns the format of the scenarios at a path or URL; None for other addresses."""
    if not isinstance(address, (str, os.PathLike)):
        return None
    return _core.scenario_format(_checked(_checks.expanded(address)))


def source_of(address: Any) -> Any:
    """Returns what the core opens: a path or URL as str, or an object with `read`."""
    if isinstance(address, (str, os.PathLike)):
        return _checked(_checks.expanded(address))
    if hasattr(address, "get_range") and hasattr(address, "head"):
        return ObstoreSource(address)
    if isinstance(address, Mapping) and hasattr(address, "fs") and hasattr(address, "root"):
        return FsspecSource(address)
    if isinstance(address, Mapping):
        return MappingSource(address)
    if callable(getattr(address, "read", None)):
        return address
    raise TypeError(
        f"address: not a path, URL, mapping or source (found {type(address).__name__})"
    )
