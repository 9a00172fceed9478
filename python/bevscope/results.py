"""Results of challenges: submissions of joint futures or predictions, and their scores."""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core
from ._convert import waymo
from ._errors import Error, NotFound
from ._sources.files import accessing, raise_error

Floats = npt.NDArray[np.float32]

#: Columns of the rows of `score`.
COLUMNS = (
    "scenario_id",
    "agents",
    "evaluated",
    "rollouts",
    "mismatches",
    "ade",
    "min_ade",
    "fde",
    "min_fde",
    "collision_rate",
)


@dataclass(frozen=True)
class Futures:
    """Alternative futures of A agents: R rollouts of a simulation, or modes, of T steps."""

    #: Ids of the agents in the source: uint64 (A); 2**64 - 1 is "AV", the ego vehicle.
    ids: npt.NDArray[np.uint64]
    #: (R, A, V, T) in metres and radians: x, y, z, yaw (V = 4), or x, y (V = 2).
    poses: Floats
    #: (R, A, 3, T) or (A, 3) length, width, height; None if not given.
    sizes: Floats | None
    #: (R, A, T); None if all poses are valid.
    valid: npt.NDArray[np.bool_] | None
    #: (R) or (R, A) confidences as stated; None if not given.
    scores: Floats | None
    #: The scenario's frame of step 0, and frames per step.
    first_step: int
    step_stride: int
    #: Whether a rollout of all agents is one future.
    is_joint: bool


class Submission(Mapping[str, list[Futures]]):
    """A submission to the Waymo Open Dataset Challenges, or futures as CSV or NPZ: the
    futures of each scenario by its id. Files are indexed, and scenarios read one by one."""

    def __init__(self, core: Any, files: contextlib.ExitStack) -> None:
        self._core = core
        self._files = files
        self._ids = {name: None for name in core.scenarios()}

    @property
    def kind(self) -> str:
        """`sim agents` (also scenario generation), `motion prediction`, `interaction
        prediction`; of CSV and NPZ `joint futures` or `predictions`."""
        return str(self._core.kind)

    @property
    def card(self) -> dict[str, str]:
        """What the submission states about its model: `method`, `affiliation`, `link`,
        `parameters`; "" if absent."""
        names = ("method", "affiliation", "link", "parameters")
        return dict(zip(names, self._core.card, strict=True))

    def __getitem__(self, scenario: str) -> list[Futures]:
        """Reads the futures of a scenario: of motion predictions one for each agent. Arrays
        share memory."""
        if scenario not in self._ids:
            raise KeyError(scenario)
        return [
            Futures(
                **one.arrays(),
                first_step=one.first_step,
                step_stride=one.step_stride,
                is_joint=one.is_joint,
            )
            for one in self._core.read(scenario)
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return f"<bevscope.results.Submission {self.kind}: {len(self)} scenarios>"

    def close(self) -> None:
        """Closes the files."""
        self._files.close()

    def __enter__(self) -> Submission:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(frozen=True)
class Scores:
    """Scores of a submission."""

    #: A dict per scenario with the keys of COLUMNS.
    rows: list[dict[str, Any]]
    #: Counts, means, motion metrics pooled over all scenarios, and mismatches by name.
    summary: dict[str, Any]


def open_submission(*paths: str | os.PathLike[str]) -> Submission:
    """Opens a submission: files, or folders of files whose names contain ".binproto".

    Raises NotFound for a path that does not exist and a folder without such files, and
    Error, naming file and scenario, for invalid files.
    """
    with contextlib.ExitStack() as files:
        found = [_opened(path, files) for path in _files_of(paths)]
        core = _core.Submission.open(found)
        return Submission(core, files.pop_all())


def score(submission: Submission, data: Iterable[str | os.PathLike[str]]) -> Scores:
    """Scores a submission beside recorded scenarios, joined by ids; docs/results.md defines
    the columns. Memory does not grow with the number of scenarios, but for rows.

    Raises NotFound if no recorded scenario is in the submission.

    Args:
        submission: the submission.
        data: TFRecord files of the Waymo Open Motion data set, or folders of them.
    """
    scores = _core.SubmissionScores()
    rows: list[dict[str, Any]] = []
    for path in _core.find_scenarios("waymo", [_checks.expanded(one) for one in data]):
        for record in waymo.find_records(path):
            found = _score(scores, submission, record)
            if found is not None:
                rows.append(dict(zip(COLUMNS, found, strict=True)))
    if not rows:
        raise NotFound("no recorded scenario is in the submission")
    return Scores(rows, json.loads(scores.json()))


def _score(
    scores: _core.SubmissionScores, submission: Submission, record: waymo.Source
) -> Any:
    with accessing(record.path), open(record.path, "rb") as file:
        content = os.pread(file.fileno(), record.size, record.offset)
    try:
        return scores.add(submission._core, content, record.offset)
    except Error as error:
        where = f"{record.path}: record {record.index}"
        raise type(error)(f"{where}: {error}", error.code) from None


def _files_of(paths: Iterable[str | os.PathLike[str]]) -> Iterator[str]:
    for given in paths:
        path = _checks.expanded(given)
        if not os.path.isdir(path):
            yield path
            continue
        found = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path, onerror=raise_error)
            for name in names
            if ".binproto" in name
        )
        if not found:
            raise NotFound(f"{path}: no files *.binproto* found")
        yield from found


def _opened(
    path: str, files: contextlib.ExitStack
) -> tuple[str, int, Callable[[int, int], bytes]]:
    if not os.path.isfile(path):
        raise NotFound(f"{path}: not found, or not a file")
    with accessing(path):
        descriptor = files.enter_context(open(path, "rb")).fileno()
        size = os.fstat(descriptor).st_size
    return path, size, functools.partial(_read, descriptor, path)


def _read(descriptor: int, path: str, offset: int, size: int) -> bytes:
    with accessing(path):
        return os.pread(descriptor, size, offset)
