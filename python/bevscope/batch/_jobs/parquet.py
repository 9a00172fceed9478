"""Parquet files of an array's rows."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..._convert.parquet import pyarrow, require_pyarrow, table_of
from .job import Job, Put, Report, ranges

#: Of a row group, unless the task has fewer. Smaller groups take more time and room.
_GROUP_ROWS, _GROUP_BYTES = 100_000, 64 << 20


class Parquet(Job):
    """part-NUMBER.parquet: a task is a run of chunks, or with a filter a share of the
    rows that pass it. Needs pyarrow."""

    usual = {
        "array": "agents",
        "fields": None,
        "where": None,
        "chunks": 50,
        "compression": "zstd",
    }

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        require_pyarrow()

    def uses_masks(self) -> bool:
        array: str = self.options["array"]
        return array.startswith("agents_mask")

    def _chunk(self) -> int:
        array = self.dataset[self.options["array"]]
        return int(array.chunks[0]) if array.chunks else max(1, len(array))

    def tasks(self) -> list[dict[str, Any]]:
        rows, chunk = len(self.dataset[self.options["array"]]), self._chunk()
        found = ranges(rows, chunk * self.options["chunks"], "parquet: chunks")
        return [
            {"begin": a, "end": b, "part": i, "parts": len(found)}
            for i, (a, b) in enumerate(found)
        ]

    def _tables(self, task: Mapping[str, Any]) -> Any:
        """Yields the rows of a task, a chunk at a time."""
        fields = self.options["fields"]
        if self.options["where"] is not None:
            reader = self.dataset.reader(
                self.options["array"],
                where=self.options["where"],
                fields=fields,
                shard=(task["part"], task["parts"]),
                batch=self._chunk(),
            )
            names = list(reader.schema)
            for batch in reader:
                yield table_of({name: batch[name] for name in names})
            return
        array = self.dataset[self.options["array"]]
        for begin in range(task["begin"], task["end"], self._chunk()):
            rows = slice(begin, min(begin + self._chunk(), task["end"]))
            if array.dtype.names is None:
                columns = {self.options["array"].rpartition("/")[2]: array[rows]}
            else:
                columns = array.columns(fields or list(array.dtype.names), rows)
            yield table_of(columns)

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        pa, content, writer, rows = pyarrow(), io.BytesIO(), None, 0
        for table in _groups(self._tables(task)):
            if writer is None:
                writer = pa.parquet.ParquetWriter(
                    content,
                    table.schema,
                    compression=self.options["compression"],
                    use_dictionary=_repeating(table.schema),
                )
            writer.write_table(table)
            rows += len(table)
        if writer is not None:
            writer.close()
            put(f"part-{task['part']:06}.parquet", content.getvalue())
        return {"rows": rows}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        return {"rows": sum(one["rows"] for one in reports)}


def _groups(tables: Iterable[Any]) -> Iterator[Any]:
    """Yields tables that are large enough for a row group, and the rest."""
    concatenated = pyarrow().concat_tables
    found: list[Any] = []
    rows = size = 0
    for table in tables:
        found.append(table)
        rows, size = rows + len(table), size + table.nbytes
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            yield concatenated(found)
            found, rows, size = [], 0, 0
    if found:
        yield concatenated(found)


def _repeating(schema: Any) -> list[str] | bool:
    """Returns the columns with values that repeat: dictionaries of measured numbers take
    most of the time and more room."""
    types = pyarrow().types
    return [
        one.name
        for one in schema
        if not (types.is_nested(one.type) or types.is_floating(one.type))
    ] or False
