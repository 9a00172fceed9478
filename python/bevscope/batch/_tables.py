"""Rows of arrays as Arrow tables, as Ray Data and Spark read and write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .._convert.parquet import pyarrow
from .._data.dataset import Dataset
from .._errors import InvalidArgument, Unsupported
from .._saved.config import DataConfig
from .._saved.saver import DataSaver, commit_parts, discard_parts
from ..arrow import Table

#: A condition of a filter, as docs/filters.md has it in JSON.
Tree = dict[str, Any]


class Rows:
    """Rows of an array, in shares that are read independently. Pickles as its arguments.

    Args:
        address: of the data set.
        array: path of an array.
        fields: fields to read; None for all of the array.
        where: conditions that all must hold, as text or trees.
    """

    def __init__(
        self,
        address: str,
        array: str = "agents",
        fields: list[str] | None = None,
        where: list[str | Tree] | None = None,
    ) -> None:
        self.address, self.array = address, array
        self.fields, self.where = fields, list(where or [])

    def _reader(self, share: int, shares: int, batch: int) -> Any:
        shard = {"index": share, "count": shares, "mode": "blocks", "allow_empty": True}
        where: Any = None
        if self.where:
            where = self.where[0]
        if len(self.where) > 1:
            where = {"op": "and", "args": [_tree_of(one) for one in self.where]}
        dataset = Dataset(self.address)
        return dataset.reader(
            self.array, where=where, fields=self.fields, shard=shard, batch=batch
        )

    def schema(self) -> Any:
        """Returns the schema of the tables."""
        fields = self._reader(0, 1, 1).schema
        empty = {
            name: np.zeros((0, *shape), dtype) for name, (dtype, shape) in fields.items()
        }
        return pyarrow().table(Table(empty)).schema

    def size(self) -> tuple[int, int]:
        """Returns the number of rows, and of their bytes, without the filter."""
        array = Dataset(self.address)[self.array]
        fields = self._reader(0, 1, 1).schema.values()
        row = sum(dtype.itemsize * int(np.prod(shape)) for dtype, shape in fields)
        return len(array), len(array) * row

    def shares(self, wanted: int) -> int:
        """Returns a number of shares, at most one per chunk."""
        array = Dataset(self.address)[self.array]
        chunk = array.chunks[0] if array.chunks else max(1, len(array))
        return max(1, min(wanted, -(-len(array) // chunk)))

    def read(self, share: int, shares: int, batch: int = 16_384) -> Iterator[Any]:
        """Yields the rows of a share as tables."""
        for rows in self._reader(share, shares, batch):
            yield pyarrow().table(Table(rows))


def _tree_of(where: str | Tree) -> Tree:
    if isinstance(where, str):
        raise InvalidArgument(
            "where: give a tree (docs/filters.md) to add conditions to it (found text)"
        )
    return where


def signed(table: Any) -> Any:
    """Returns a table with types that Spark has: signed integers, lists of any length.

    Raises pyarrow's error for an integer above 2^63 - 1."""
    pa = pyarrow()
    types = [pa.field(one.name, _signed_type(one.type)) for one in table.schema]
    return table.cast(pa.schema(types))


def _signed_type(type: Any) -> Any:
    pa = pyarrow()
    if pa.types.is_fixed_size_list(type) or pa.types.is_list(type):
        return pa.list_(pa.field("item", _signed_type(type.value_type)))
    wider = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.int64(),
        pa.float16(): pa.float32(),
    }
    return wider.get(type, pa.binary() if pa.types.is_fixed_size_binary(type) else type)


def compared(
    name: str, op: str, value: Any, type: Any, *, nan_is_greatest: bool = False
) -> Tree | None:
    """Returns a comparison of a field with a value that holds for the rows for which it
    holds in an engine. None if it may not: engines round integers to floats.

    Args:
        type: Arrow's type of the field.
        nan_is_greatest: as in Spark; otherwise as IEEE 754 has it.
    """
    literal = _literal(value, op, type)
    if literal is None:
        return None
    field = {"field": name}
    tree: Tree = {"op": op, "args": [field, literal]}
    is_greater = nan_is_greatest and op in (">", ">=")
    if is_greater and pyarrow().types.is_floating(type):
        return {"op": "or", "args": [tree, {"op": "isnan", "args": [field]}]}
    return tree


#: The largest integers that floats of these bits have exactly, with all before.
_EXACT = {16: 2**11, 32: 2**24, 64: 2**53}


def _literal(value: Any, op: str, type: Any) -> Any:
    """Returns a value as a filter's literal; None if there is none of equal meaning."""
    types = pyarrow().types
    if isinstance(value, str):
        return value if types.is_string(type) and op in ("==", "!=") else None
    if isinstance(value, (bool, np.bool_)):
        return int(value) if types.is_boolean(type) else None
    if isinstance(value, (int, np.integer)):
        whole = int(value)
        if types.is_floating(type):
            return whole if abs(whole) <= _EXACT[type.bit_width] else None
        exact = whole if abs(whole) <= 2**53 else {"integer": str(whole)}
        return exact if types.is_integer(type) else None
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        number = float(value)
        if types.is_integer(type):
            return number if abs(number) < 2**53 else None
        return number if types.is_floating(type) else None
    return None


class Writer:
    """Saves Arrow tables as a data set: each task with a number of its own, and one
    commit. A repeated task replaces what it wrote before.

    Args:
        store: path of the data set.
        shapes: of the rows of fields that are lists.
        mode: "create", "append" or "replace".
        options: of DataConfig.
    """

    def __init__(
        self,
        store: str,
        shapes: Mapping[str, Any] | None = None,
        mode: str = "create",
        **options: Any,
    ) -> None:
        self.store, self.mode = store, mode
        self.shapes = {name: tuple(one) for name, one in (shapes or {}).items()}
        self.options = options

    def config(self, schema: Any) -> DataConfig:
        """Returns the config of tables with this schema."""
        attributes = {one.name: self._dtype(one) for one in schema}
        return DataConfig(
            self.options.get("name", "rows"),
            attributes,
            **{name: one for name, one in self.options.items() if name != "name"},
        )

    def _dtype(self, field: Any) -> Any:
        pa, type = pyarrow(), field.type
        shape: tuple[int, ...] = ()
        while pa.types.is_fixed_size_list(type):
            shape, type = (*shape, type.list_size), type.value_type
        while pa.types.is_list(type) or pa.types.is_large_list(type):
            shape, type = self.shapes.get(field.name, ()), type.value_type
        if not shape and (
            pa.types.is_list(field.type) or pa.types.is_large_list(field.type)
        ):
            raise InvalidArgument(
                f"{field.name}: a list; give the shape of its rows, for example "
                f'{{"{field.name}": [2]}}'
            )
        if not (
            pa.types.is_integer(type)
            or pa.types.is_floating(type)
            or pa.types.is_boolean(type)
        ):
            raise Unsupported(f"{field.name}: cannot be saved (found {field.type})")
        return np.dtype((np.dtype(type.to_pandas_dtype()), shape))

    def write(self, task: int, schema: Any, tables: Iterator[Any]) -> int:
        """Saves the tables of a task and returns the number of rows."""
        config = self.config(schema)
        saver = DataSaver(
            config, self.store, saver=task, mode=self.mode, commit=False, resume=True
        )
        if saver.batches or saver.rows:
            saver.abort()
            del saver
            return self.write(task, schema, tables)
        rows = 0
        with saver:
            for table in tables:
                if len(table):
                    saver.save(
                        {
                            one.name: _values(table[one.name], config, one.name)
                            for one in schema
                        }
                    )
                rows += len(table)
        return rows

    def commit(self) -> int:
        """Publishes the rows of all tasks; returns their number."""
        return commit_parts(self.store)

    def abort(self) -> None:
        """Removes the rows of all tasks."""
        discard_parts(self.store)


def _values(column: Any, config: DataConfig, name: str) -> Any:
    """Returns a column as an array of the config's dtype."""
    pa, dtype = pyarrow(), config.attributes[name]
    if column.null_count:
        raise Unsupported(f"{name}: null values cannot be saved")
    count, flat = len(column), column.combine_chunks()
    if isinstance(flat, pa.ChunkedArray):
        flat = pa.concat_arrays(flat.chunks)
    while (
        not isinstance(flat, pa.Array)
        or hasattr(flat, "flatten")
        and (pa.types.is_nested(flat.type))
    ):
        flat = flat.flatten()
    values = flat.to_numpy(zero_copy_only=False)
    try:
        return values.reshape(count, *dtype.shape)
    except ValueError:
        raise InvalidArgument(
            f"{name}: lists of other lengths than {dtype.shape} (found {len(values)} "
            f"values in {count} rows)"
        ) from None
