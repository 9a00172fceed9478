"""ScenarioNet: finds the pickles of scenarios and reads them. Python's pickle, which calls
what a file names, is not used."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .. import _core
from .._errors import Error, NotFound
from .._sources.files import raise_error, read_file

_SUMMARY, _MAPPING = "dataset_summary.pkl", "dataset_mapping.pkl"

#: Bytes of a file; a summary of 100,000 scenarios has more, their mapping less.
_MAX_BYTES = 2**28


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Returns scenarios (names that end in ".pkl") below folders, and given files, in the
    order of the paths; those below a folder by path. Of a folder with a summary or a
    mapping, the files that these list."""
    found: list[str] = []
    for given in paths:
        path = os.fspath(given)
        if os.path.isdir(path):
            files = _listed(path)
            if files is None:
                files = sorted(
                    os.path.join(folder, name)
                    for folder, _, names in os.walk(path, onerror=raise_error)
                    for name in names
                    if name.endswith(".pkl") and name not in (_SUMMARY, _MAPPING)
                )
            if not files:
                raise NotFound(f"{path}: no scenarios (*.pkl) found")
            found += files
        elif os.path.exists(path):
            found.append(path)
        else:
            raise NotFound(f"{path}: not found")
    return found


def _listed(folder: str) -> list[str] | None:
    """Returns the files that a folder lists; None if it has no list."""
    mapping = _content(os.path.join(folder, _MAPPING))
    path = os.path.join(folder, _SUMMARY)
    is_large = os.path.exists(path) and os.path.getsize(path) > _MAX_BYTES
    summary = None if mapping is not None and is_large else _content(path)
    if summary is None and mapping is None:
        return None
    try:
        names = _core.scenarionet_files(summary, mapping)
    except Error as error:
        raise type(error)(f"{folder}: {error}", error.code) from None
    return [os.path.join(folder, name) for name in names]


def _content(path: str) -> bytes | None:
    return read_file(path) if os.path.exists(path) else None


def read(
    importer: _core.ScenarionetImporter, path: str, with_map: bool, place: int | None
) -> _core.Scenario:
    """Reads a scenario. May run in several threads at the same time."""
    try:
        return importer.read(read_file(path), with_map, place, os.path.basename(path))
    except Error as error:
        raise type(error)(f"{path}: {error}", error.code) from None
