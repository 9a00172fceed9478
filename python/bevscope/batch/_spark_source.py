"""Spark's data source "bevscope"."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import datasource as ds
from pyspark.sql.pandas.types import from_arrow_schema

from .._convert.parquet import pyarrow
from ._tables import Rows, Tree, Writer, compared, signed

_OPS = {"EqualTo": "==", "EqualNullSafe": "==", "LessThan": "<", "LessThanOrEqual": "<=",
        "GreaterThan": ">", "GreaterThanOrEqual": ">="}  # fmt: skip


class BevscopeSource(ds.DataSource):
    """Options to read: path, array (agents), fields (separated by commas), where (a filter
    as JSON tree), partitions (64), pushdown (true). To write: path, shapes (JSON), and
    those of DataConfig.

    Spark refuses a source with push-down of filters unless
    spark.sql.python.filterPushdown.enabled is set: see register()."""

    @classmethod
    def name(cls) -> str:
        return "bevscope"

    def _rows(self) -> Rows:
        fields, where = self.options.get("fields"), self.options.get("where")
        return Rows(
            self.options["path"],
            self.options.get("array", "agents"),
            [one.strip() for one in fields.split(",")] if fields else None,
            [json.loads(where)] if where else None,
        )

    def schema(self) -> Any:
        empty = self._rows().schema().empty_table()
        return from_arrow_schema(signed(empty).schema)

    def reader(self, schema: Any) -> _Reader:
        pushes = self.options.get("pushdown", "true").lower() != "false"
        kind = _FilteringReader if pushes else _Reader
        return kind(self._rows(), int(self.options.get("partitions", 64)))

    def writer(self, schema: Any, overwrite: bool) -> _Writer:
        known = ("name", "compressor", "max_object_size", "zarr_format")
        options = {k: _value(v) for k, v in self.options.items() if k in known}
        shapes = json.loads(self.options.get("shapes", "{}"))
        mode = "replace" if overwrite else "append"
        return _Writer(Writer(self.options["path"], shapes, mode, **options))


def _value(text: str) -> Any:
    return int(text) if text.isdigit() else text


class _Share(ds.InputPartition):
    def __init__(self, share: int, shares: int) -> None:
        self.share, self.shares = share, shares


class _Reader(ds.DataSourceReader):
    def __init__(self, rows: Rows, shares: int) -> None:
        self.rows, self.wanted = rows, shares

    def partitions(self) -> list[_Share]:
        shares = self.rows.shares(self.wanted)
        return [_Share(share, shares) for share in range(shares)]

    def read(self, partition: _Share) -> Iterator[Any]:
        for table in self.rows.read(partition.share, partition.shares):
            yield from signed(table).to_batches()


class _FilteringReader(_Reader):
    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # noqa: N802
        """Takes the filters that can be expressed; Spark evaluates the others."""
        pa, types = pyarrow(), {one.name: one.type for one in self.rows.schema()}
        for one in filters:
            name = one.attribute[0] if len(getattr(one, "attribute", ())) == 1 else None
            type = types.get(name)
            tree = None
            if name is not None and type is not None and not pa.types.is_nested(type):
                tree = _tree(one, name, type)
            if tree is None:
                yield one
            else:
                self.rows.where.append(tree)


def _tree(one: Any, name: str, field: Any) -> Tree | None:
    """Returns a filter of Spark on a field of an Arrow type, as a filter of the reader."""
    kind = type(one).__name__
    if kind in _OPS:
        return compared(name, _OPS[kind], one.value, field, nan_is_greatest=True)
    if kind == "In":
        trees = [compared(name, "==", value, field) for value in one.value]
        return None if None in trees or not trees else {"op": "or", "args": trees}
    return None


class _Message(ds.WriterCommitMessage):
    def __init__(self, rows: int) -> None:
        self.rows = rows


class _Writer(ds.DataSourceArrowWriter):
    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def write(self, iterator: Iterator[Any]) -> _Message:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        first = next(iterator, None)
        if first is None:
            return _Message(0)
        pa = pyarrow()
        tables = (
            pa.Table.from_batches([one])
            for batches in ([first], iterator)
            for one in batches
        )
        return _Message(self.writer.write(context.partitionId(), first.schema, tables))

    def commit(self, messages: list[Any]) -> None:
        self.writer.commit()

    def abort(self, messages: list[Any]) -> None:
        self.writer.abort()
