"""CommonRoad and ScenarioNet: reads scenarios of a file each. Python's pickle, which calls
what a file names, is not used."""

from __future__ import annotations

import os
from collections.abc import Callable

from .. import _core
from .._errors import Error
from .._sources.files import read_file


def read(
    convert: Callable[[bytes, bool, int | None, str], _core.Scenario],
    path: str,
    with_map: bool,
    place: int | None,
) -> _core.Scenario:
    """Reads a scenario; errors name the file. May run in several threads at the same
    time."""
    try:
        return convert(read_file(path), with_map, place, os.path.basename(path))
    except Error as error:
        raise type(error)(f"{path}: {error}", error.code) from None
