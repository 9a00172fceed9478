"""Columns of Parquet files as fields of a table: their types."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._convert.parquet import pyarrow

#: Decimals of up to this many digits are float64, which keeps them; others are text.
MAX_DIGITS = 15
#: Elements of a row.
MAX_ELEMENTS = 1 << 24
#: NumPy's types of Petastorm's fields that are arrays of numbers.
_NUMBERS = {
    *("bool", "bool_", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"),
    *("uint64", "float16", "float32", "float64"),
}
_IMAGES = {"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg"}


class UnischemaField(NamedTuple):
    """A field of Petastorm's schema, as the core reads it."""

    name: str
    dtype: str  #: NumPy's name of the type: "int32", "str_"; "Decimal"
    shape: list[int | None]  #: None varies
    codec: str  #: class; "" if there is none
    image: str  #: "png", "jpeg"; "" if it is none
    nullable: bool


@dataclass(frozen=True)
class Column:
    """A column that a table has as a field, or the reason why it has not."""

    name: str
    arrow: Any  #: its type in the file; None for a partition key
    dtype: str = ""  #: zarr's code of an element
    shape: tuple[int, ...] = ()  #: of a row; of the elements of a list, of one
    #: "": a row has one shape. Otherwise as in the attribute bevscope_fields: "array",
    #: "bytes", "text", "image", "npy".
    kind: str = ""
    codec: str = ""  #: "ndarray" or "npz": how a row is encoded, in bytes
    nullable: bool = False
    unit: str = ""  #: of dates and times: "D", "s", "ms", "us", "ns"
    content_type: str = ""  #: of images
    refused: str = ""  #: why it is no field
    #: Of arrays in NumPy's format: their type and shape.
    npy: tuple[str, tuple[int | None, ...]] | None = None

    @property
    def element_bytes(self) -> int:
        """Bytes of an element of a list, or of a row of one shape."""
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in the array that has one per row: values, or begin and end."""
        return 16 if self.kind else self.element_bytes

    def described(self) -> dict[str, object]:
        """Returns the column for `Dataset.attrs`."""
        described: dict[str, object] = {"name": self.name}
        described["type"] = "partition" if self.arrow is None else str(self.arrow)
        if self.dtype:
            described |= {"dtype": self.dtype, "shape": list(self.shape)}
        for name in ("kind", "unit", "content_type", "refused"):
            value = getattr(self, name)
            described |= {name: value} if value else {}
        return described | ({"nullable": True} if self.nullable else {})


def column_of(name: str, arrow: Any, text_length: int | None = None) -> Column:
    """Returns the column of an Arrow type.

    Args:
        text_length: characters of text that is stored as of one length.
    """
    types = pyarrow().types
    if types.is_dictionary(arrow):
        arrow = arrow.value_type
    if not name or "/" in name or "\0" in name:
        return Column(name, arrow, refused="its name is empty or has a slash")
    if types.is_string(arrow) or types.is_large_string(arrow):
        if text_length is not None:
            return Column(name, arrow, f"<U{text_length}")
        return Column(name, arrow, "|u1", kind="text")
    if types.is_decimal(arrow) and arrow.precision > MAX_DIGITS:
        return Column(name, arrow, "|u1", kind="text")
    if types.is_binary(arrow) or types.is_large_binary(arrow):
        return Column(name, arrow, "|u1", kind="bytes")
    if types.is_list(arrow) or types.is_large_list(arrow):
        inner = _fixed(name, arrow.value_type)
        return dataclasses.replace(inner, arrow=arrow, kind="array" if inner.dtype else "")
    return _fixed(name, arrow)


def _fixed(name: str, arrow: Any) -> Column:
    """Returns the column of a type whose rows have one shape."""
    pa = pyarrow()
    shape: list[int] = []
    element = arrow
    while pa.types.is_fixed_size_list(element):
        shape.append(element.list_size)
        element = element.value_type
    if pa.types.is_fixed_size_binary(element) and not pa.types.is_decimal(element):
        shape.append(element.byte_width)
        element = pa.uint8()
    if math.prod(shape) > MAX_ELEMENTS:
        return Column(name, arrow, refused=f"more than {MAX_ELEMENTS} elements in a row")
    dtype, unit = _dtype_of(element)
    if not dtype or 0 in shape:
        return Column(name, arrow, refused=f"type {arrow} is not supported")
    return Column(name, arrow, dtype, tuple(shape), unit=unit)


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


def with_codec(column: Column, field: UnischemaField, text_length: int | None) -> Column:
    """Returns a column as the field of Petastorm's schema that it is."""
    types = pyarrow().types
    is_binary = types.is_binary(column.arrow) or types.is_large_binary(column.arrow)
    if field.codec in ("NdarrayCodec", "CompressedNdarrayCodec") and is_binary:
        return _of_arrays(column, field)
    if field.codec == "CompressedImageCodec" and is_binary:
        known = _IMAGES.get(field.image.lower())
        if known is None:
            reason = f"images of type {field.image} are not supported"
            return Column(column.name, column.arrow, refused=reason)
        return dataclasses.replace(column, kind="image", content_type=known)
    if field.codec not in ("", "ScalarCodec"):
        reason = f"Petastorm's codec {field.codec} is not supported"
        return Column(column.name, column.arrow, refused=reason)
    if is_binary and field.dtype in ("str_", "unicode_", "string_", "bytes_"):
        # Spark wrote text without saying so.
        if text_length is not None and field.dtype in ("str_", "unicode_"):
            return Column(column.name, column.arrow, f"<U{text_length}")
        kind = "text" if field.dtype in ("str_", "unicode_") else "bytes"
        return Column(column.name, column.arrow, "|u1", kind=kind)
    is_integer = column.dtype[1:2] in ("i", "u") and not column.unit and not column.kind
    if is_integer and field.dtype in _NUMBERS:
        wanted = np.dtype(field.dtype)
        if wanted.kind in "iub":
            return dataclasses.replace(column, dtype=wanted.newbyteorder("<").str)
    return column


def _of_arrays(column: Column, field: UnischemaField) -> Column:
    """Returns the column of Petastorm's arrays: those of one shape are numbers."""
    codec = "ndarray" if field.codec == "NdarrayCodec" else "npz"
    shape = tuple(field.shape)
    is_known = field.dtype in _NUMBERS and None not in shape and 0 not in shape
    if is_known and math.prod(one or 0 for one in shape) <= MAX_ELEMENTS:
        dtype = np.dtype(field.dtype).newbyteorder("<").str
        fixed = tuple(one or 0 for one in shape)
        return Column(column.name, column.arrow, dtype, fixed, codec=codec)
    npy = np.dtype(field.dtype).newbyteorder("<").str if field.dtype in _NUMBERS else ""
    return dataclasses.replace(column, kind="npy", codec=codec, npy=(npy, shape))
