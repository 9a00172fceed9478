"""Decoded columns of row groups: what is read, and what is kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._errors import Error
from .columns import Column
from .decoding import Group, Range, decode, ranges_of
from .parquet_files import Files
from .values import MAX_BYTES, Values, values_of

#: Number of a row group, and a column's name.
GroupColumn = tuple[int, str]

#: Decoded bytes that are kept.
KEPT_BYTES = 64 << 20


class RowGroups:
    """Reads and decodes columns of row groups. Keeps the last ones: chunks that share a
    row group follow each other.

    Pickles without what is kept. Used by one thread at a time.
    """

    def __init__(
        self, files: Files, groups: Sequence[Group], columns: Mapping[str, Column]
    ) -> None:
        self._files, self._groups, self._columns = files, groups, columns
        self._kept: OrderedDict[GroupColumn, Values] = OrderedDict()
        #: Columns of variable length.
        self._wanted = [name for name, one in columns.items() if one.kind]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": OrderedDict()}

    def size_of(self, one: GroupColumn) -> int:
        """Returns the decoded bytes of a column by the footer; 0 if it is kept."""
        return 0 if one in self._kept else self._size(*one)

    def largest(self, number: int) -> int:
        """Returns the decoded bytes of the largest column of a row group."""
        return max((self._size(number, name) for name in self._wanted), default=0)

    def _size(self, number: int, name: str) -> int:
        group = self._groups[number]
        with self._files.reading(
            group.file.key, f"row group {group.number}, column {name}"
        ):
            metadata = group.file.metadata.row_group(group.number)
            leaves = map(metadata.column, group.leaves[name])
            return sum(max(0, leaf.total_uncompressed_size) for leaf in leaves)

    def decoded(self, wanted: Iterable[GroupColumn]) -> dict[GroupColumn, Values]:
        """Returns columns; those that are not kept are read together."""
        found: dict[GroupColumn, Values] = {}
        absent: dict[int, dict[str, None]] = {}
        for one in wanted:
            if one in self._kept:
                self._kept.move_to_end(one)
                found[one] = self._kept[one]
            else:
                absent.setdefault(one[0], {})[one[1]] = None
        held = self._read(absent)
        for number, names in absent.items():
            group = self._groups[number]
            columns = [self._columns[name] for name in names]
            table = decode(self._files, group, columns, held[number])
            for name in names:
                found[number, name] = self._values(group, name, table.column(name))
        for one in found:
            self._kept[one] = found[one]
        size = sum(values.nbytes for values in self._kept.values())
        # Of fields of variable length, values are asked for after the intervals.
        while size > KEPT_BYTES and len(self._kept) > 1:
            size -= self._kept.popitem(last=False)[1].nbytes
        return found

    def _read(
        self, wanted: Mapping[int, Iterable[str]]
    ) -> dict[int, list[tuple[Range, bytes]]]:
        """Returns the encoded bytes of columns by row group."""
        ranges: list[tuple[int, Range]] = []
        for number, names in wanted.items():
            group = self._groups[number]
            for name in names:
                self._check_size(group, name)
            ranges += [(number, one) for one in ranges_of(self._files, group, names)]
        answers = self._files.read_all(
            [(self._groups[number].file.key, one) for number, one in ranges]
        )
        held: dict[int, list[tuple[Range, bytes]]] = {}
        for (number, (begin, end)), answer in zip(ranges, answers, strict=True):
            if answer is None or len(answer) != end - begin:
                group = self._groups[number]
                raise self._error(group, f"truncated (expected {end - begin} bytes)")
            held.setdefault(number, []).append(((begin, end), answer))
        return held

    def _values(self, group: Group, name: str, column: Any) -> Values:
        with self._files.reading(
            group.file.key, f"row group {group.number}, column {name}"
        ):
            return values_of(self._columns[name], column)

    def _check_size(self, group: Group, name: str) -> None:
        column = self._columns[name]
        size = group.rows * column.row_bytes
        if column.kind == "array":
            leaf = group.file.metadata.row_group(group.number).column(group.leaves[name][0])
            size = max(size, leaf.num_values * np.dtype(column.dtype).itemsize)
        if size > MAX_BYTES:
            limit = f"(found {size} bytes, limit {MAX_BYTES})"
            raise self._error(group, f"column {name}: too large {limit}", "limit_exceeded")

    def _error(self, group: Group, message: str, code: str = "corrupt_chunk") -> Error:
        where = f"row group {group.number}"
        return self._files.error(group.file.key, f"{where}, {message}", code)
