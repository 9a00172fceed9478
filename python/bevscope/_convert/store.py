"""Argoverse 2 scenarios as a store, without conversion to files."""

from __future__ import annotations

import os
from typing import Any

from .. import _checks, _core
from .._data.handle import Opened
from .._sources.source import scenario_format
from . import argoverse2
from .parquet import pyarrow


def argoverse2_path(address: Any) -> str | None:
    """Returns an address that is a path of Argoverse 2 scenarios."""
    return _checks.expanded(address) if scenario_format(address) == "argoverse2" else None


def _state(source: argoverse2.Source, with_map: bool) -> str:
    """Returns sizes and modification times of a scenario's files."""
    files = [source.parquet, source.map] if with_map else [source.parquet]
    states = [os.stat(file) if os.path.exists(file) else None for file in files]
    return " ".join(
        f"{one.st_size} bytes, {one.st_mtime_ns} ns" if one else "absent" for one in states
    )


def _open(path: str, with_map: bool) -> _core.Objects:
    pyarrow()
    importer = _core.Argoverse2Importer("")
    sources = argoverse2.find([path])
    return _core.Objects.of_scenarios(
        "argoverse2",
        [os.path.abspath(one.parquet) for one in sources],
        lambda index: _state(sources[index], with_map),
        lambda index, maps: argoverse2.read(importer, sources[index], maps),
        with_map,
    )


class Argoverse2Store:
    """A source that converts scenarios when they are read. Pickles as its path."""

    def __init__(self, path: str, with_map: bool) -> None:
        self._handle = Opened(path, {"with_map": with_map}, _open)

    def read(self, key: str, range: tuple[int, int] | None) -> Any:
        return self._handle.call(lambda core: core.read(key, range))

    def size(self, key: str) -> int | None:
        return self._handle.call(lambda core: core.size(key))

    def beside(self) -> str | None:
        return self._handle.call(lambda core: core.beside())

    def __repr__(self) -> str:
        return f"<Argoverse 2: {self._handle.address}>"
