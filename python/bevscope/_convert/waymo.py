"""Waymo Open Motion: finds the records of TFRecord files and reads them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .. import _core
from .._errors import Error
from .._sources.files import accessing


@dataclass(frozen=True)
class Source:
    """A record of a file."""

    path: str
    index: int
    offset: int
    size: int


def find_records(path: str) -> list[Source]:
    """Returns the records of a file."""
    with accessing(path), open(path, "rb") as file:
        descriptor = file.fileno()
        try:
            ranges = _core.find_records(
                os.fstat(descriptor).st_size,
                lambda offset, size: os.pread(descriptor, size, offset),
            )
        except Error as error:
            raise type(error)(f"{path}: {error}", error.code) from None
    return [Source(path, index, *found) for index, found in enumerate(ranges)]


def read(
    importer: _core.WaymoImporter, source: Source, with_map: bool, place: int | None
) -> _core.Scenario:
    """Reads a scenario. May run in several threads at the same time."""
    with accessing(source.path), open(source.path, "rb") as file:
        content = os.pread(file.fileno(), source.size, source.offset)
    name = os.path.basename(source.path)
    try:
        return importer.read(content, source.offset, with_map, place, name, source.index)
    except Error as error:
        raise type(error)(
            f"{source.path}: record {source.index}: {error}", error.code
        ) from None
