"""The files of a Parquet data set: their names, footers and partition keys."""

from __future__ import annotations

import contextlib
import json
import os
import posixpath
import struct
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _checks, _core
from .._convert.parquet import pyarrow
from .._data.handle import Opened
from .._errors import Error, InvalidArgument, NotFound, OutOfMemory
from .._sources.files import reading
from .._sources.source import shown, source_of

EXTENSIONS = (".parquet", ".parq", ".pq")
#: Files of a folder that describe others: all row groups, and the schema.
SUMMARY, COMMON = "_metadata", "_common_metadata"
#: Petastorm's numbers of row groups by file, in the metadata of COMMON.
GROUPS_PER_FILE = b"dataset-toolkit.num_row_groups_per_file.v1"
#: Bytes that are read of a file's end at first.
TAIL = 64 << 10
MAX_FOOTER = 256 << 20
MAGIC = b"PAR1"
#: The value of a partition key that is null.
NULL_KEY = "__HIVE_DEFAULT_PARTITION__"

Partition = tuple[tuple[str, str], ...]


class DataFile(NamedTuple):
    key: str
    metadata: Any  #: pyarrow's FileMetaData, of this file or of several
    groups: Sequence[int]  #: its row groups in the metadata
    partition: Partition


def is_hidden(key: str) -> bool:
    """Whether a name, or a folder in it, is one that readers of Parquet leave out."""
    return any(part[:1] in ("_", ".") and "=" not in part for part in key.split("/"))


def is_parquet_name(key: str) -> bool:
    return key.lower().endswith(EXTENSIONS)


def partition_of(key: str) -> Partition:
    """Returns the keys and values of the folders `key=value/` of a path."""
    found = []
    for part in key.split("/")[:-1]:
        name, equals, value = part.partition("=")
        if equals and name:
            found.append((urllib.parse.unquote(name), urllib.parse.unquote(value)))
    return tuple(found)


def _is_url(address: str) -> bool:
    return "://" in address


def _local(address: str) -> str:
    """Returns the path of a file: URL."""
    if not address.lower().startswith("file://"):
        return address
    return urllib.parse.unquote(urllib.parse.urlsplit(address).path)


def _split(address: str) -> tuple[str, str]:
    """Returns the folder and the name of a file."""
    if not _is_url(address):
        folder, name = os.path.split(address.rstrip("/"))
        return folder or ".", name
    url = urllib.parse.urlsplit(address)
    folder, _, name = url.path.rstrip("/").rpartition("/")
    return urllib.parse.urlunsplit(url._replace(path=folder)), urllib.parse.unquote(name)


def _common_folder(addresses: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the folder of several files, and their paths in it."""
    pairs = [_split(one) for one in addresses]
    if not any(_is_url(one) for one in addresses):
        folder = os.path.commonpath([os.path.abspath(one) for one, _ in pairs])
        paths = [os.path.join(os.path.abspath(one), name) for one, name in pairs]
        return folder, [os.path.relpath(one, folder).replace(os.sep, "/") for one in paths]
    parts = [urllib.parse.urlsplit(folder) for folder, _ in pairs]
    if len({(one.scheme, one.netloc, one.query) for one in parts}) != 1:
        raise InvalidArgument("parquet: files are not of one server, with one query")
    folder = posixpath.commonpath([one.path or "/" for one in parts])
    keys = [
        posixpath.join(
            urllib.parse.unquote(posixpath.relpath(one.path or "/", folder)), name
        )
        for one, (_, name) in zip(parts, pairs, strict=True)
    ]
    base = urllib.parse.urlunsplit(parts[0]._replace(path=folder.rstrip("/")))
    return base, [posixpath.normpath(one) for one in keys]


def _listed_in(address: Any) -> list[str] | None:
    """Returns the keys of a source; None if it cannot list them."""
    if isinstance(address, str):
        with reading(address):
            found = _core.list_objects(address, "")
        return None if found is None else [key for key, _ in found]
    if isinstance(address, Mapping):
        return sorted(str(key) for key in address)
    if callable(getattr(address, "list", None)):
        listed: Iterable[Any] = address.list()
        if hasattr(address, "get_range"):  # obstore's list of lists
            return sorted(str(one["path"]) for batch in listed for one in batch)
        return sorted(listed)
    return None


class Files:
    """The objects of a data set's folder, and which of them are its files.

    Args:
        address: a file, a folder, files, or what `bevscope.open` takes of sources.
        options: "cache" and "cache_limit", as of `bevscope.open`.
    """

    def __init__(self, address: Any, options: Mapping[str, Any]) -> None:
        self._options = dict(options)
        self._given: list[str] | None = None
        base: Any = address
        if isinstance(address, (str, os.PathLike)):
            base = _local(_checks.expanded(address))
        elif isinstance(address, (list, tuple)):
            paths = [_local(_checks.path("parquet: address", one)) for one in address]
            if not paths:
                raise InvalidArgument("parquet: no files")
            base, self._given = _common_folder(paths)
        if isinstance(base, str) and self._given is None and self._is_file(base):
            base, name = _split(base)
            self._given = [name]
        self.address = base
        self._objects = Opened(base, self._options, _core.Objects)

    def _is_file(self, address: str) -> bool:
        if not _is_url(address):
            return os.path.isfile(address) and not address.lower().endswith(".zip")
        path = urllib.parse.urlsplit(address).path
        if not is_parquet_name(path):
            return False
        # Spark gives the name of a file to folders.
        folder, name = _split(address)
        objects = Opened(folder, self._options, _core.Objects)
        return objects.call(lambda core: core.size(name)) is not None

    def read_all(
        self, requests: Sequence[tuple[str, tuple[int, int] | None]]
    ) -> list[bytes | None]:
        """Returns the answers in the order of the requests, which are sent together."""
        if not requests:
            return []
        return self._objects.call(lambda core: core.read_all(list(requests)))

    def cache_counters(self) -> dict[str, int] | None:
        return self._objects.call(lambda core: core.cache_counters())

    def _name_of(self, key: str) -> str:
        """Returns the name of a file for messages."""
        address = shown(source_of(self.address)) if isinstance(self.address, str) else ""
        return posixpath.join(address, key)

    def error(self, key: str, message: str, code: str = "corrupt_chunk") -> Error:
        kind = OutOfMemory if code == "limit_exceeded" else Error
        url = self.address if isinstance(self.address, str) else None
        return kind(f"{self._name_of(key)}: {message}", code, url, key)

    @contextlib.contextmanager
    def reading(self, key: str, what: str) -> Iterator[None]:
        """Raises pyarrow's errors, and those without a file, as Error with the file."""
        try:
            yield
        except Error as error:
            if error.key is not None or error.url is not None:
                raise
            raise self.error(key, f"{what}: {error}", error.code) from None
        except (OSError, ValueError, LookupError, OverflowError, RuntimeError) as error:
            raise self.error(key, f"{what}: {error}") from None

    def common_metadata(self) -> Mapping[bytes, bytes]:
        """Returns the key-value metadata of `_common_metadata`; empty without one."""
        if self._given is not None:
            return {}
        (found,) = self.footers([COMMON], required=False)
        return dict(found.metadata or {}) if found is not None else {}

    def data_files(self, common: Mapping[bytes, bytes]) -> list[DataFile]:
        """Returns the files in the order of their names, or in the given one.

        Args:
            common: key-value metadata of `_common_metadata`.
        """
        keys, listed = self._given, None
        if keys is None:
            listed = _listed_in(self.address)
            keys = self._chosen(listed) if listed is not None else None
        if self._given is None and (listed is None or SUMMARY in listed):
            found = self._summarized()
            if found is not None and (keys is None or [one.key for one in found] == keys):
                return found
        if keys is None:
            keys = self._petastorms(common)
        if not keys:
            raise NotFound(
                f"{self._name_of('')}: no Parquet files (a folder that cannot be listed "
                f"needs {SUMMARY} or Petastorm's {COMMON}, or a list of its files)"
            )
        footers = self.footers(keys)
        return [
            DataFile(key, footer, range(footer.num_row_groups), partition_of(key))
            for key, footer in zip(keys, footers, strict=True)
        ]

    def _chosen(self, listed: Sequence[str]) -> list[str]:
        keys = sorted(key for key in listed if not is_hidden(key))
        return [key for key in keys if is_parquet_name(key)] or keys

    def _summarized(self) -> list[DataFile] | None:
        """Returns the files of `_metadata`, which has all row groups."""
        (summary,) = self.footers([SUMMARY], required=False)
        if summary is None or summary.num_row_groups == 0:
            return None
        groups: dict[str, list[int]] = {}
        for i in range(summary.num_row_groups):
            with self.reading(SUMMARY, f"row group {i}"):
                group = summary.row_group(i)
                key = group.column(0).file_path if group.num_columns else ""
            if not key or key.startswith("/") or ".." in key.split("/"):
                return None  # not a summary
            groups.setdefault(key, []).append(i)
        return [
            DataFile(key, summary, groups[key], partition_of(key)) for key in sorted(groups)
        ]

    def _petastorms(self, common: Mapping[bytes, bytes]) -> list[str]:
        """Returns the files that Petastorm's metadata lists."""
        try:
            groups = json.loads(common.get(GROUPS_PER_FILE, b"{}"))
            return sorted(key for key in groups if not is_hidden(key))
        except (ValueError, TypeError, RecursionError):
            message = "Petastorm's list of row groups is not JSON"
            raise self.error(COMMON, message, "invalid_metadata") from None

    def footers(self, keys: Sequence[str], required: bool = True) -> list[Any]:
        """Returns the metadata of files, read together; None for absent ones unless they
        are required."""
        sizes = self._objects.call(lambda core: core.sizes(list(keys)))
        present = [(key, size) for key, size in zip(keys, sizes, strict=True) if size]
        tails = self.read_all([(key, (max(0, n - TAIL), n)) for key, n in present])
        found: dict[str, tuple[int, bytes]] = {}
        more: list[tuple[str, int, tuple[int, int]]] = []
        for (key, size), tail in zip(present, tails, strict=True):
            begin = self._footer_begin(key, size, tail or b"")
            if begin < size - len(tail or b""):
                more.append((key, size, (begin, size)))
            else:
                found[key] = size, tail or b""
        answers = self.read_all([(key, part) for key, _, part in more])
        for (key, size, _), answer in zip(more, answers, strict=True):
            found[key] = size, answer or b""
        out: list[Any] = []
        for key, known in zip(keys, sizes, strict=True):
            if known is None and not required:
                out.append(None)
            elif known is None:
                raise NotFound(f"{self._name_of(key)}: not found", key=key)
            else:
                out.append(self._parsed(key, *found.get(key, (known, b""))))
        return out

    def _footer_begin(self, key: str, size: int, tail: bytes) -> int:
        """Returns where a file's metadata begins. Raises Error if it has none."""
        if tail[-4:] != MAGIC or size < 12:
            encrypted = " (it is encrypted)" if tail[-4:] == b"PARE" else ""
            raise self.error(key, f"not a Parquet file{encrypted}")
        length: int = struct.unpack("<I", tail[-8:-4])[0]
        if length > size - 12:
            raise self.error(
                key, f"metadata is longer than the file (found {length} of {size} bytes)"
            )
        if length > MAX_FOOTER:
            raise self.error(
                key, f"metadata is too long (found {length} bytes)", "limit_exceeded"
            )
        return size - 8 - length

    def _parsed(self, key: str, size: int, tail: bytes) -> Any:
        pa = pyarrow()
        if size == 0 or len(tail) < 12:
            raise self.error(key, "not a Parquet file")
        footer = tail[self._footer_begin(key, size, tail) - size :]
        with self.reading(key, "not a readable Parquet file"):
            return pa.parquet.read_metadata(pa.BufferReader(MAGIC + footer))
