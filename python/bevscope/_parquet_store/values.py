"""Decoded columns of row groups as arrays."""

from __future__ import annotations

import importlib
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._convert.parquet import pyarrow
from .._errors import OutOfMemory, Unsupported
from .columns import Column

Array = npt.NDArray[Any]

#: Decoded bytes of a column of a row group.
MAX_BYTES = 1 << 30


@dataclass(frozen=True)
class Values:
    """The rows of a column in a row group."""

    #: Of a column of one shape: a row each. Otherwise the elements of all rows.
    elements: Array
    #: Where the elements of each row begin, and the end; None for a column of one shape.
    offsets: Array | None = None
    valid: Array | None = None  #: rows that are not null; None if none is

    @property
    def nbytes(self) -> int:
        parts = (self.elements, self.offsets, self.valid)
        return sum(one.nbytes for one in parts if one is not None)


def values_of(column: Column, found: Any) -> Values:
    """Returns a decoded column.

    Raises ValueError for null values of a column that has none by its footers, and for
    rows that are not what the schema says; OutOfMemory above MAX_BYTES."""
    pa = pyarrow()
    if pa.types.is_dictionary(found.type):
        _check_repeated(found)
        found = pa.chunked_array([one.dictionary_decode() for one in found.chunks])
    chunks = found.chunks
    flat = pa.concat_arrays(chunks) if len(chunks) != 1 else chunks[0]
    valid = None
    if flat.null_count:
        if not column.nullable:
            raise ValueError("null values, which the footer does not count")
        valid = flat.is_valid().to_numpy(zero_copy_only=False)
    if column.kind == "array":
        return _lists(column, flat, valid)
    if column.kind or column.codec or column.dtype[1] == "U":
        return _strings(column, flat, valid)
    return Values(_numbers(column, flat, valid), None, valid)


def _check_repeated(found: Any) -> None:
    """Raises OutOfMemory if the strings of a dictionary are too long, repeated."""
    pa = pyarrow()
    compute = importlib.import_module("pyarrow.compute")
    types = pa.types
    value, size = found.type.value_type, 0
    if not any(
        known(value) for known in (types.is_string, types.is_large_string, types.is_binary)
    ):
        return  # numbers
    for chunk in found.chunks:
        lengths = compute.binary_length(chunk.dictionary).fill_null(0).to_numpy()
        indices = chunk.indices.drop_null().to_numpy()
        size += int(np.bincount(indices, minlength=len(lengths)) @ lengths.astype(int))
    if size > MAX_BYTES:
        limit = f"(found {size} bytes, limit {MAX_BYTES})"
        raise OutOfMemory(f"too large {limit}", "limit_exceeded")


def _numbers(column: Column, flat: Any, valid: Array | None) -> Array:
    """Returns rows of one shape; those that are null are zeros."""
    types = pyarrow().types
    dtype = np.dtype(column.dtype)
    if not types.is_fixed_size_list(flat.type):
        return _elements(flat, dtype, valid).reshape(len(flat), *column.shape)
    shown = flat if valid is None else flat.drop_null()
    while types.is_fixed_size_list(shown.type):
        shown = shown.flatten()
        if shown.null_count:
            raise ValueError("null values in a list")
    found = _elements(shown, dtype, None).reshape(-1, *column.shape)
    if valid is None:
        return found
    out = np.zeros((len(flat), *column.shape), dtype)
    out[valid] = found
    return out


def _elements(values: Any, dtype: np.dtype[Any], valid: Array | None) -> Array:
    """Returns numbers, which are 0 where they are null."""
    types = pyarrow().types
    arrow, size = values.type, len(values)
    if types.is_boolean(arrow):
        shown = values if valid is None else values.fill_null(False)
        return np.asarray(shown.to_numpy(zero_copy_only=False)).astype(dtype)
    content = np.frombuffer(values.buffers()[1] or b"", np.uint8)
    found: Array
    if types.is_decimal(arrow):
        rows = content[16 * values.offset :][: 16 * size].view("<i8")
        found = rows[::2] / np.float64(10.0**arrow.scale)  # the rest is the sign
    elif types.is_fixed_size_binary(arrow):
        width = arrow.byte_width
        found = content[width * values.offset :][: width * size].reshape(size, width)
    else:
        is_number = types.is_integer(arrow) or types.is_floating(arrow)
        stored = np.dtype(
            arrow.to_pandas_dtype() if is_number else f"i{arrow.bit_width // 8}"
        )
        width = stored.itemsize
        found = content[width * values.offset :][: width * size].view(stored)
    if valid is not None:
        found = found.copy()
        found[~valid] = 0
    return _converted(found, dtype)


def _converted(found: Array, dtype: np.dtype[Any]) -> Array:
    """Returns integers as of the type that Petastorm's schema has for them."""
    if found.dtype == dtype or found.dtype.kind not in "iu":
        return found.astype(dtype, copy=False)
    limits = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if len(found) and (int(found.min()) < limits[0] or int(found.max()) > limits[1]):
        raise ValueError(f"a value is outside of {dtype.name}")
    return found.astype(dtype)


def _lists(column: Column, flat: Any, valid: Array | None) -> Values:
    pa = pyarrow()
    flat = flat.cast(pa.large_list(flat.type.value_type))
    offsets = np.asarray(flat.offsets.to_numpy())
    inner = flat.values.slice(offsets[0], offsets[-1] - offsets[0])
    if valid is not None:
        # A null may have elements, which are not shown.
        lengths = np.diff(offsets) * valid
        inner, offsets = flat.flatten(), np.zeros(len(offsets), np.int64)
        np.cumsum(lengths, out=offsets[1:])
    if inner.null_count:
        raise ValueError("null values in a list")
    return Values(_numbers(column, inner, None), offsets - offsets[0], valid)


def _strings(column: Column, flat: Any, valid: Array | None) -> Values:
    """Returns rows of bytes, decoded."""
    pa = pyarrow()
    if pa.types.is_decimal(flat.type):
        flat = flat.cast(pa.string())
    is_text = pa.types.is_string(flat.type) or pa.types.is_large_string(flat.type)
    flat = flat.cast(pa.large_string() if is_text else pa.large_binary())
    if valid is not None:
        flat = flat.fill_null("" if is_text else b"")
    _, offsets_buffer, content_buffer = flat.buffers()
    offsets = np.frombuffer(offsets_buffer or bytes(8), "<i8")
    offsets = offsets[flat.offset : flat.offset + len(flat) + 1]
    content = np.frombuffer(content_buffer or b"", np.uint8)
    content = content[offsets[0] : offsets[-1]]
    return _decoded(column, Values(content, offsets - offsets[0], valid))


def _decoded(column: Column, rows: Values) -> Values:
    if column.dtype[1] == "U":
        return Values(_fixed_text(column, rows), None, rows.valid)
    if column.codec == "npz":
        rows = _joined(_inflated(rows), rows.valid)
    if column.kind:
        return rows
    return Values(_arrays(column, rows), None, rows.valid)


def _each(rows: Values) -> Iterator[memoryview]:
    offsets = [] if rows.offsets is None else rows.offsets.tolist()
    content = memoryview(rows.elements.data)
    for begin, end in zip(offsets[:-1], offsets[1:], strict=True):
        yield content[begin:end]


def _joined(parts: Iterator[bytes], valid: Array | None) -> Values:
    found: list[bytes] = []
    offsets = [0]
    for part in parts:
        found.append(part)
        offsets.append(offsets[-1] + len(part))
        if offsets[-1] > MAX_BYTES:
            raise OutOfMemory(f"too large (limit {MAX_BYTES} bytes)", "limit_exceeded")
    return Values(np.frombuffer(b"".join(found), np.uint8), np.array(offsets), valid)


def _inflated(rows: Values) -> Iterator[bytes]:
    """Yields the array in each .npz, in NumPy's format; nothing for a null."""
    for row in _each(rows):
        if not row:
            yield b""
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(row)) as archive:
                info = archive.getinfo("arr.npy")
                if info.file_size > MAX_BYTES:
                    limit = f"(limit {MAX_BYTES} bytes)"
                    raise OutOfMemory(f"an array is too large {limit}", "limit_exceeded")
                yield archive.read(info)
        except (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError) as error:
            raise ValueError(f"a row is not an .npz of one array ({error})") from None


def _fixed_text(column: Column, rows: Values) -> Array:
    texts = [bytes(row).decode() for row in _each(rows)]
    most = np.dtype(column.dtype).itemsize // 4
    longest = max(map(len, texts), default=0)
    if longest > most:
        raise ValueError(
            f"a text is too long (found {longest} characters, expected at most {most})"
        )
    return np.array(texts, column.dtype)


def _arrays(column: Column, rows: Values) -> Array:
    """Returns arrays in NumPy's format, of one type and shape, as one array."""
    dtype, shape = np.dtype(column.dtype), column.shape
    parts = list(_each(rows))
    out = np.zeros((len(parts), *shape), dtype)
    known: bytes | None = None
    for place, part in enumerate(parts):
        if not part and rows.valid is not None:
            continue  # a null
        if known is None or bytes(part[: len(known)]) != known:
            known = _header(part, dtype, shape)
        body = part[len(known) :]
        if len(body) != out[place : place + 1].nbytes:
            raise ValueError(f"an array has {len(body)} bytes instead of {out[0].nbytes}")
        out[place] = np.frombuffer(body, dtype).reshape(shape)
    return out


def _header(part: memoryview, dtype: np.dtype[Any], shape: Sequence[int]) -> bytes:
    """Returns the header of an array in NumPy's format, which must be as expected."""
    file = io.BytesIO(part[: 1 << 16])
    numpy_format: Any = np.lib.format
    version = numpy_format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise Unsupported(f"NumPy's format of version {version[0]}.{version[1]}")
    read = numpy_format.read_array_header_1_0
    if version == (2, 0):
        read = numpy_format.read_array_header_2_0
    found, by_column, type_found = read(file)
    if found != tuple(shape) or type_found != dtype or by_column and len(shape) > 1:
        raise ValueError(
            f"an array of {type_found} {list(found)} instead of {dtype} {list(shape)}"
        )
    return bytes(part[: file.tell()])
