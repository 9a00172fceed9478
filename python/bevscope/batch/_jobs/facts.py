"""Facts of scenes and tracks, by which scenarios are found."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._convert.parquet import pyarrow, require_pyarrow, table_of
from ..._data.maps import SemanticMap, map_files
from ..._errors import InvalidArgument
from .job import Job, Put, Report, files_fingerprint, ranges

_FORMATS = ("parquet", "npy")


class Facts(Job):
    """Two tables, scenes and tracks, as a file per task of consecutive scenes: .parquet,
    which needs pyarrow, or .npy with records."""

    usual = {"map": None, "scenes": 100, "format": "parquet", "compression": "zstd"}

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        if self.options["format"] not in _FORMATS:
            raise InvalidArgument(
                f"facts: format: unknown (found {self.options['format']!r}, expected one "
                f"of {', '.join(_FORMATS)})"
            )
        if self.options["format"] == "parquet":
            require_pyarrow()
        path = self.options["map"]
        self._files = None if path is None else map_files(path)
        if self._files:
            self.options["map"] = self._files[0]
        self._map = SemanticMap(*self._files) if self._files else None

    def fingerprint(self) -> str:
        """Also of the map."""
        own = super().fingerprint()
        return own + files_fingerprint("/", self._files) if self._files else own

    def tasks(self) -> list[dict[str, Any]]:
        found = ranges(len(self.dataset.scenes), self.options["scenes"], "facts: scenes")
        return [{"begin": a, "end": b, "part": i} for i, (a, b) in enumerate(found)]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        scenes = slice(task["begin"], task["end"])
        tables: Mapping[str, Any] = self.dataset.facts(scenes, map=self._map)
        for name, columns in tables.items():
            key = f"{name}/part-{task['part']:06}.{self.options['format']}"
            put(key, self._encoded(columns))
        return {name: len(columns["scene"]) for name, columns in tables.items()}

    def _encoded(self, columns: Mapping[str, Any]) -> bytes:
        content = io.BytesIO()
        if self.options["format"] == "parquet":
            pyarrow().parquet.write_table(
                table_of(columns), content, compression=self.options["compression"]
            )
        else:
            dtype = [(name, one.dtype) for name, one in columns.items()]
            rows = np.empty(len(columns["scene"]), dtype)
            for name, one in columns.items():
                rows[name] = one
            np.save(content, rows, allow_pickle=False)
        return content.getvalue()

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        names = ("scenes", "tracks")
        return {name: sum(one[name] for one in reports) for name in names}
