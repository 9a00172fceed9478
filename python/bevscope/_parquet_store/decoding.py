"""Decodes columns of row groups with pyarrow, from ranges that were read before."""

from __future__ import annotations

import inspect
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._convert.parquet import pyarrow
from .._errors import OutOfMemory
from .columns import Column
from .parquet_files import DataFile, Files

#: Encoded bytes of a column in a row group.
MAX_COLUMN_BYTES = 1 << 30
#: Ranges with up to this many bytes between them are read together.
GAP = 32 << 10

Range = tuple[int, int]


class Group(NamedTuple):
    """A row group of the data set."""

    file: DataFile
    number: int  #: in the file's metadata
    rows: int
    leaves: Mapping[str, range]  #: the leaf columns of each column of the file


class Leaves:
    """The leaf columns of a file's columns, by name."""

    def __init__(self, schema: Any) -> None:
        self.by_name: dict[str, range] = {}
        self.doubled: set[str] = set()
        at = 0
        for field in schema:
            count = _leaf_count(field.type)
            if field.name in self.by_name:
                self.doubled.add(field.name)
            self.by_name[field.name] = range(at, at + count)
            at += count
        self.count = at


def _leaf_count(arrow: Any) -> int:
    if pyarrow().types.is_dictionary(arrow) or arrow.num_fields == 0:
        return 1
    return sum(_leaf_count(arrow.field(i).type) for i in range(arrow.num_fields))


def ranges_of(files: Files, group: Group, names: Iterable[str]) -> list[Range]:
    """Returns the ranges of columns in a file, ascending, close ones joined.

    Raises Error for ranges that cannot be."""
    found = []
    for name in names:
        for leaf in group.leaves[name]:
            with files.reading(group.file.key, f"row group {group.number}, column {name}"):
                found.append(_range_of(group, leaf))
    joined: list[Range] = []
    for begin, end in sorted(found):
        if joined and begin <= joined[-1][1] + GAP:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined


def _range_of(group: Group, leaf: int) -> Range:
    column = group.file.metadata.row_group(group.number).column(leaf)
    begin, size = column.data_page_offset, column.total_compressed_size
    if column.has_dictionary_page and column.dictionary_page_offset:
        begin = min(begin, column.dictionary_page_offset)
    if begin < 4 or size < 0:
        raise ValueError(f"invalid position (found {size} bytes at {begin})")
    # Each value of a list takes a bit at least.
    largest = max(size, column.total_uncompressed_size, column.num_values // 8)
    if largest > MAX_COLUMN_BYTES:
        limit = f"(found {largest} bytes, limit {MAX_COLUMN_BYTES})"
        raise OutOfMemory(f"too large {limit}", "limit_exceeded")
    return begin, begin + size


class _Ranges:
    """A file of which ranges are in memory; others are read when they are asked for."""

    closed = False

    def __init__(
        self, files: Files, key: str, parts: Sequence[tuple[Range, bytes]]
    ) -> None:
        self._files, self._key = files, key
        self._parts = sorted(parts)
        self._begins = [part[0] for part, _ in self._parts]
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def size(self) -> int:
        return 1 << 62  # not known; reads beyond the end fail

    def close(self) -> None:
        self._parts = []

    def flush(self) -> None:
        pass

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        base = {0: 0, 1: self._at, 2: self.size()}[whence]
        self._at = base + offset
        return self._at

    def read(self, size: int | None = None) -> bytes:
        begin = self._at
        end = begin + (0 if size is None or size < 0 else size)
        at = bisect_right(self._begins, begin) - 1
        if at >= 0:
            (first, last), held = self._parts[at]
            if end <= last:
                self._at = end
                return held[begin - first : end - first]
        (found,) = self._files.read_all([(self._key, (begin, end))])
        self._at = begin + len(found or b"")
        return found or b""


def _has_dictionary(group: Group, column: Column) -> bool:
    is_string = column.kind in ("text", "bytes") or column.dtype[1] == "U"
    metadata = group.file.metadata.row_group(group.number)
    leaf: bool = metadata.column(group.leaves[column.name][0]).has_dictionary_page
    return is_string and leaf


def _options() -> dict[str, bool]:
    """Returns the options that this version of pyarrow has."""
    known = inspect.signature(pyarrow().parquet.ParquetFile.__init__).parameters
    name = "page_checksum_verification"  # since 15
    return {name: True} if name in known else {}


def decode(
    files: Files,
    group: Group,
    columns: Sequence[Column],
    parts: Sequence[tuple[Range, bytes]],
) -> Any:
    """Returns columns of a row group as a pyarrow table. Strings that are encoded by a
    dictionary stay so: repeated, they may be far longer than what is stored.

    Raises Error ("corrupt_chunk") with file, row group and column."""
    pa = pyarrow()
    names = [column.name for column in columns]
    file = pa.PythonFile(_Ranges(files, group.file.key, parts), mode="r")
    with files.reading(
        group.file.key, f"row group {group.number}, column {', '.join(names)}"
    ):
        repeated = [one.name for one in columns if _has_dictionary(group, one)]
        opened = pa.parquet.ParquetFile(
            file, metadata=group.file.metadata, read_dictionary=repeated, **_options()
        )
        table = opened.read_row_group(group.number, columns=list(names), use_threads=False)
        if table.num_rows != group.rows:
            found = f"(found {table.num_rows}, expected {group.rows})"
            raise ValueError(f"wrong number of rows {found}")
        for name in names:
            table.column(name)
    return table
