"""Files of scores, as `bevscope score` writes them, and nuPlan's metrics."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import OutOfMemory
from ._sources.files import accessing, files_in

#: The core refuses what is longer.
_MAX_BYTES = 2**28
_NAMES = ("name", "is_of_planner", "is_of_futures", "columns", "scenarios")


@dataclass(frozen=True)
class ScoreTable:
    """Scores of a submission's S scenarios or futures, or of a planner of nuPlan: N rows of
    C columns. Arrays share memory."""

    #: Of the planner, or of the file.
    name: str
    is_of_planner: bool
    #: Whether there is a row per future; else one per scenario.
    is_of_futures: bool
    #: Names of the C columns.
    columns: list[str]
    #: Ids of the S scenarios.
    scenarios: list[str]
    #: uint32 (S + 1): the first row of each scenario.
    first_row: npt.NDArray[np.uint32]
    #: float64 (N, C); NaN if missing.
    values: npt.NDArray[np.float64]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yields a dict per row: `scenario_id`, and the columns."""
        counts = np.diff(self.first_row)
        ids = np.repeat(np.arange(len(self.scenarios)), counts)
        for scenario, row in zip(ids.tolist(), self.values.tolist(), strict=True):
            yield {
                "scenario_id": self.scenarios[scenario],
                **dict(zip(self.columns, row, strict=True)),
            }


def read_scores(*paths: str | os.PathLike[str]) -> list[ScoreTable]:
    """Reads files of scores: what `bevscope score` wrote, as CSV or as its columns in
    Parquet, and the Parquet tables of nuPlan's metrics, also all below a folder. Returns a
    table for each file of a submission, then one for each planner, with the metrics of all
    files.

    Raises NotFound for a path that does not exist and a folder without such files, and
    Error, naming file and row, for other files.
    """
    reader = _core.ScoreReader()
    for path in files_in(paths, ".parquet"):
        with accessing(path), open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > _MAX_BYTES:
                problem = f"{path}: too large (expected at most {_MAX_BYTES} bytes)"
                raise OutOfMemory(problem, "limit_exceeded")
            content = file.read()
        reader.add(content, path)
    return [
        ScoreTable(**{name: getattr(one, name) for name in _NAMES}, **one.arrays())
        for one in reader.finish()
    ]
