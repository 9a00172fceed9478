"""ScenarioNet: reads the pickles of scenarios. Python's pickle, which calls what a file
names, is not used."""

from __future__ import annotations

import os

from .. import _core
from .._errors import Error
from .._sources.files import read_file


def read(
    importer: _core.ScenarionetImporter, path: str, with_map: bool, place: int | None
) -> _core.Scenario:
    """Reads a scenario. May run in several threads at the same time."""
    try:
        return importer.read(read_file(path), with_map, place, os.path.basename(path))
    except Error as error:
        raise type(error)(f"{path}: {error}", error.code) from None
