"""Conversion of other data sets, into several data sets of L5Kit's format."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import _core
from ..._convert import argoverse2, waymo, whole_file
from ..._errors import InvalidArgument, NotFound
from .job import Job, Put, Report, files_fingerprint, ranges

#: A scenario; opened in the process that converts it.
Read = Callable[[], _core.Scenario]


def part_name(number: int) -> str:
    return f"part-{number:06}.zarr"


def put_parts(reports: Sequence[Mapping[str, Any]], put: Put) -> Report:
    """Writes parts.json, which lists the data sets in order."""
    parts = [{"path": part_name(i), **one} for i, one in enumerate(reports)]
    put("parts.json", json.dumps({"parts": parts}, indent=1, sort_keys=True).encode())
    totals: Report = {"parts": len(parts)}
    for one in reports:
        for name, value in one.items():
            if isinstance(value, int):
                totals[name] = totals.get(name, 0) + value
    return totals


class Conversion(Job):
    """A data set per task, of consecutive scenarios."""

    usual = {"mask": "scored", "tables": "", "scenarios": 200}
    source = ""

    def _files(self) -> list[str]:
        raise NotImplementedError

    @functools.cached_property
    def reads(self) -> Sequence[Read]:
        """The scenarios, which are found once per process."""
        raise NotImplementedError

    def _addresses(self) -> list[str]:
        return self.address if isinstance(self.address, list) else [self.address]

    def fingerprint(self) -> str:
        files = self._files()
        if not files:
            raise NotFound("no scenarios found")
        root = os.path.commonpath([os.path.dirname(one) for one in files])
        return files_fingerprint(root, files)

    def tasks(self) -> list[dict[str, Any]]:
        step = self.options["scenarios"]
        found = ranges(len(self.reads), step, f"{self.source}: scenarios")
        return [{"begin": a, "end": b, "part": i} for i, (a, b) in enumerate(found)]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        prefix, objects = part_name(task["part"]), {}

        def write(key: str, content: bytes) -> None:
            objects[key] = content  # a document may be replaced

        def append_map(content: bytes) -> None:
            raise InvalidArgument("conversion: maps are not converted by tasks")

        writer = _core.ScenarioWriter(write, self.options["mask"], self.source, append_map)
        for read in self.reads[task["begin"] : task["end"]]:
            writer.add(read())
        report = json.loads(writer.close())
        for key, content in objects.items():
            put(f"{prefix}/{key}", content)
        return {"report": report}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        return put_parts([one["report"] for one in reports], put)


class Argoverse2(Conversion):
    """Argoverse 2 motion forecasting scenarios."""

    source = "argoverse2"

    @functools.cached_property
    def _sources(self) -> list[argoverse2.Source]:
        return argoverse2.find(self._addresses())

    def _files(self) -> list[str]:
        return [one.parquet for one in self._sources]

    @functools.cached_property
    def reads(self) -> Sequence[Read]:
        importer = _core.Argoverse2Importer(self.options["tables"])
        return [
            functools.partial(argoverse2.read, importer, one, False)
            for one in self._sources
        ]


class ScenarioNet(Conversion):
    """Scenarios of ScenarioNet and MetaDrive."""

    source = "scenarionet"

    def _files(self) -> list[str]:
        return _core.find_scenarios("scenarionet", self._addresses())

    @functools.cached_property
    def reads(self) -> Sequence[Read]:
        importer = _core.ScenarionetImporter(self.options["tables"])
        read = functools.partial(whole_file.read, importer.read)
        return [functools.partial(read, name, False, None) for name in self._files()]


class Waymo(Conversion):
    """Waymo Open Motion scenarios."""

    source = "waymo"

    def _files(self) -> list[str]:
        return _core.find_scenarios("waymo", self._addresses())

    @functools.cached_property
    def reads(self) -> Sequence[Read]:
        importer = _core.WaymoImporter(self.options["tables"])
        found = [one for name in self._files() for one in waymo.find_records(name)]
        return [functools.partial(waymo.read, importer, one, False, None) for one in found]
