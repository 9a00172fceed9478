"""The columns of a data set: those of its files, and its partition keys."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import _core
from .._errors import InvalidArgument, NotFound
from .columns import Column, UnischemaField, column_of, with_codec
from .decoding import Group, Leaves
from .parquet_files import NULL_KEY, DataFile, Files

MAX_ROWS = 1 << 52
#: Petastorm's schema, a pickle that the core reads.
UNISCHEMA = b"dataset-toolkit.unischema.v1"


def columns_of(
    files: Files,
    found: Sequence[DataFile],
    common: Mapping[bytes, bytes],
    text: Mapping[str, int],
) -> dict[str, Column]:
    """Returns the columns by name, without knowing which have null values.

    Args:
        common: key-value metadata of `_common_metadata`.
        text: characters of columns of text that are stored as of one length.

    Raises Error if the files' columns or partition keys differ.
    """
    columns: dict[str, Column] = {}
    known: Any = None
    for file in found:
        if file.metadata is known:
            continue  # of several files
        known = file.metadata
        with files.reading(file.key, "schema"):
            schema = known.schema.to_arrow_schema()
            leaves = Leaves(schema)
            if leaves.count != known.num_columns:
                raise ValueError(f"{leaves.count} leaf columns")
        these = {
            one.name: column_of(one.name, one.type, text.get(one.name)) for one in schema
        }
        for name in leaves.doubled:
            these[name] = Column(name, these[name].arrow, refused="it is given twice")
        if not columns:
            columns = these
        elif these != columns:
            _refuse(files, file, these, columns, found[0].key)
    fields = _core.unischema_fields(common[UNISCHEMA]) if UNISCHEMA in common else "[]"
    for one in json.loads(fields):
        field = UnischemaField(**one)
        if field.name in columns and not columns[field.name].refused:
            column, length = columns[field.name], text.get(field.name)
            columns[field.name] = with_codec(column, field, length)
    _check_text(columns, text)
    return columns | _partition_columns(files, found, columns)


def _check_text(columns: Mapping[str, Column], text: Mapping[str, int]) -> None:
    for name in text:
        if name not in columns:
            raise NotFound(f"parquet: text: no column {name}")
        if columns[name].dtype[1:2] != "U":
            kind = columns[name].arrow
            raise InvalidArgument(f"parquet: text: column {name} is no text (found {kind})")


def _refuse(
    files: Files,
    file: DataFile,
    found: Mapping[str, Column],
    first: Mapping[str, Column],
    key: str,
) -> None:
    """Raises the error of a file whose columns differ from the first file's."""
    for name in sorted({*found, *first}):
        one, other = found.get(name), first.get(name)
        if one != other:
            types = (
                f"(found {one.arrow if one else 'none'}, expected "
                f"{other.arrow if other else 'none'})"
            )
            message = f"column {name}: type differs from that of {key} {types}"
            raise files.error(file.key, message, "invalid_metadata")


def _partition_columns(
    files: Files, found: Sequence[DataFile], columns: Mapping[str, Column]
) -> dict[str, Column]:
    first = tuple(name for name, _ in found[0].partition)
    for file in found:
        names = tuple(name for name, _ in file.partition)
        if names != first or len(set(names)) != len(names) or columns.keys() & {*names}:
            raise files.error(
                file.key,
                f"partition keys {', '.join(names) or 'none'} (expected "
                f"{', '.join(first) or 'none'}, and no columns of these names)",
                "invalid_metadata",
            )
    return {
        name: _partition_column(name, [file.partition[at][1] for file in found])
        for at, name in enumerate(first)
    }


def _partition_column(name: str, values: Sequence[str]) -> Column:
    """Returns the column of a key: integers if all values are, otherwise text. A null is
    0, or empty."""
    nullable = NULL_KEY in values
    shown = [value for value in values if value != NULL_KEY]
    if shown and all(map(_is_integer, shown)):
        return Column(name, None, "<i8", nullable=nullable)
    longest = max((len(value) for value in shown), default=1) or 1
    return Column(name, None, f"<U{longest}", nullable=nullable)


def _is_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 19
    return is_number and str(int(text)) == text and -(2**63) <= int(text) < 2**63


def groups_of(files: Files, found: Sequence[DataFile]) -> Iterator[Group]:
    """Yields the row groups of all files."""
    total = 0
    leaves, known = None, None
    for file in found:
        if leaves is None or file.metadata is not known:
            known = file.metadata
            leaves = Leaves(known.schema.to_arrow_schema()).by_name
        for number in file.groups:
            with files.reading(file.key, f"row group {number}"):
                rows = file.metadata.row_group(number).num_rows
                total += max(rows, 0)
                if rows < 0 or total > MAX_ROWS:
                    raise ValueError(f"invalid number of rows (found {rows})")
            yield Group(file, number, rows, leaves)


def nulls_in(group: Group, name: str) -> int | None:
    """Returns how many rows of a column are null in a row group; None if the footer does
    not tell it. Of lists it counts elements: none is null, or it is not known."""
    leaves = group.leaves[name]
    metadata = group.file.metadata
    try:
        leaf = metadata.schema.column(leaves[0])
        if leaf.max_definition_level == 0:
            return 0
        column = metadata.row_group(group.number).column(leaves[0])
        found = column.statistics if column.is_stats_set else None
        if found is None or not found.has_null_count or len(leaves) != 1:
            return None
        is_list = leaf.max_repetition_level > 0
        return None if is_list and found.null_count else int(found.null_count)
    except (OSError, ValueError, LookupError, RuntimeError):
        return None


def with_nulls(columns: Mapping[str, Column], groups: Sequence[Group]) -> dict[str, Column]:
    """Returns the columns, of which those are nullable that may have null values."""
    return {
        name: column
        if column.arrow is None or not column.dtype or _has_none(name, groups)
        else dataclasses.replace(column, nullable=True)
        for name, column in columns.items()
    }


def _has_none(name: str, groups: Sequence[Group]) -> bool:
    return all(nulls_in(group, name) == 0 for group in groups if group.rows)
