"""Sources of packages that read object stores: fsspec and obstore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Result = TypeVar("_Result")

#: Requests that an obstore store answers at the same time.
WIDTH = 16

#: Options that say which server a file system or a store asks.
_PLACES = ("endpoint", "endpoint_url", "host", "port", "account_name", "project")

#: What says that an object has changed, as file systems and stores call it. None alone
#: is enough: the ETag of an object in memory counts the writes of its process.
_MARKS = (
    *("ETag", "etag", "e_tag", "Content-MD5", "content_md5", "md5Hash", "Digest"),
    *("version", "version_id", "VersionId", "generation", "ino"),
    *("LastModified", "Last-Modified", "last_modified", "updated", "mtime", "created"),
)

_ABSENT = (FileNotFoundError, IsADirectoryError, NotADirectoryError)


class FsspecSource:
    """A directory of a file system of fsspec: s3://, gs://, memory:// and more.

    Args:
        mapper: `fsspec.get_mapper(url)`, or `get_mapper(path)` of a file system.
    """

    def __init__(self, mapper: Any) -> None:
        self._files, self._root = mapper.fs, mapper.root.rstrip("/")
        options = getattr(self._files, "storage_options", {})
        address = self._files.unstrip_protocol(self._root)
        #: What a persistent cache calls the store: its address and its server.
        self.name = " ".join([address, *_values(options, _PLACES)])

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

    def states(self, keys: Sequence[str]) -> list[str | None]:
        """Returns a text for each object that differs whenever the object does, None if
        there is none. Listings that the file system keeps are not believed."""
        self._files.invalidate_cache(self._root)
        return list(_at_once(self._state, keys))

    def _state(self, key: str) -> str | None:
        try:
            found = self._files.info(f"{self._root}/{key}")
        except _ABSENT:
            return None
        return _state_of(found)


class ObstoreSource:
    """A store of the package obstore: s3://, gs:// and more."""

    def __init__(self, store: Any) -> None:
        self._store = store
        #: What a persistent cache calls the store: its address and its server.
        config = getattr(store, "config", {})
        self.name = " ".join([repr(store), *_values(config, _PLACES)])

    def read(self, key: str, range: tuple[int, int] | None) -> Any:
        try:
            if range is None:
                return self._store.get(key).bytes()
            return self._store.get_range(key, start=range[0], end=range[1])
        except _ABSENT:
            return None

    def read_all(self, requests: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Reads several objects at the same time."""
        yield from enumerate(_at_once(lambda one: self.read(*one), requests))

    def size(self, key: str) -> int | None:
        try:
            return int(self._store.head(key)["size"])
        except _ABSENT:
            return None

    def states(self, keys: Sequence[str]) -> list[str | None]:
        """Returns a text for each object that differs whenever the object does, None if
        there is none."""
        return list(_at_once(self._state, keys))

    def _state(self, key: str) -> str | None:
        try:
            found = self._store.head(key)
        except _ABSENT:
            return None
        return _state_of(found)


def _values(options: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [f"{name}={options[name]}" for name in names if options.get(name)]


def _state_of(found: Mapping[str, Any]) -> str | None:
    marks = _values(found, _MARKS)
    return " ".join([*marks, str(found.get("size"))]) if marks else None


def _at_once(call: Callable[[Any], _Result], items: Sequence[Any]) -> Iterator[_Result]:
    """Calls a function with each item, several at the same time; results in order."""
    if len(items) < 2:
        yield from map(call, items)
        return
    with ThreadPoolExecutor(min(WIDTH, len(items))) as threads:
        yield from threads.map(call, items)
