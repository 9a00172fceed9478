"""Fields of variable length: lists of arrays, texts and files, as NumPy's object arrays."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._errors import InvalidArgument, ReadError

Array = npt.NDArray[Any]
#: Lengths of axes; None for one that varies from item to item.
Shape = tuple[int | None, ...]

#: Pillow's names of the formats that images have.
_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}


@dataclass(frozen=True)
class Ragged:
    """A field whose items vary in length, or may be null.

    Attributes:
        kind: "array", "bytes", "text", "image" or "npy"; "" if only nulls vary.
        dtype: of the elements; None if the items are text or files.
        shape: of an item; None for a length that varies.
        nullable: whether an item may be None.
        content_type: of images and bytes, if it is known.
    """

    kind: str
    dtype: np.dtype[Any] | None
    shape: Shape
    nullable: bool = False
    content_type: str = ""

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> Ragged | None:
        """Returns the field that the core describes; None for one of fixed shape."""
        kind = str(described.get("kind", ""))
        nullable = bool(described.get("nullable", False))
        if not kind and not nullable:
            return None
        has_dtype = kind in ("", "array") or (kind == "npy" and "dtype" in described)
        return cls(
            kind,
            np.dtype(described["dtype"]) if has_dtype else None,
            tuple(described.get("shape") or ()),
            nullable,
            str(described.get("content_type", "")),
        )

    def items(self, name: str, raw: Mapping[str, Array], decode: bool) -> Array:
        """Returns the items of a batch: an object array of arrays that share memory, of
        str or bytes, with None for nulls; a masked array if the shape is fixed.

        Args:
            name: of the arrays in `raw`: the values, and `name.offsets`, `name.valid`.
            decode: whether images become arrays of shape (height, width, channels).
        """
        valid = raw.get(f"{name}.valid")
        if not self.kind:
            return self._masked(raw[name], valid)
        values = raw[name]
        bounds = raw[f"{name}.offsets"].tolist()
        found = np.empty(len(bounds) - 1, object)
        is_valid = None if valid is None else valid.reshape(-1).tolist()
        for i, (begin, end) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
            if is_valid is None or is_valid[i]:
                found[i] = self._item(name, values[begin:end], decode)
        return found

    @staticmethod
    def _masked(values: Array, valid: Array | None) -> Array:
        if valid is None:
            return values
        missing = ~valid.astype(bool)
        inner = values.ndim - missing.ndim
        mask = missing.reshape(missing.shape + (1,) * inner)
        whole = np.broadcast_to(mask, values.shape)
        return np.ma.MaskedArray(values, whole)  # type: ignore[no-untyped-call]

    def _item(self, name: str, values: Array, decode: bool) -> Any:
        if self.kind == "array":
            return values
        if self.kind == "npy":
            return array_of_npy(name, values)
        if self.kind == "text":
            return values.tobytes().decode()
        data = values.tobytes()
        return (
            decoded(name, data, self.content_type)
            if decode and self.kind == "image"
            else data
        )


def array_of_npy(name: str, data: Array) -> Array:
    """Returns the array of a file in NumPy's format, which shares its memory.

    Raises ReadError if the bytes are none.
    """
    try:
        file = io.BytesIO(data[:65536].tobytes())
        version = np.lib.format.read_magic(file)  # type: ignore[no-untyped-call]
        read = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, fortran, dtype = read(file)  # type: ignore[no-untyped-call]
        if dtype.hasobject:
            raise ValueError(f"found {dtype}")
        flat = data[file.tell() :].view(dtype)
        return flat.reshape(shape, order="F" if fortran else "C")
    except (ValueError, TypeError) as error:
        raise ReadError(f"{name}: not a file of NumPy's format .npy ({error})") from None


def npy_of(array: Array) -> bytes:
    """Returns an array as a file in NumPy's format."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=False)  # type: ignore[no-untyped-call]
    return file.getvalue()


def decoded(name: str, data: bytes, content_type: str = "") -> Array:
    """Returns the pixels of a PNG, JPEG or WebP image: (height, width, channels), or
    (height, width) of one channel.

    Raises ImportError without Pillow, and ReadError for other bytes, also if they are of
    another format than the data set says.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise ImportError(
            f"{name}: decoding images needs the package pillow (pip install pillow)"
        ) from None
    formats = (
        [_FORMATS[content_type]] if content_type in _FORMATS else list(_FORMATS.values())
    )
    try:
        with Image.open(io.BytesIO(data), formats=formats) as image:
            return np.asarray(image)
    except (
        UnidentifiedImageError,
        Image.DecompressionBombError,
        OSError,
        SyntaxError,
        ValueError,
    ) as error:
        expected = content_type or "PNG, JPEG or WebP"
        raise ReadError(
            f"{name}: an image cannot be decoded ({error}; expected {expected})"
        ) from None


def joined(name: str, field: Ragged, rows: Sequence[Any]) -> dict[str, Array]:
    """Returns rows as the arrays of a batch that the core takes: values, offsets, valid.

    Raises InvalidArgument for a row of another type, dtype or shape.
    """
    parts: list[Any] = []
    for i, row in enumerate(rows):
        if row is None:
            if not field.nullable:
                raise InvalidArgument(
                    f"{name}: row {i} is None, and the field not nullable"
                )
            parts.append(None)
        else:
            parts.append(_part_of(f"{name}: row {i}", field, row))
    given = [part for part in parts if part is not None]
    if field.kind == "array":
        assert field.dtype is not None
        inner = tuple(length or 0 for length in field.shape[1:])
        empty = np.empty((0, *inner), field.dtype)
        values = np.concatenate([empty, *given]) if given else empty
    else:
        values = np.frombuffer(b"".join(given), np.uint8)
    lengths = [0 if part is None else len(part) for part in parts]
    offsets = np.zeros(len(rows) + 1, "<u8")
    np.cumsum(lengths, out=offsets[1:])
    made = {name: values, f"{name}.offsets": offsets}
    if field.nullable:
        made[f"{name}.valid"] = np.array([part is not None for part in parts], bool)
    return made


def _part_of(where: str, field: Ragged, row: Any) -> Any:
    """Returns a row's elements, or its bytes."""
    if field.kind in ("array", "npy"):
        array = row if isinstance(row, np.ndarray) else np.asarray(row)
        wrong_dtype = field.dtype is not None and array.dtype != field.dtype
        if wrong_dtype or array.dtype.hasobject:
            raise InvalidArgument(
                f"{where}: wrong dtype (found {array.dtype}, expected {field.dtype})"
            )
        has_shape = field.kind == "array" or field.shape
        fits = len(array.shape) == len(field.shape) and all(
            length is None or length == found
            for length, found in zip(field.shape, array.shape, strict=True)
        )
        if has_shape and not fits:
            raise InvalidArgument(
                f"{where}: wrong shape (found {array.shape}, expected {field.shape})"
            )
        return array if field.kind == "array" else npy_of(array)
    if field.kind == "text":
        if not isinstance(row, str):
            raise InvalidArgument(f"{where}: not a str (found {type(row).__name__})")
        return row.encode()
    if not isinstance(row, (bytes, bytearray, memoryview, np.ndarray)):
        raise InvalidArgument(f"{where}: not bytes (found {type(row).__name__})")
    return bytes(row)


def nullable_of(name: str, field: Ragged, rows: Any) -> dict[str, Array]:
    """Returns rows of fixed shape, a masked array or a sequence with None, as values and
    `name.valid`."""
    assert field.dtype is not None
    shape = tuple(length or 0 for length in field.shape)
    if isinstance(rows, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(rows)  # type: ignore[no-untyped-call]
        axes = tuple(range(1, mask.ndim))
        if axes and (mask.any(axis=axes) != mask.all(axis=axes)).any():
            raise InvalidArgument(f"{name}: a row is null in parts")
        values = rows.filled(0)  # type: ignore[no-untyped-call]
        valid = ~(mask.all(axis=axes) if axes else mask)
    elif isinstance(rows, (list, tuple)) or np.asarray(rows).dtype.hasobject:
        valid = np.array([row is not None for row in rows], bool)
        values = np.zeros((len(rows), *shape), field.dtype)
        for i, row in enumerate(rows):
            if row is not None:
                array = np.asarray(row)
                if array.shape != shape:
                    raise InvalidArgument(
                        f"{name}: row {i}: wrong shape (found {array.shape}, "
                        f"expected {shape})"
                    )
                values[i] = array
    else:
        values = np.asarray(rows)
        valid = np.ones(len(values), bool)
    return {name: values, f"{name}.valid": valid}
