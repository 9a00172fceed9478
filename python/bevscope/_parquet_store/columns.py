"""Columns of Parquet files as arrays of fixed element types."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._convert.parquet import pyarrow
from .._errors import Error

Array = npt.NDArray[Any]

#: Decimals of up to this many digits are float64, which keeps them.
MAX_DIGITS = 15
#: Elements of a row.
MAX_ELEMENTS = 1 << 24


@dataclass(frozen=True)
class Column:
    """A column that a table has as a field, or the reason why it has not."""

    name: str
    arrow: Any  #: its type in the file; None for a partition key
    dtype: str = ""  #: zarr's code of an element
    shape: tuple[int, ...] = ()
    unit: str = ""  #: of dates and times: "D", "s", "ms", "us", "ns"
    refused: str = ""  #: why it is no field

    @property
    def row_bytes(self) -> int:
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)

    def described(self) -> dict[str, object]:
        """Returns the column for `Dataset.attrs`."""
        described: dict[str, object] = {"name": self.name}
        described["type"] = "partition" if self.arrow is None else str(self.arrow)
        described |= {"dtype": self.dtype, "shape": list(self.shape)} if self.dtype else {}
        described |= {"unit": self.unit} if self.unit else {}
        described |= {"refused": self.refused} if self.refused else {}
        return described


def column_of(name: str, arrow: Any) -> Column:
    """Returns the column of an Arrow type."""
    pa = pyarrow()
    if pa.types.is_dictionary(arrow):
        arrow = arrow.value_type
    if not name or "/" in name or "\0" in name:
        return Column(name, arrow, refused="its name is empty or has a slash")
    shape: list[int] = []
    element = arrow
    while pa.types.is_fixed_size_list(element):
        shape.append(element.list_size)
        element = element.value_type
    if pa.types.is_fixed_size_binary(element):
        shape.append(element.byte_width)
        element = pa.uint8()
    if math.prod(shape) > MAX_ELEMENTS:
        return Column(name, arrow, refused=f"more than {MAX_ELEMENTS} elements in a row")
    dtype, unit = _dtype_of(element)
    if not dtype or 0 in shape:
        return Column(name, arrow, refused=_refusal(element))
    return Column(name, arrow, dtype, tuple(shape), unit)


def _dtype_of(arrow: Any) -> tuple[str, str]:
    """Returns the dtype of a type of one length, and the unit of a time."""
    types = pyarrow().types
    if types.is_boolean(arrow):
        return "|b1", ""
    if types.is_integer(arrow) or types.is_floating(arrow):
        return np.dtype(arrow.to_pandas_dtype()).newbyteorder("<").str, ""
    if types.is_date32(arrow):
        return "<i4", "D"
    if types.is_date64(arrow):
        return "<i8", "ms"
    if types.is_time32(arrow):
        return "<i4", arrow.unit
    if types.is_timestamp(arrow) or types.is_duration(arrow) or types.is_time64(arrow):
        return "<i8", arrow.unit
    if types.is_decimal128(arrow) and arrow.precision <= MAX_DIGITS:
        return "<f8", ""
    return "", ""


def _refusal(arrow: Any) -> str:
    types = pyarrow().types
    if types.is_decimal(arrow):
        return f"a decimal of more than {MAX_DIGITS} digits"
    return f"type {arrow} is not supported"


def values_of(column: Column, found: Any) -> Array:
    """Returns a decoded column as an array of shape (n, *shape).

    Raises Error ("corrupt_chunk") for null values.
    """
    pa = pyarrow()
    chunks = found.chunks
    flat = pa.concat_arrays(chunks) if len(chunks) != 1 else chunks[0]
    if pa.types.is_dictionary(flat.type):
        flat = flat.dictionary_decode()
    rows = len(flat)
    while pa.types.is_fixed_size_list(flat.type):
        _refuse_nulls(flat)
        flat = flat.flatten()
    _refuse_nulls(flat)
    values = _elements(flat, np.dtype(column.dtype))
    return values.reshape(rows, *column.shape)


def _refuse_nulls(values: Any) -> None:
    if values.null_count:
        raise Error("null values", "corrupt_chunk")


def _elements(values: Any, dtype: np.dtype[Any]) -> Array:
    types = pyarrow().types
    if types.is_boolean(values.type):
        return np.asarray(values.to_numpy(zero_copy_only=False), dtype)
    size, width = len(values), 0
    if types.is_fixed_size_binary(values.type) and not types.is_decimal(values.type):
        width = values.type.byte_width
        dtype = np.dtype(np.uint8)
    if types.is_decimal(values.type):
        halves = np.frombuffer(values.buffers()[1] or b"", "<i8")
        low = halves[2 * values.offset :][: 2 * size : 2]  # fits in 64 bits
        return low / np.float64(10.0**values.type.scale)
    content = values.buffers()[1] or b""
    each = width or dtype.itemsize
    offset = values.offset * each
    found = np.frombuffer(content, np.uint8)[offset : offset + size * each]
    return found.view(dtype)
