"""nuPlan: finds logs and maps, and reads scenes of logs by ranges."""

from __future__ import annotations

import collections
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass

from .. import _core
from .._errors import Error, InvalidArgument, NotFound
from .._sources.files import accessing

#: Logs that are open at the same time.
_MAX_OPEN = 4


@dataclass(frozen=True)
class Source:
    """A scene of a log."""

    path: str
    scene: int


class _Open:
    """A log that is open; a lock, because a log belongs to one thread."""

    def __init__(self, path: str, tables: str, all_sweeps: bool) -> None:
        for name in (f"{path}-wal", f"{path}-journal"):
            if os.path.exists(name) and os.path.getsize(name) > 0:
                raise InvalidArgument(
                    f"{path}: changes are in {name}; end the program that writes them"
                )
        self.log = _core.NuplanLog(*_ranged(path), tables, all_sweeps)
        self.lock = threading.Lock()


def _ranged(path: str) -> tuple[int, Callable[[int, int], bytes]]:
    """Returns a file's size and a function that reads it, which keeps it open."""
    with accessing(path):
        file = open(path, "rb")  # noqa: SIM115
    size = os.fstat(file.fileno()).st_size
    return size, lambda offset, count: os.pread(file.fileno(), count, offset)


class Logs:
    """Logs and their cities' maps. Functions may be called by several threads."""

    def __init__(self, tables: str, maps: str | None, all_sweeps: bool) -> None:
        """`maps` is the folder of CITY/*/map.gpkg, or a file."""
        self._tables, self._maps, self._all_sweeps = tables, maps, all_sweeps
        self._open: collections.OrderedDict[str, _Open] = collections.OrderedDict()
        self._city_maps: dict[str, _core.NuplanMap] = {}
        self._lock, self._map_lock = threading.Lock(), threading.Lock()

    def scenes(self, path: str) -> list[Source]:
        """Returns the scenes of a log."""
        return [Source(path, i) for i in range(len(self._log(path).log.scenes()))]

    def read(self, source: Source, _map: bool, _place: int | None) -> _core.Scenario:
        """Reads a scene."""
        opened = self._log(source.path)
        try:
            with opened.lock:
                map = self._map_of(opened.log) if self._maps is not None else None
                name = os.path.basename(source.path)
                return opened.log.read(source.scene, map, name)
        except Error as error:
            raise type(error)(f"{source.path}: {error}", error.code) from None

    def _log(self, path: str) -> _Open:
        with self._lock:
            if path not in self._open:
                try:
                    self._open[path] = _Open(path, self._tables, self._all_sweeps)
                except Error as error:
                    raise type(error)(f"{path}: {error}", error.code) from None
                if len(self._open) > _MAX_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(path)
            return self._open[path]

    def _map_of(self, log: _core.NuplanLog) -> _core.NuplanMap:
        with self._map_lock:
            if log.city not in self._city_maps:
                path = self._map_file(log.city)
                self._city_maps[log.city] = _core.NuplanMap(
                    *_ranged(path), log.epsg, self._tables
                )
            return self._city_maps[log.city]

    def _map_file(self, city: str) -> str:
        assert self._maps is not None
        if os.path.isfile(self._maps):
            return self._maps
        folder = os.path.join(self._maps, city)
        versions = os.listdir(folder) if os.path.isdir(folder) else []
        files = [os.path.join(folder, version, "map.gpkg") for version in versions]
        found = [file for file in files if os.path.isfile(file)]
        if not found:
            raise NotFound(f"{folder}: no map (expected */map.gpkg in it)")
        return max(found)
