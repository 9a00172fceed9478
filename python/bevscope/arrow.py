"""Arrow tables of arrays and columns, for pyarrow, Polars, DuckDB and others.

They take objects with the method `__arrow_c_stream__` (Arrow's PyCapsule interface), which
`bevscope.Array` and `bevscope.arrow.Table` have. No package for Arrow is needed here.

Numbers share the memory of NumPy's arrays. Sub-arrays become fixed-size lists. Booleans
and strings are converted: Arrow packs booleans into bits and stores strings as UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InvalidArgument, Unsupported
from ._streams.ragged import Ragged

Column = npt.NDArray[Any]
#: A type as the core takes it: name, format, fields.
Field = tuple[str, str, list[Any]]
#: Values as the core takes them: length, buffers, values of the fields.
Values = tuple[int, list[Any], list[Any]]

#: Arrow's format of NumPy's types, by kind and size.
_FORMATS = {
    "b1": "b", "i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I",
    "i8": "l", "u8": "L", "f2": "e", "f4": "f", "f8": "g",
}  # fmt: skip


def _format_of(name: str, dtype: np.dtype[Any]) -> str:
    if dtype.kind == "U":
        return "u"
    if dtype.kind in "SV" and dtype.names is None and dtype.itemsize:
        return f"w:{dtype.itemsize}"
    try:
        return _FORMATS[f"{dtype.kind}{dtype.itemsize}"]
    except KeyError:
        raise Unsupported(f"{name}: Arrow has no such type (found {dtype})") from None


def _field_of(name: str, dtype: np.dtype[Any], axes: tuple[int, ...]) -> Field:
    """Returns the type of a column whose rows have the shape `axes`."""
    if axes:
        return name, f"+w:{axes[0]}", [_field_of("item", dtype, axes[1:])]
    return name, _format_of(name, dtype), []


def _utf8_of(column: Column) -> tuple[Column, Column]:
    """Returns the offsets and the UTF-8 of strings."""
    width = column.dtype.itemsize // 4
    codes = np.ascontiguousarray(column.astype(f"<U{width}", copy=False))
    letters = codes.view("<u4").reshape(len(column), width)
    if letters.size and letters.max() > 127:
        encoded = np.char.encode(column, "utf-8")
        width = encoded.dtype.itemsize
        letters = np.ascontiguousarray(encoded).view(np.uint8).reshape(len(column), width)
    # As in NumPy, zeros after the last letter are not part of a string.
    used = letters != 0
    lengths = np.where(used.any(axis=1), width - used[:, ::-1].argmax(axis=1), 0)
    offsets = np.zeros(len(column) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    if offsets[-1] > np.iinfo(np.int32).max:
        raise Unsupported(f"strings: too long for a column (found {offsets[-1]} bytes)")
    inside = np.arange(width) < lengths[:, None]
    return offsets.astype(np.int32), letters[inside].astype(np.uint8)


def _values_of(column: Column, axes: tuple[int, ...]) -> Values:
    """Returns the values of a column without its axes, in nested lists of Arrow."""
    if axes:
        flat = column.reshape(len(column) * axes[0], *axes[1:])
        return len(column), [None], [_values_of(flat, axes[1:])]
    if column.dtype.kind == "U":
        return len(column), [None, *_utf8_of(column)], []
    if column.dtype.kind == "b":
        return len(column), [None, np.packbits(column, bitorder="little")], []
    native = column.astype(column.dtype.newbyteorder("="), copy=False)
    return len(column), [None, np.ascontiguousarray(native).view(np.uint8)], []


def _batch_of(columns: Mapping[str, Column], length: int) -> Values:
    values = [_values_of(one, one.shape[1:]) for one in columns.values()]
    return length, [None], values


class Table:
    """Columns as an Arrow table: `pyarrow.table(Table(columns))`.

    Args:
        columns: arrays of shape (n, ...) by name, as `Dataset.columns` returns them.
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.columns = {name: np.asarray(one) for name, one in columns.items()}
        lengths = {one.shape[:1] for one in self.columns.values()}
        if len(lengths) > 1 or () in lengths:
            raise InvalidArgument(f"columns: lengths differ (found {sorted(lengths)})")
        self._length = min(lengths, default=(0,))[0]

    def __len__(self) -> int:
        return self._length

    def _schema(self) -> Field:
        fields = [
            _field_of(name, one.dtype, one.shape[1:]) for name, one in self.columns.items()
        ]
        return "", "+s", fields

    def __arrow_c_schema__(self) -> object:
        return _core.arrow_schema(self._schema())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns one record batch as an Arrow stream (a PyCapsule)."""
        batches = iter([_batch_of(self.columns, self._length)])
        return _core.arrow_stream(self._schema(), lambda: next(batches, None))


class Exporting(Protocol):
    """What exports itself to Arrow, such as `bevscope.Array`."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self) -> object: ...


def schema_of(array: Exporting) -> object:
    """Returns the schema of an array as Arrow's C structure (a PyCapsule)."""
    return array.__arrow_c_schema__()


def stream_of(array: Exporting) -> object:
    """Returns the rows of an array as an Arrow stream (a PyCapsule).

    A record batch holds the rows of a chunk, which is read when the consumer asks for it.
    """
    return array.__arrow_c_stream__()


def _ragged_field(name: str, field: Ragged) -> tuple[Any, ...]:
    """Returns the type of a column that varies in length, or may be null."""
    if field.kind == "text":
        return name, "u", [], field.nullable
    if field.kind in ("", "array"):
        assert field.dtype is not None
        axes = tuple(length or 0 for length in field.shape)
        if not field.kind:
            return (*_field_of(name, field.dtype, axes), field.nullable)
        return name, "+l", [_field_of("item", field.dtype, axes[1:])], field.nullable
    return name, "z", [], field.nullable


def _bitmap_of(valid: Column | None) -> Column | None:
    return None if valid is None else np.packbits(valid.astype(bool), bitorder="little")


def _ragged_values(name: str, field: Ragged, raw: Mapping[str, Column]) -> Values:
    """Returns the values of a column that varies in length, or may be null."""
    valid = _bitmap_of(raw.get(f"{name}.valid"))
    values = raw[name]
    if not field.kind:
        length, buffers, parts = _values_of(values, values.shape[1:])
        return length, [valid, *buffers[1:]], parts
    bounds = np.ascontiguousarray(raw[f"{name}.offsets"]).astype(np.int32)
    if field.kind == "array":
        return len(bounds) - 1, [valid, bounds], [_values_of(values, values.shape[1:])]
    return len(bounds) - 1, [valid, bounds, np.ascontiguousarray(values)], []


def _described_fields(
    fields: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]],
    ragged: Mapping[str, Ragged] = {},
) -> Field:
    described: list[Any] = [
        _ragged_field(name, ragged[name]) if name in ragged else _field_of(name, *one)
        for name, one in fields.items()
    ]
    return "", "+s", described


def schema_of_fields(
    fields: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]],
    ragged: Mapping[str, Ragged] = {},
) -> object:
    """Returns the schema of columns, by dtype and shape of a row (a PyCapsule)."""
    return _core.arrow_schema(_described_fields(fields, ragged))


def stream_of_raw(
    fields: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]],
    ragged: Mapping[str, Ragged],
    batches: Iterator[tuple[int, Mapping[str, Column], Mapping[str, Column]]],
) -> object:
    """Returns batches as an Arrow stream (a PyCapsule).

    Args:
        batches: the number of items, the columns as arrays, and as the core has them.
    """

    def read() -> Values | None:
        found = next(batches, None)
        if found is None:
            return None
        count, columns, raw = found
        values = [
            _ragged_values(name, ragged[name], raw)
            if name in ragged
            else _values_of(columns[name], columns[name].shape[1:])
            for name in fields
        ]
        return count, [None], values

    return _core.arrow_stream(_described_fields(fields, ragged), read)


def stream_of_batches(
    fields: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]],
    batches: Iterator[Mapping[str, Column]],
) -> object:
    """Returns batches of columns as an Arrow stream (a PyCapsule)."""

    def read() -> Values | None:
        batch = next(batches, None)
        if batch is None:
            return None
        columns = {name: batch[name] for name in fields}
        return _batch_of(columns, len(next(iter(columns.values()), ())))

    return _core.arrow_stream(_described_fields(fields), read)
