"""A Parquet data set as a store with one table, whose chunks are decoded on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._errors import Error
from .columns import Column
from .decoding import Range
from .footer_statistics import limits_in, statistics_of
from .layout import Layout, chunk_rows_of
from .parquet_files import NULL_KEY, Files
from .row_groups import GroupColumn, RowGroups
from .schema import columns_of, groups_of, nulls_in, with_nulls
from .stored_arrays import STRIDE, TABLE, StoredArray, arrays_of, field_of
from .values import Values

Array = npt.NDArray[Any]

STATISTICS = ".bevscope/statistics.json"
#: Decoded bytes that are read together, about.
ROUND_BYTES = 128 << 20

Request = tuple[str, "Range | None"]


class Chunk(NamedTuple):
    """A chunk that is asked for, or a range of its bytes."""

    place: int  #: of the request
    array: StoredArray
    number: int
    range: Range | None


class ParquetSource:
    """Opens a data set: reads the footers of its files.

    Pickles with the footers. Reads of several threads take turns.

    Args:
        address: a file, a folder, files, or what `bevscope.open` takes of sources.
        options: "cache" and "cache_limit", as of `bevscope.open`.
        text: characters of columns of text that are stored as of one length.
    """

    def __init__(
        self, address: Any, options: Mapping[str, Any], text: Mapping[str, int]
    ) -> None:
        self._files = Files(address, options)
        self.address = self._files.address
        common = self._files.common_metadata()
        found = self._files.data_files(common)
        columns = columns_of(self._files, found, common, text)
        self._groups = list(groups_of(self._files, found))
        self._columns = with_nulls(columns, self._groups)
        fields = [one for one in self._columns.values() if one.dtype]
        if not fields:
            raise Error("parquet: no column of a supported type", "unsupported")
        self._row_groups = RowGroups(self._files, self._groups, self._columns)
        by_file = {one.key: list[int]() for one in found}
        for group in self._groups:
            by_file[group.file.key].append(group.rows)
        widest = max(one.row_bytes for one in fields)
        chunk_rows = chunk_rows_of([*by_file.values()], widest)
        self._layout = Layout([group.rows for group in self._groups], chunk_rows)
        sizes = [self._row_groups.largest(number) for number in range(len(self._groups))]
        self._arrays = arrays_of(fields, self._layout.rows, chunk_rows, sizes)
        self._documents = self._made_documents(fields, len(found))
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def _made_documents(self, fields: Sequence[Column], files: int) -> dict[str, bytes]:
        tables = {TABLE: [field_of(one) for one in fields]}
        documents: dict[str, object] = {
            ".zgroup": {"zarr_format": 2},
            ".zattrs": {
                "bevscope_fields": {"version": 1, "tables": tables},
                "parquet": {
                    "files": files,
                    "row_groups": len(self._groups),
                    "columns": [one.described() for one in self._columns.values()],
                },
            },
        }
        for path, array in self._arrays.items():
            documents[f"{path}/.zarray"] = array.document()
        listing = {"zarr_consolidated_format": 1, "metadata": documents}
        return {".zmetadata": json.dumps(listing).encode()}

    # The protocol of a source.

    def read(self, key: str, range: Range | None) -> Any:
        return next(self.read_all([(key, range)]))[1]

    def size(self, key: str) -> int | None:
        found = self.read(key, None)
        return None if found is None else len(found)

    def read_all(self, requests: Sequence[Request]) -> Iterator[tuple[int, Any]]:
        chunks: list[Chunk] = []
        for place, (key, part) in enumerate(requests):
            path, _, name = key.rpartition("/")
            number = name.split(".")[0]
            if path in self._arrays and number.isdigit():
                chunks.append(Chunk(place, self._arrays[path], int(number), part))
            else:
                yield place, _part_of(self._document(key), part)
        yield from self._read_chunks(chunks)

    def _document(self, key: str) -> bytes | None:
        if key == STATISTICS and key not in self._documents:
            arrays = [one for one in self._arrays.values() if one.role != "values"]
            known = [
                (one, self._known_of(one))
                for one in arrays
                if not one.shape or one.role == "valid"
            ]
            self._documents[key] = statistics_of(self._layout, known)
        return self._documents.get(key)

    def _known_of(self, array: StoredArray) -> Callable[[int], Any]:
        """Returns a function that returns what is known of an array in a row group: limits,
        or a text that all rows have."""
        column = array.column
        keys = None if column.arrow is not None else self._keys_of(column)

        def of_group(number: int) -> Any:
            group = self._groups[number]
            if array.role == "valid":
                nulls = nulls_in(group, column.name) if keys is None else 0
                if keys is not None and keys[number] == NULL_KEY:
                    nulls = group.rows
                return (
                    (int(nulls == 0), int(nulls != group.rows))
                    if nulls is not None
                    else None
                )
            if keys is None:
                return limits_in(column, group, group.leaves[column.name][0])
            if keys[number] == NULL_KEY:
                return None
            key = keys[number]
            return key if column.dtype[1] == "U" else (int(key), int(key))

        return of_group

    def _keys_of(self, column: Column) -> list[str]:
        """Returns a partition key's value of each row group."""
        return [dict(group.file.partition)[column.name] for group in self._groups]

    def _read_chunks(self, chunks: Sequence[Chunk]) -> Iterator[tuple[int, Any]]:
        """Yields the bytes of chunks, after their place."""
        with self._lock:
            waiting = list(chunks)
            while waiting:
                count = self._count_of_round(waiting)
                needed = [pair for one in waiting[:count] for pair in self._needed(one)]
                decoded = self._row_groups.decoded(needed)
                for one in waiting[:count]:
                    found = self._assembled(one, decoded)
                    data = found.reshape(-1).view(np.uint8).data
                    yield one.place, data if one.range is None else _cut(data, one.range)
                waiting = waiting[count:]

    def _needed(self, chunk: Chunk) -> Iterator[GroupColumn]:
        """Yields the columns of row groups that a chunk consists of."""
        array, number = chunk.array, chunk.number
        name = array.column.name
        if array.column.arrow is None:
            return
        if array.role == "values":
            group = number * array.chunk // STRIDE
            if group < len(self._groups):
                yield group, name
            return
        for part in self._layout.parts(number):
            yield part.group, name

    def _count_of_round(self, waiting: Sequence[Chunk]) -> int:
        """Returns how many chunks are read together."""
        size, seen = 0, set[GroupColumn]()
        for count, chunk in enumerate(waiting):
            new = {*self._needed(chunk)} - seen
            seen |= new
            size += sum(map(self._row_groups.size_of, new))
            if size > ROUND_BYTES and count > 0:
                return count
        return len(waiting)

    def _assembled(self, chunk: Chunk, decoded: Mapping[GroupColumn, Values]) -> Array:
        array, column = chunk.array, chunk.array.column
        out = np.zeros((array.chunk, *array.shape), array.dtype)
        if array.role == "values":
            first = chunk.number * array.chunk
            found = decoded[first // STRIDE, column.name].elements
            found = found.reshape(-1, *array.shape)
            begin = first % STRIDE
            rows = found[begin : begin + array.chunk]
            out[: len(rows)] = rows
            return out
        keys = self._keys_of(column) if column.arrow is None else None
        for group, begin, end, at in self._layout.parts(chunk.number):
            rows = out[at : at + end - begin]
            if keys is not None:
                rows[...] = _of_key(array, keys[group])
            else:
                rows[...] = _rows_of(array, decoded[group, column.name], group, begin, end)
        return out


def _of_key(array: StoredArray, key: str) -> Any:
    """Returns what the rows of a partition have in an array."""
    if array.role == "valid":
        return key != NULL_KEY
    shown = "" if key == NULL_KEY else key
    return shown if array.dtype[1] == "U" else int(shown or 0)


def _rows_of(array: StoredArray, found: Values, group: int, begin: int, end: int) -> Any:
    """Returns rows of a column of a row group, as an array has them."""
    if array.role == "valid":
        return True if found.valid is None else found.valid[begin:end]
    if found.offsets is None:
        return found.elements[begin:end]
    offsets = found.offsets[begin : end + 1] + group * STRIDE
    return np.stack([offsets[:-1], offsets[1:]], 1)


def _cut(data: Any, part: Range) -> Any:
    return data[part[0] : part[1]]


def _part_of(found: bytes | None, part: Range | None) -> bytes | None:
    return found if found is None or part is None else _cut(found, part)
