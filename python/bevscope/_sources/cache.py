"""The folder that keeps chunks for later runs."""

from __future__ import annotations

import os

from .. import _checks, _core


def cache_contents(folder: str | os.PathLike[str]) -> dict[str, int]:
    """Returns "entries", the kept parts of objects of all data sets, and "bytes", the size
    of all files, of the folder that was given as `cache`. Raises NotFound if it does not
    exist."""
    return _core.cache_contents(_checks.path("cache: folder", folder))


def clear_cache(folder: str | os.PathLike[str]) -> dict[str, int]:
    """Removes what is kept in the folder that was given as `cache`, of all data sets, and
    nothing else; returns what was removed, as `cache_contents` does. Data sets that are
    open, here or in other processes, fetch again."""
    return _core.clear_cache(_checks.path("cache: folder", folder))
