"""Results of challenges: submissions of joint futures or predictions, and their scores."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core
from ._convert import waymo
from ._data.dataset import Dataset
from ._errors import Error, InvalidArgument, NotFound
from ._score_files import ScoreTable as ScoreTable
from ._score_files import read_scores as read_scores
from ._sources.files import accessing, raise_error, writing

Floats = npt.NDArray[np.float32]

_SIDE_FILE_END = ".index.json"
#: Characters; the core refuses what is cut.
_MAX_SIDE_FILE = 2**22 + 1

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
    #: Ids that are texts, as nuScenes' instances are, which `ids` numbers; else None.
    names: list[str] | None
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
    """A submission to the challenges of Waymo, nuScenes or INTERACTION, results of
    PufferDrive or MTR, or futures as CSV or NPZ: the futures of each scenario by its id.
    Files are indexed, and scenarios read one by one; pickles are read whole, and nothing
    in them is called."""

    def __init__(self, core: Any, files: contextlib.ExitStack) -> None:
        self._core = core
        self._files = files
        self._ids = {name: None for name in core.scenarios()}

    @property
    def kind(self) -> str:
        """`sim agents` (also scenario generation), `motion prediction`, `interaction
        prediction`, `nuScenes prediction`, `INTERPRET prediction`; of CSV, NPZ and pickles
        `joint futures` or `predictions`."""
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
                names=one.names or None,
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

    A side file NAME.index.json, as `bevscope futures --index` writes it, has the index of
    a file; one that is not of the file is ignored with a warning.

    Raises NotFound for a path that does not exist and a folder without such files, and
    Error, naming file and scenario, for invalid files.
    """
    with contextlib.ExitStack() as files:
        found = [_opened(path, files) for path in _files_of(paths)]
        core = _core.Submission.open(found)
        for notice in core.notices():
            warnings.warn(notice, stacklevel=2)
        return Submission(core, files.pop_all())


#: Arrays of a scenario, and the shapes that they may have by rollouts, agents and steps.
_SHAPES: dict[str, Callable[[int, int, int], list[tuple[int, ...]]]] = {
    "ids": lambda r, a, t: [(a,)],
    "probability": lambda r, a, t: [(r,), (r, a)],
    "valid": lambda r, a, t: [(r, a, t)],
    "size": lambda r, a, t: [(a, 2), (a, 3)],
}


def save(
    path: str | os.PathLike[str],
    scenarios: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    first_step: int,
    step_stride: int = 1,
    fields: str | None = None,
    joint: bool = True,
    name: str = "",
) -> None:
    """Saves futures as NPZ, which `open_submission`, the command and the viewer open.

    A present file is replaced when the new one is complete. Scenarios are taken twice and
    one by one, so that a mapping may compute them.

    Raises InvalidArgument for arrays of other names and shapes, naming the scenario, and
    Error for what `open_submission` refuses.

    Args:
        path: file to write.
        scenarios: arrays by the scenario's id in the source. `ids` (A) of the agents:
            integers, or text, in which `AV` is the ego vehicle. `futures` (R, A, T, C): R
            rollouts or modes of T poses, in metres and radians, NaN if absent. Optional:
            `probability` (R) or (R, A), `valid` (R, A, T), `size` (A, 2 or 3): length,
            width, height. All scenarios have the same arrays, R, T and C.
        first_step: the scenario's frame of the first pose, such as 11.
        step_stride: frames per step.
        fields: names of the C values; default: x,y,z,yaw or x,y,yaw or x,y.
        joint: whether a rollout of all agents is one future.
        name: name of the model.
    """
    target = _checks.path("path", path)
    scalars: dict[str, Any] = {
        "first_step": _checks.integer("first_step", first_step, -(2**63)),
        "step_stride": _checks.integer("step_stride", step_stride, 1),
        "joint": _checks.flag("joint", joint),
        "name": _checks.text("name", name),
    }
    if fields is not None:
        scalars["fields"] = _checks.text("fields", fields)
    shape, small = _small_arrays(scenarios)
    small |= {key: np.asarray(value) for key, value in scalars.items()}
    partial = f"{target}.partial-{os.getpid()}"
    try:
        with writing(target):
            _write_npz(partial, shape, small, scenarios)
        with accessing(target), open(partial, "rb") as file:
            read = functools.partial(_read, file.fileno(), target)
            size = os.path.getsize(partial)
            _core.Submission.open([(target, size, read, "", False)])
        with writing(target):
            os.replace(partial, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(partial)


def _arrays_of(
    scenario: str, given: Mapping[str, npt.ArrayLike]
) -> dict[str, npt.NDArray[Any]]:
    """Returns a scenario's arrays, of checked shapes."""
    names = {"futures", *_SHAPES}
    if not {"ids", "futures"} <= given.keys() <= names:
        found = ", ".join(sorted(given))
        raise InvalidArgument(
            f"scenario {scenario}: invalid arrays (found {found}; expected ids, futures "
            "and, optional, probability, size, valid)"
        )
    arrays = {key: np.asarray(value) for key, value in given.items()}
    for key in arrays.keys() & {"probability", "size"}:
        arrays[key] = arrays[key].astype("<f4")
    futures = arrays["futures"]
    if futures.ndim != 4 or futures.shape[1] == 0:
        raise _checks.invalid(
            f"scenario {scenario}: futures", futures, "shape (R, A, T, C)"
        )
    for key in arrays.keys() - {"futures"}:
        expected = _SHAPES[key](*futures.shape[:3])
        if arrays[key].shape not in expected:
            shapes = " or ".join(str(one) for one in expected)
            raise _checks.invalid(
                f"scenario {scenario}: {key}", arrays[key], f"shape {shapes}"
            )
    arrays["ids"] = _ids_of(scenario, arrays["ids"])
    return arrays


def _ids_of(scenario: str, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns integers or text; simulators have ids as floats, `Futures` as uint64."""
    if ids.dtype.kind in "US":
        return ids
    if ids.dtype == np.uint64 and (ids == _checks.UINT64_MAX).any():
        return np.where(ids == _checks.UINT64_MAX, "AV", ids.astype(str))
    whole = ids.astype(np.int64)
    if (whole != ids).any():
        raise _checks.invalid(f"scenario {scenario}: ids", ids, "integers or text")
    return whole


def _small_arrays(
    scenarios: Mapping[str, Mapping[str, npt.ArrayLike]],
) -> tuple[tuple[int, ...], dict[str, npt.NDArray[Any]]]:
    """Returns the shape of the futures of all scenarios, and all other arrays, filled up
    to the largest number of agents."""
    parts: dict[str, list[npt.NDArray[Any]]] = {}
    layouts: list[tuple[int, int, int, dict[str, Any]]] = []
    agents = 0
    for scenario in scenarios:
        arrays = _arrays_of(scenario, scenarios[scenario])
        rollouts, own, steps, values = arrays.pop("futures").shape
        arrays.pop("valid", None)
        agents = max(agents, own)
        axes = {
            key: array.shape[1:] if key == "size" else array.ndim
            for key, array in sorted(arrays.items())
        }
        layouts.append((rollouts, steps, values, axes))
        if layouts[-1] != layouts[0]:
            raise InvalidArgument(
                f"scenario {scenario}: other rollouts, steps, values or arrays than in the "
                f"first scenario (found {layouts[-1]}, expected {layouts[0]})"
            )
        for key, array in arrays.items():
            parts.setdefault(key, []).append(array)
    if not layouts:
        raise InvalidArgument("scenarios: none")
    rollouts, steps, values, _ = layouts[0]
    small = {"scenario_id": np.asarray([str(one) for one in scenarios])}
    for key, (first, *others) in parts.items():
        shape: tuple[int, ...] = (rollouts, agents)[: first.ndim]
        if key != "probability":
            shape = (agents, *first.shape[1:])
        small["track_id" if key == "ids" else key] = _stacked([first, *others], shape)
    return (len(layouts), rollouts, agents, steps, values), small


def _stacked(parts: list[npt.NDArray[Any]], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Returns arrays as one; agents that a scenario lacks are -1, or an empty text."""
    dtype = np.result_type(*parts)
    out = np.full((len(parts), *shape), "" if dtype.kind in "US" else -1, dtype)
    for row, part in zip(out, parts, strict=True):
        row[tuple(slice(size) for size in part.shape)] = part
    return out


def _write_npz(
    path: str,
    shape: tuple[int, ...],
    small: Mapping[str, npt.NDArray[Any]],
    scenarios: Mapping[str, Mapping[str, npt.ArrayLike]],
) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    with zipfile.ZipFile(path, "w") as archive:
        with archive.open("futures.npy", "w", force_zip64=True) as member:
            write_header = np.lib.format.write_array_header_1_0
            write_header(member, header)  # type: ignore[no-untyped-call]
            for scenario in scenarios:
                arrays = _arrays_of(scenario, scenarios[scenario])
                block = np.full(shape[1:], np.nan, "<f4")
                own = block[:, : arrays["futures"].shape[1]]
                own[...] = arrays["futures"]
                if "valid" in arrays:
                    own[~arrays["valid"].astype(bool)] = np.nan
                member.write(block.tobytes())
        for key, array in small.items():
            with archive.open(f"{key}.npy", "w") as member:
                np.save(member, array, allow_pickle=False)


def score(
    submission: Submission, data: Iterable[str | os.PathLike[str] | Dataset]
) -> Scores:
    """Scores a submission beside recorded scenarios, joined by ids; docs/results.md defines
    the columns. Memory does not grow with the number of scenarios, but for rows.

    Raises NotFound if no recorded scenario is in the submission.

    Args:
        submission: the submission.
        data: TFRecord files of the Waymo Open Motion data set, or folders of them; or data
            sets that were converted, or are opened without conversion, as those of
            nuScenes.
    """
    scores = _core.SubmissionScores()
    rows: list[dict[str, Any]] = []
    given = list(data)
    for one in given:
        if isinstance(one, Dataset):
            for columns, attributes in _scenes_of(one):
                found = scores.add_scene(submission._core, columns, attributes)
                rows += (dict(zip(COLUMNS, row, strict=True)) for row in found)
    files = [_checks.expanded(one) for one in given if not isinstance(one, Dataset)]
    for path in _core.find_scenarios("waymo", files) if files else ():
        for record in waymo.find_records(path):
            row = _score(scores, submission, record)
            if row is not None:
                rows.append(dict(zip(COLUMNS, row, strict=True)))
    if not rows:
        raise NotFound("no recorded scenario is in the submission")
    return Scores(rows, json.loads(scores.json()))


def _scenes_of(dataset: Dataset) -> Iterator[tuple[dict[str, bytes], str]]:
    """Yields the columns of each scene, and its attributes as JSON."""
    described = dataset.attrs.get("bevscope", {}).get("scenes")
    if not isinstance(described, list) or len(described) != len(dataset.scenes):
        raise Error("the data set's attributes have no scenario ids", "invalid_metadata")
    for i, attributes in enumerate(described):
        begin, end = dataset.scenes[i]["frame_index_interval"]
        frames = dataset.frames[int(begin) : int(end)]
        if len(frames) == 0:
            continue
        intervals = frames["agent_index_interval"]
        agents = dataset.agents[int(intervals[0, 0]) : int(intervals[-1, 1])]
        columns = {
            "timestamps": frames["timestamp"].astype("<i8"),
            "ego_translation": frames["ego_translation"].astype("<f8"),
            "ego_rotation": frames["ego_rotation"].astype("<f8"),
            "agent_index_interval": intervals.astype("<i8"),
            "track_ids": agents["track_id"].astype("<u8"),
            "centroids": agents["centroid"].astype("<f8"),
            "yaws": agents["yaw"].astype("<f4"),
            "extents": agents["extent"].astype("<f4"),
            "velocities": agents["velocity"].astype("<f4"),
            "label_probabilities": agents["label_probabilities"].astype("<f4"),
        }
        arrays = {name: column.tobytes() for name, column in columns.items()}
        yield arrays, json.dumps(attributes)


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
            if not path.endswith(_SIDE_FILE_END):  # which NAME* also gives
                yield path
            continue
        found = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path, onerror=raise_error)
            for name in names
            if ".binproto" in name and not name.endswith(_SIDE_FILE_END)
        )
        if not found:
            raise NotFound(f"{path}: no files *.binproto* found")
        yield from found


def _opened(
    path: str, files: contextlib.ExitStack
) -> tuple[str, int, Callable[[int, int], bytes], str, bool]:
    if not os.path.isfile(path):
        raise NotFound(f"{path}: not found, or not a file")
    with accessing(path):
        descriptor = files.enter_context(open(path, "rb")).fileno()
        status = os.fstat(descriptor)
    read = functools.partial(_read, descriptor, path)
    return path, status.st_size, read, *_side_file(path, status.st_mtime_ns)


def _side_file(path: str, modified_ns: int) -> tuple[str, bool]:
    """Returns the text of a file's side file, and whether it is older."""
    name = path + _SIDE_FILE_END
    if not os.path.isfile(name):
        return "", False
    with accessing(name), open(name, encoding="utf-8", errors="replace") as file:
        is_older = os.fstat(file.fileno()).st_mtime_ns < modified_ns
        return file.read(_MAX_SIDE_FILE), is_older


def _read(descriptor: int, path: str, offset: int, size: int) -> bytes:
    with accessing(path):
        return os.pread(descriptor, size, offset)
