"""The arrays of a table: rows, values of fields of variable length, and which rows are not
null."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .columns import Column

TABLE = "rows"
#: Elements that row groups are apart in an array of values: more than any has.
STRIDE = 1 << 30
#: Bytes of a chunk of values, at most and at least.
MAX_VALUES, MIN_VALUES = 1 << 20, 1 << 12


@dataclass(frozen=True)
class StoredArray:
    """An array of the store."""

    path: str
    column: Column
    role: str  #: "rows", "values" or "valid"
    dtype: str
    length: int
    chunk: int  #: elements
    shape: tuple[int, ...] = ()  #: of an element

    @property
    def row_bytes(self) -> int:
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)

    @property
    def chunk_bytes(self) -> int:
        return self.chunk * self.row_bytes

    def document(self) -> dict[str, object]:
        """Returns the array's .zarray."""
        return {
            "zarr_format": 2,
            "shape": [self.length, *self.shape],
            "chunks": [self.chunk, *self.shape],
            "dtype": self.dtype,
            "compressor": None,
            "filters": None,
            "fill_value": None,
            "order": "C",
        }


def arrays_of(
    columns: Iterable[Column], rows: int, chunk_rows: int, groups: Sequence[int]
) -> dict[str, StoredArray]:
    """Returns the arrays by path.

    Args:
        groups: the decoded bytes of the largest column of each row group."""
    found: list[StoredArray] = []
    largest = max(groups, default=0)
    for one in columns:
        if not one.dtype:
            continue
        path = f"{TABLE}/{one.name}"
        if one.kind:
            found.append(StoredArray(path, one, "rows", "<i8", rows, chunk_rows, (2,)))
            most = min(max(largest, MIN_VALUES), MAX_VALUES)
            chunk = 1 << max(0, (most // one.element_bytes).bit_length() - 1)
            length = STRIDE * len(groups)
            path = f"values/{one.name}"
            found.append(
                StoredArray(path, one, "values", one.dtype, length, chunk, one.shape)
            )
        else:
            found.append(
                StoredArray(path, one, "rows", one.dtype, rows, chunk_rows, one.shape)
            )
        if one.nullable:
            path = f"valid/{one.name}"
            found.append(StoredArray(path, one, "valid", "|b1", rows, chunk_rows))
    return {one.path: one for one in found}


def field_of(column: Column) -> dict[str, object]:
    """Returns a field's entry in the attribute bevscope_fields."""
    field: dict[str, object] = {"name": column.name, "array": f"{TABLE}/{column.name}"}
    if column.kind:
        field |= {"kind": column.kind, "values": f"values/{column.name}"}
    if column.nullable:
        field["valid"] = f"valid/{column.name}"
    if column.content_type:
        field["content_type"] = column.content_type
    if column.npy is not None:
        dtype, shape = column.npy
        field |= {"dtype": dtype} if dtype else {}
        field["shape"] = list(shape)
    return field
