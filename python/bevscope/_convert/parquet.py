"""Reads Parquet files with pyarrow as the columns that the core's importers take."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._errors import Error, Unsupported
from ..arrow import Table

Column = tuple[Any, ...]


_ABSENT = "Parquet needs pyarrow: pip install bevscope[arrow]"


def pyarrow() -> Any:
    """Returns the module pyarrow, with pyarrow.parquet imported."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "pyarrow":
            raise Unsupported(_ABSENT) from None
        raise Unsupported(f"Parquet needs pyarrow, whose import failed: {error}") from error
    return pyarrow


def require_pyarrow() -> None:
    """Raises Unsupported if pyarrow is not installed. Does not import it."""
    if importlib.util.find_spec("pyarrow") is None:
        raise Unsupported(_ABSENT)


def table_of(columns: Mapping[str, Any]) -> Any:
    """Returns columns as a pyarrow table. pyarrow.table() would import pandas, which takes
    as long as exporting half a million agents."""
    pa, table = pyarrow(), Table(columns)
    if hasattr(pa.RecordBatchReader, "from_stream"):  # pyarrow 15
        return pa.RecordBatchReader.from_stream(table).read_all()
    return pa.table(table)


def read_table(content: bytes, names: Iterable[str], file: str) -> Any:
    """Returns the columns of a Parquet file that are in `names`, as a pyarrow table;
    absent columns are left out."""
    pa = pyarrow()
    try:
        parquet = pa.parquet.ParquetFile(pa.BufferReader(content))
        present = set(parquet.schema_arrow.names)
        return parquet.read([name for name in names if name in present])
    except (pa.ArrowException, OSError) as error:
        raise Error(
            f"{file}: not a readable Parquet file: {error}", "corrupt_chunk"
        ) from None


def one_array(column: Any, type: Any) -> Any:
    """Returns a chunked column as one array of a type."""
    pa = pyarrow()
    chunks = column.cast(type).chunks
    return pa.concat_arrays(chunks) if chunks else pa.array([], type)


def core_column(name: str, column: Any, file: str) -> Column:
    """Returns a column without null values as (name, values) or, for text, (name,
    offsets, bytes). Numbers become float64 or int64, dictionaries their values."""
    pa = pyarrow()
    type = column.type
    value = type.value_type if pa.types.is_dictionary(type) else type
    if column.null_count > 0:
        raise Error(f"{file}: column {name}: null values", "invalid_metadata")
    try:
        if pa.types.is_floating(value):
            return name, one_array(column, pa.float64()).to_numpy(zero_copy_only=False)
        if pa.types.is_integer(value):
            return name, one_array(column, pa.int64()).to_numpy(zero_copy_only=False)
        if pa.types.is_string(value) or pa.types.is_large_string(value):
            text = one_array(column, pa.large_string())
            _, offsets, content = text.buffers()
            rows = np.frombuffer(offsets or b"\0" * 8, "<i8")
            rows = rows[text.offset : text.offset + len(text) + 1]
            return name, rows, b"" if content is None else content.to_pybytes()
    except pa.ArrowException as error:
        raise Error(f"{file}: column {name}: {error}", "invalid_metadata") from None
    raise Error(f"{file}: column {name}: unsupported type {type}", "invalid_metadata")
