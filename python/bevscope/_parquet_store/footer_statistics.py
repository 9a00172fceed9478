"""Limits of the values of chunks, from the footers: the store's statistics file."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .._convert.parquet import pyarrow
from .columns import Column
from .decoding import Group
from .layout import Layout
from .stored_arrays import StoredArray

#: Entries of chunks in the file, whose size is limited; columns beyond it have none.
MAX_ENTRIES = 400_000
MAX_TEXTS = 8
MAX_TEXT_BYTES = 64

#: Minimum and maximum; None if they are not known.
Limits = tuple[Any, Any] | None


def statistics_of(
    layout: Layout,
    known: Iterable[tuple[StoredArray, Callable[[int], Any]]],
) -> bytes:
    """Returns the contents of .bevscope/statistics.json.

    Args:
        known: arrays of rows, and functions that return the limits of a row group, or the
            text that all of its rows have; None if neither is known."""
    arrays: dict[str, object] = {}
    entries = 0
    for array, of_group in known:
        if entries + layout.chunks > MAX_ENTRIES:
            break
        chunks = list(_chunks(layout, array, of_group))
        if not chunks:
            continue
        entries += layout.chunks
        arrays[array.path] = {
            "length": layout.rows,
            "chunk_rows": layout.chunk_rows,
            "dtype": array.dtype,
            "fields": [["", 1]],
            "chunks": chunks,
        }
    return json.dumps({"version": 1, "arrays": arrays}).encode()


def _chunks(
    layout: Layout, array: StoredArray, of_group: Callable[[int], Any]
) -> Iterator[dict[str, object]]:
    known: dict[int, Any] = {}
    is_text = array.dtype[1] == "U"
    for chunk in range(layout.chunks):
        groups = [part.group for part in layout.parts(chunk)]
        for group in groups:
            if group not in known:
                known[group] = of_group(group)
        found = [known[group] for group in groups]
        limits = _texts(found) if is_text else _range(found, array.dtype)
        if limits is not None:
            yield {
                "chunk": chunk,
                "size": array.chunk_bytes,
                "checksum": 0,
                "validator": "",
                "limits": [limits],
            }


def _texts(found: Sequence[str | None]) -> list[str] | None:
    known = [text for text in found if text is not None]
    if len(known) != len(found):
        return None
    texts = sorted(set(known), key=str.encode)
    is_short = all(len(text.encode()) <= MAX_TEXT_BYTES for text in texts)
    return texts if is_short and len(texts) <= MAX_TEXTS else None


def _range(found: Sequence[Limits], dtype: str) -> list[list[Any]] | None:
    known = [one for one in found if one is not None]
    if len(known) != len(found):
        return None
    least, most = min(low for low, _ in known), max(high for _, high in known)
    # Writers do not count NaN, so that each chunk may have some.
    return [[_number(least), _number(most), int(dtype[1] == "f")]]


def _number(value: Any) -> Any:
    """Returns a number as JSON has it: text beyond 2^53, and for infinities."""
    if isinstance(value, float):
        return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    return value if abs(value) <= 1 << 53 else str(value)


def limits_in(column: Column, group: Group, leaf: int) -> Limits:
    """Returns the limits of a column's values in a row group, as its array has them; None
    if the footer does not tell them, or something that cannot be."""
    kind = column.dtype[1]
    try:
        described = group.file.metadata.row_group(group.number).column(leaf)
        found = described.statistics if described.is_stats_set else None
        if found is None or not found.has_min_max or column.shape:
            return None
        if kind == "f":
            least, most = float(found.min), float(found.max)
        else:
            least, most = _integers(column, found)
    except (TypeError, ValueError, OverflowError, LookupError, OSError, RuntimeError):
        return None
    if math.isnan(least) or math.isnan(most) or least > most:
        return None
    if kind in "iu":
        limits = np.iinfo(column.dtype)
        if least < limits.min or most > limits.max:
            return None
    if kind == "f":  # -0 is not below 0, for some writers
        least, most = least + 0.0, most + 0.0
    return least, most


def _integers(column: Column, found: Any) -> tuple[int, int]:
    least, most = found.min_raw, found.max_raw
    types = pyarrow().types
    if types.is_timestamp(column.arrow) or types.is_time(column.arrow):
        # The file's unit may be another one than Arrow's.
        unit = getattr(found.logical_type, "to_json", lambda: "")()
        expected = {"ms": "milli", "us": "micro", "ns": "nano"}.get(column.unit, "?")
        if expected not in unit:
            raise ValueError
    if not isinstance(least, int):
        raise TypeError
    if column.dtype[1] == "u":  # stored as signed numbers of 4 or 8 bytes
        bits = 64 if found.physical_type == "INT64" else 32
        least, most = least % (1 << bits), most % (1 << bits)
    return int(least), int(most)
