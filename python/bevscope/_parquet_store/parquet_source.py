"""A Parquet data set as a store with one table, whose chunks are decoded on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._errors import Error
from .columns import Column, column_of
from .decoding import Group, Leaves, Range
from .footer_statistics import limits_in, statistics_of
from .layout import Layout, chunk_rows_of
from .parquet_files import NULL_KEY, DataFile, Files
from .row_groups import GroupColumn, RowGroups

Array = npt.NDArray[Any]

TABLE = "rows"
STATISTICS = ".bevscope/statistics.json"
#: Encoded bytes that are read before they are decoded.
ROUND_BYTES = 64 << 20
MAX_ROWS = 1 << 52

Request = tuple[str, "Range | None"]


class Chunk(NamedTuple):
    """A chunk that is asked for."""

    place: int  #: of the request
    column: Column
    number: int


class ParquetSource:
    """Opens a data set: reads the footers of its files.

    Pickles with the footers. Reads of several threads take turns.

    Args:
        address: a file, a folder, files, or what `bevscope.open` takes of sources.
        options: "cache" and "cache_limit", as of `bevscope.open`.
    """

    def __init__(self, address: Any, options: Mapping[str, Any]) -> None:
        self._files = Files(address, options)
        self.address = self._files.address
        self.common = self._files.common_metadata()
        found = self._files.data_files(self.common)
        self._columns = self._columns_of(found)
        self._groups = list(self._groups_of(found))
        fields = [one for one in self._columns.values() if one.dtype]
        if not fields:
            raise Error(f"{self._shown}: no column of a supported type", "unsupported")
        lengths = [group.rows for group in self._groups]
        by_file = {one.key: list[int]() for one in found}
        for group in self._groups:
            by_file[group.file.key].append(group.rows)
        widest = max(one.row_bytes for one in fields)
        self._layout = Layout(lengths, chunk_rows_of([*by_file.values()], widest))
        self._paths = {f"{TABLE}/{one.name}": one for one in fields}
        self._documents = self._made_documents(len(found))
        self._row_groups = RowGroups(self._files, self._groups, self._columns)
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    @property
    def _shown(self) -> str:
        return str(self._files.error("", "").args[0]).rstrip(": ")

    @property
    def columns(self) -> Sequence[Column]:
        return list(self._columns.values())

    def _columns_of(self, files: Sequence[DataFile]) -> dict[str, Column]:
        """Returns the columns of all files, which must be the same, and partition keys."""
        first: dict[str, Column] = {}
        known: Any = None
        for file in files:
            if file.metadata is known:
                continue  # of several files
            known = file.metadata
            with self._files.reading(file.key, "schema"):
                schema = known.schema.to_arrow_schema()
                leaves = Leaves(schema)
                if leaves.count != known.num_columns:
                    raise ValueError(
                        f"{leaves.count} columns instead of {known.num_columns}"
                    )
            found = {one.name: column_of(one.name, one.type) for one in schema}
            for name in leaves.doubled:
                found[name] = Column(name, found[name].arrow, refused="it is given twice")
            if not first:
                first = found
            elif found != first:
                self._refuse(file, found, first, files[0].key)
        keys = [tuple(name for name, _ in file.partition) for file in files]
        for file, names in zip(files, keys, strict=True):
            if names != keys[0] or len(set(names)) != len(names) or first.keys() & names:
                raise self._files.error(
                    file.key,
                    f"partition keys {', '.join(names) or 'none'} (expected "
                    f"{', '.join(keys[0]) or 'none'}, and no columns of these names)",
                    "invalid_metadata",
                )
        for at, name in enumerate(keys[0]):
            values = [file.partition[at][1] for file in files]
            first[name] = _partition_column(name, values)
        return first

    def _refuse(
        self,
        file: DataFile,
        found: Mapping[str, Column],
        first: Mapping[str, Column],
        key: str,
    ) -> None:
        """Raises the error of a file whose columns differ from the first file's."""
        for name in sorted({*found, *first}):
            one, other = found.get(name), first.get(name)
            if one != other:
                raise self._files.error(
                    file.key,
                    f"column {name}: type differs from that of {key} (found "
                    f"{one.arrow if one else 'none'}, expected "
                    f"{other.arrow if other else 'none'})",
                    "invalid_metadata",
                )

    def _groups_of(self, files: Sequence[DataFile]) -> Iterator[Group]:
        total = 0
        leaves, known = None, None
        for file in files:
            if leaves is None or file.metadata is not known:
                known = file.metadata
                leaves = Leaves(known.schema.to_arrow_schema()).by_name
            for index in file.groups:
                with self._files.reading(file.key, f"row group {index}"):
                    rows = file.metadata.row_group(index).num_rows
                total += max(rows, 0)
                if rows < 0 or total > MAX_ROWS:
                    raise self._files.error(
                        file.key,
                        f"row group {index}: invalid number of rows (found {rows})",
                    )
                yield Group(file, index, rows, leaves)

    def _made_documents(self, files: int) -> dict[str, bytes]:
        record = [
            [one.name, _record_dtype(one), *([list(one.shape)] if one.shape else [])]
            for one in self._paths.values()
        ]
        documents: dict[str, object] = {
            ".zgroup": {"zarr_format": 2},
            ".zattrs": {
                "bevscope_columns": {"version": 1, "tables": {TABLE: record}},
                "parquet": {
                    "files": files,
                    "row_groups": len(self._groups),
                    "columns": [one.described() for one in self._columns.values()],
                },
            },
        }
        for path, one in self._paths.items():
            documents[f"{path}/.zarray"] = {
                "zarr_format": 2,
                "shape": [self._layout.rows, *one.shape],
                "chunks": [self._layout.chunk_rows, *one.shape],
                "dtype": one.dtype,
                "compressor": None,
                "filters": None,
                "fill_value": None,
                "order": "C",
            }
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
        for index, (key, part) in enumerate(requests):
            path, _, name = key.rpartition("/")
            number = name.split(".")[0]
            if path in self._paths and number.isdigit():
                chunks.append(Chunk(index, self._paths[path], int(number)))
            else:
                yield index, _part_of(self._document(key), part)
        for index, found in self._chunks(chunks):
            part = requests[index][1]
            yield index, found if part is None else found[part[0] : part[1]]

    def _document(self, key: str) -> bytes | None:
        if key == STATISTICS and key not in self._documents:
            columns = [
                (path, column, self._limits_of(column))
                for path, column in self._paths.items()
                if not column.shape
            ]
            self._documents[key] = statistics_of(self._layout, columns)
        return self._documents.get(key)

    def _limits_of(self, column: Column) -> Any:
        if column.arrow is None:
            values = self._partition_values(column)
            if column.dtype == "<i8":
                return lambda group: (int(values[group]), int(values[group]))
            return lambda group: values[group]
        return lambda group: limits_in(
            column, self._groups[group], self._leaves_of(group, column.name)[0]
        )

    def _partition_values(self, column: Column) -> list[str]:
        """Returns the key's value of each row group."""
        return [dict(group.file.partition)[column.name] for group in self._groups]

    def _leaves_of(self, group: int, name: str) -> range:
        return self._groups[group].leaves[name]

    def _chunks(self, chunks: Sequence[Chunk]) -> Iterator[tuple[int, Any]]:
        """Yields the bytes of chunks, after their index."""
        with self._lock:
            waiting = [one for one in chunks if one.number < self._layout.chunks]
            for one in chunks:
                if one.number >= self._layout.chunks:
                    yield one.place, None
            while waiting:
                count = self._count_of_round(waiting)
                needed = [pair for one in waiting[:count] for pair in self._needed(one)]
                decoded = self._row_groups.decoded(needed)
                for one in waiting[:count]:
                    yield one.place, self._assembled(one, decoded)
                waiting = waiting[count:]

    def _needed(self, chunk: Chunk) -> Iterator[GroupColumn]:
        """Yields the columns of row groups that a chunk consists of."""
        if chunk.column.arrow is not None:
            for part in self._layout.parts(chunk.number):
                yield part.group, chunk.column.name

    def _count_of_round(self, waiting: Sequence[Chunk]) -> int:
        """Returns how many chunks are read together."""
        size, seen = 0, set[GroupColumn]()
        for count, chunk in enumerate(waiting):
            new = {*self._needed(chunk)} - seen
            seen |= new
            size += sum(map(self._row_groups.encoded_bytes, new))
            if size > ROUND_BYTES and count > 0:
                return count
        return len(waiting)

    def _assembled(self, chunk: Chunk, decoded: Mapping[GroupColumn, Array]) -> Any:
        column = chunk.column
        out = np.zeros((self._layout.chunk_rows, *column.shape), column.dtype)
        constants = self._partition_values(column) if column.arrow is None else None
        for group, begin, end, at in self._layout.parts(chunk.number):
            rows = out[at : at + end - begin]
            if constants is None:
                rows[:] = decoded[group, column.name][begin:end]
            elif column.dtype == "<i8":
                rows[:] = int(constants[group])
            else:
                rows[:] = constants[group].encode()
        return out.reshape(-1).view(np.uint8).data


def _part_of(found: bytes | None, part: Range | None) -> bytes | None:
    return found if found is None or part is None else found[part[0] : part[1]]


def _record_dtype(column: Column) -> str:
    """Returns the dtype of the table's field: text is stored as UTF-8."""
    if column.dtype[1] != "S":
        return column.dtype
    return f"<U{np.dtype(column.dtype).itemsize // 4}"


def _partition_column(name: str, values: Sequence[str]) -> Column:
    """Returns the column of a partition key: integers if all values are, otherwise text."""
    if NULL_KEY in values:
        return Column(name, None, refused="a value is null")
    if all(_is_integer(value) for value in values):
        return Column(name, None, "<i8")
    longest = max(1, *(len(value) for value in values))
    return Column(name, None, f"|S{4 * longest}")


def _is_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 19
    return is_number and str(int(text)) == text and -(2**63) <= int(text) < 2**63
