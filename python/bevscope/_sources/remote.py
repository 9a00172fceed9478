"""Sources of packages that read object stores: fsspec and obstore."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

#: Requests that an obstore store answers at the same time.
WIDTH = 16

_ABSENT = (FileNotFoundError, IsADirectoryError, NotADirectoryError)


class FsspecSource:
    """A directory of a file system of fsspec: s3://, gs://, memory:// and more.

    Args:
        mapper: `fsspec.get_mapper(url)`, or `get_mapper(path)` of a file system.
    """

    def __init__(self, mapper: Any) -> None:
        self._files, self._root = mapper.fs, mapper.root.rstrip("/")

    def read(self, key: str, range: tuple[int, int] | None) -> Any:
        return next(self.read_all([(key, range)]))[1]

    def read_all(self, requests: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Reads at the same time, if the file system does."""
        paths = [f"{self._root}/{key}" for key, _ in requests]
        begins = [part[0] if part else None for _, part in requests]
        ends = [part[1] if part else None for _, part in requests]
        found = self._files.cat_ranges(paths, begins, ends, on_error="return")
        for index, one in enumerate(found):
            if isinstance(one, BaseException) and not isinstance(one, _ABSENT):
                raise one
            yield index, None if isinstance(one, _ABSENT) else one

    def size(self, key: str) -> int | None:
        try:
            return int(self._files.info(f"{self._root}/{key}")["size"])
        except _ABSENT:
            return None


class ObstoreSource:
    """A store of the package obstore: s3://, gs:// and more."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def read(self, key: str, range: tuple[int, int] | None) -> Any:
        try:
            if range is None:
                return self._store.get(key).bytes()
            return self._store.get_range(key, start=range[0], end=range[1])
        except _ABSENT:
            return None

    def read_all(self, requests: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Reads several objects at the same time."""
        if len(requests) == 1:
            yield 0, self.read(*requests[0])
            return
        with ThreadPoolExecutor(min(WIDTH, len(requests))) as threads:
            yield from enumerate(threads.map(lambda one: self.read(*one), requests))

    def size(self, key: str) -> int | None:
        try:
            return int(self._store.head(key)["size"])
        except _ABSENT:
            return None
