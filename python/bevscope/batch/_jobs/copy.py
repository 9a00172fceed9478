"""Copies of scenes in another layout, into several data sets."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from .convert import part_name, put_parts
from .job import Job, Put, Report, ranges


class Copy(Job):
    """A data set per task, of consecutive scenes. The options are those of
    Dataset.copy()."""

    usual = {
        "scenes": 100,
        "layout": "original",
        "fields": [],
        "chunks": None,
        "codec": None,
        "level": None,
        "split_vectors": False,
        "zarr_format": 2,
        "chunks_per_shard": 0,
        "statistics": False,
    }

    def tasks(self) -> list[dict[str, Any]]:
        found = ranges(len(self.dataset.scenes), self.options["scenes"], "copy: scenes")
        return [{"begin": a, "end": b, "part": i} for i, (a, b) in enumerate(found)]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        options = {k: v for k, v in self.options.items() if k not in ("job", "scenes")}
        prefix = part_name(task["part"])
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "part.zarr")
            rows = slice(task["begin"], task["end"])
            report = self.dataset.copy(store, scenes=rows, **options)
            for at, folders, names in os.walk(store):
                folders.sort()
                for name in sorted(names):
                    path = os.path.join(at, name)
                    with open(path, "rb") as file:
                        put(f"{prefix}/{os.path.relpath(path, store)}", file.read())
        return {"report": {"scenes": report["scenes"]}}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        return put_parts([one["report"] for one in reports], put)
