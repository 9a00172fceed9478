"""Lets zarr-python 3 open L5Kit's arrays.

`import bevscope.zarr` registers a data type for records whose fields have axes, which
zarr-python refuses by itself (its issue 3583). After that, `zarr.open` reads and writes
such arrays of zarr format 2.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import zarr

from ._data.array import dtype_of
from ._sources.source import descr_of

if int(zarr.__version__.split(".")[0]) < 3:
    raise ImportError(
        "bevscope.zarr: zarr-python 3 is required; version 2 opens L5Kit's arrays by "
        f"itself (found {zarr.__version__})"
    )

from zarr.core.dtype.common import HasItemSize  # noqa: E402
from zarr.dtype import (  # noqa: E402
    DataTypeValidationError,
    ZDType,
    data_type_registry,
)


def _has_axes(dtype: np.dtype[Any]) -> bool:
    """Tells whether a field of a record, at any depth, has axes."""
    fields = [dtype[name] for name in dtype.names or ()]
    return any(one.subdtype is not None or _has_axes(one) for one in fields)


def _is_packed(dtype: np.dtype[Any]) -> bool:
    return dtype == dtype_of(descr_of(dtype))


@dataclass(frozen=True, kw_only=True)
class Records(ZDType, HasItemSize):  # type: ignore[misc,type-arg]
    """Records with sub-array fields, of zarr format 2.

    To create an array, pass `dtype=Records.from_native_dtype(dtype), zarr_format=2`:
    zarr-python itself would take fields with axes for bytes.
    """

    dtype_cls = np.dtypes.VoidDType if hasattr(np, "dtypes") else np.dtype
    _zarr_v3_name: ClassVar[str] = "bevscope.records"
    dtype: np.dtype[Any]

    @classmethod
    def from_native_dtype(cls, dtype: np.dtype[Any]) -> Records:
        if dtype.names is None or not _has_axes(dtype) or dtype.hasobject:
            raise DataTypeValidationError(f"not a record with sub-arrays (found {dtype})")
        if not _is_packed(dtype):
            raise DataTypeValidationError(f"fields are not contiguous (found {dtype})")
        return cls(dtype=dtype)

    def to_native_dtype(self) -> np.dtype[Any]:
        return self.dtype

    @classmethod
    def _from_json_v2(cls, data: Any) -> Records:
        name = data.get("name") if isinstance(data, dict) else None
        if not isinstance(name, (list, tuple)) or data.get("object_codec_id") is not None:
            raise DataTypeValidationError(f"not a list of fields (found {data!r})")
        try:
            dtype = dtype_of(name)
        except (TypeError, ValueError, IndexError, KeyError) as error:
            raise DataTypeValidationError(
                f"not a list of fields: {error} (found {data!r})"
            ) from error
        return cls.from_native_dtype(dtype)

    @classmethod
    def _from_json_v3(cls, data: Any) -> Records:
        raise DataTypeValidationError("records with sub-arrays: zarr format 3 has none")

    def to_json(self, zarr_format: Literal[2, 3]) -> Any:
        if zarr_format != 2:
            raise ValueError(
                f"records with sub-arrays: zarr format {zarr_format} has none (expected 2)"
            )
        return {"name": descr_of(self.dtype), "object_codec_id": None}

    def _check_scalar(self, data: object) -> bool:
        return isinstance(data, (bytes, tuple, np.void)) or data == 0

    def cast_scalar(self, data: object) -> np.void:
        if isinstance(data, bytes) and len(data) == self.item_size:
            return np.frombuffer(data, self.dtype)[0]
        if isinstance(data, (tuple, np.void)):
            return np.array([data], self.dtype)[0]
        if isinstance(data, (int, float)) and data == 0:
            return self.default_scalar()
        raise TypeError(f"fill value: not a record (found {data!r}, expected {self.dtype})")

    def default_scalar(self) -> np.void:
        return np.zeros(1, self.dtype)[0]

    def from_json_scalar(self, data: Any, *, zarr_format: Literal[2, 3]) -> np.void:
        return self.cast_scalar(base64.b64decode(data) if isinstance(data, str) else data)

    def to_json_scalar(self, data: object, *, zarr_format: Literal[2, 3]) -> str:
        return base64.b64encode(self.cast_scalar(data).tobytes()).decode()

    @property
    def item_size(self) -> int:
        return self.dtype.itemsize


def register() -> None:
    """Registers the data type; importing this module has done it."""
    data_type_registry.register(Records._zarr_v3_name, Records)


register()
