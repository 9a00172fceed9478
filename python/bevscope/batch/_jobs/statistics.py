"""The index of statistics, by which filters exclude chunks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ... import _core
from .job import Job, Put, Report, ranges

_KEY = ".bevscope/statistics.json"
_ARRAYS = ("scenes", "frames", "agents", "traffic_light_faces")


class Statistics(Job):
    """.bevscope/statistics.json: the limits of the values of each chunk. A task is a run
    of chunks of one array."""

    usual = {"arrays": None, "chunks": 100}

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        self.units = (_KEY,)

    def uses_masks(self) -> bool:
        return any(one.startswith("agents_mask") for one in self._arrays())

    def _arrays(self) -> list[str]:
        given = self.options["arrays"]
        return [one for one in _ARRAYS if one in self.dataset] if given is None else given

    def tasks(self) -> list[dict[str, Any]]:
        out = []
        for path in self._arrays():
            array = self.dataset[path]
            chunk = array.chunks[0] if array.chunks else max(1, len(array))
            chunks = -(-len(array) // chunk)
            for a, b in ranges(chunks, self.options["chunks"], "statistics: chunks"):
                out.append({"array": path, "begin": a, "end": b})
        return out

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        text = self.dataset._handle.call(
            lambda core: _core.chunk_statistics(
                core, task["array"], task["begin"], task["end"]
            )
        )
        return {"statistics": json.loads(text)}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        texts = [json.dumps(one["statistics"]) for one in reports]
        put(_KEY, _core.join_statistics(texts).encode())
        chunks: dict[str, int] = {}
        for task in tasks:
            count = task["end"] - task["begin"]
            chunks[task["array"]] = chunks.get(task["array"], 0) + count
        return {"chunks": chunks}
