"""Forecasts of tracks in the formats of the Argoverse 2 challenge and of L5Kit, and their
scores."""

from __future__ import annotations

import contextlib
import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core
from ._convert import argoverse2 as _argoverse2
from ._convert.anchors import Anchors
from ._convert.parquet import one_array, pyarrow, read_table
from ._data.dataset import Dataset
from ._errors import Error, InvalidArgument, NotFound
from ._sources.files import read_file, reading, writing

Floats = npt.NDArray[np.float64]
Key = tuple[str, str]

_COLUMNS = (
    "scenario_id",
    "track_id",
    "probability",
    "predicted_trajectory_x",
    "predicted_trajectory_y",
)
#: Steps of a scenario that are observed; the others are to be predicted.
OBSERVED = 50


@dataclass(frozen=True)
class Forecasts:
    """Forecasts of T tracks with N modes in all, F steps each."""

    #: Scenario and track of each track: T pairs.
    keys: Sequence[Key]
    #: The first mode of each track, from 0 to N: int64 (T + 1).
    offsets: npt.NDArray[np.int64]
    #: Probabilities of the modes, 1 in all for each track: float64 (N).
    probabilities: Floats
    #: Predicted positions in metres, in the city's frame: float64 (N, F, 2).
    paths: Floats

    def scores(
        self, truths: Mapping[Key, Floats], *, k: int = 6, miss_threshold: float = 2.0
    ) -> dict[str, npt.NDArray[Any]]:
        """Returns the scores of each track by its `k` most probable modes, as the
        challenge computes them: arrays (T) `minADE`, `minFDE`, `brier-minADE`,
        `brier-minFDE` in metres, and `missed`.

        Raises NotFound if a track has no truth, InvalidArgument for other shapes.

        Args:
            truths: recorded positions (F, 2) by scenario and track; see `recorded`.
            k: number of modes; the challenge's are 1 and 6.
            miss_threshold: metres at the last step above which a track is missed.
        """
        lacking = [key for key in self.keys if key not in truths]
        if lacking:
            raise NotFound(
                f"truths: not found: {len(lacking)} of {len(self.keys)} tracks, such as "
                f"{lacking[0]}"
            )
        shape = (len(self.keys), *self.paths.shape[1:])
        stacked = np.empty(shape)
        for i, key in enumerate(self.keys):
            if np.shape(truths[key]) != shape[1:]:
                raise InvalidArgument(
                    f"truths: wrong shape of {key} (found {np.shape(truths[key])}, "
                    f"expected {shape[1:]})"
                )
            stacked[i] = truths[key]
        found = _core.forecast_scores(
            _checks.integers("forecasts: offsets", self.offsets),
            _checks.floats("forecasts: probabilities", self.probabilities),
            _checks.floats("forecasts: paths", self.paths),
            stacked,
            _checks.integer("scores: k", k, 1),
            _checks.number("scores: miss_threshold", miss_threshold),
        )
        names = ("minADE", "minFDE", "brier-minADE", "brier-minFDE")
        columns: dict[str, npt.NDArray[Any]] = {
            name: np.array([row[i] for row in found], np.float64)
            for i, name in enumerate(names)
        }
        columns["missed"] = np.array([row[4] for row in found], bool)
        return columns

    def summary(self, truths: Mapping[Key, Floats]) -> dict[str, float]:
        """Returns the challenge's means over all tracks: `minADE`, `minFDE` and `MR` (the
        share of missed tracks) at K=1 and 6, `brier-minADE` and `brier-minFDE` at 6."""
        if not self.keys:
            raise InvalidArgument("forecasts: no tracks")
        out = {}
        for k in (6, 1):
            scores = self.scores(truths, k=k)
            scores["MR"] = scores.pop("missed")
            for name, values in scores.items():
                if k == 6 or not name.startswith("brier"):
                    out[f"{name} (K={k})"] = float(values.mean())
        return out


def read_argoverse2(path: str | os.PathLike[str]) -> Forecasts:
    """Returns the forecasts of a challenge submission, a Parquet file, by scenario and
    track, the most probable mode first. Needs pyarrow.

    Raises Error if the file is not a submission.
    """
    file = _checks.expanded(path)
    pa = pyarrow()
    table = read_table(read_file(file), _COLUMNS, file)
    absent = [name for name in _COLUMNS if name not in table.column_names]
    if absent:
        raise Error(f"{file}: columns not found: {', '.join(absent)}", "not_found")
    for name in _COLUMNS:
        if table.column(name).null_count > 0:
            raise Error(f"{file}: column {name}: null values", "invalid_metadata")
    order = table.select(_COLUMNS[:3]).append_column(
        "row", pa.array(np.arange(table.num_rows))
    )
    descending = [("probability", "descending"), ("row", "ascending")]
    rows = order.sort_by(
        [("scenario_id", "ascending"), ("track_id", "ascending"), *descending]
    ).column("row")
    table = table.take(rows)
    scenarios, tracks = (
        np.array([str(one) for one in table.column(name).to_pylist()], object)
        for name in _COLUMNS[:2]
    )
    changes = (scenarios[1:] != scenarios[:-1]) | (tracks[1:] != tracks[:-1])
    starts = np.flatnonzero(np.concatenate([[True], changes])[: table.num_rows])
    paths = np.stack([_steps(table.column(n), n, file) for n in _COLUMNS[3:]], axis=-1)
    return Forecasts(
        list(zip(scenarios[starts], tracks[starts], strict=True)),
        np.append(starts, table.num_rows).astype(np.int64),
        table.column("probability").to_numpy().astype(np.float64),
        paths,
    )


def _steps(column: Any, name: str, file: str) -> Floats:
    """Returns a column of lists of equal length as an array."""
    pa = pyarrow()
    try:
        lists = one_array(column, pa.large_list(pa.float64()))
    except pa.ArrowException as error:
        raise Error(f"{file}: column {name}: {error}", "invalid_metadata") from None
    values = lists.flatten()
    lengths = np.unique(np.diff(lists.offsets.to_numpy())).tolist()
    if values.null_count > 0:
        raise Error(f"{file}: column {name}: null values", "invalid_metadata")
    if len(lengths) > 1:
        raise Error(
            f"{file}: column {name}: lists differ in length (found {lengths})",
            "invalid_metadata",
        )
    return values.to_numpy().reshape(len(lists), *(lengths or [0]))


def write_argoverse2(path: str | os.PathLike[str], forecasts: Forecasts) -> None:
    """Writes a challenge submission, a Parquet file that appears when it is complete.
    Needs pyarrow."""
    pa = pyarrow()
    counts = _counts_of(forecasts)
    steps = forecasts.paths.shape[1]
    lists = np.arange(len(forecasts.paths) + 1, dtype=np.int64) * steps
    columns = [
        *(
            pa.array(
                np.repeat(np.array([key[i] for key in forecasts.keys], object), counts),
                pa.string(),
            )
            for i in (0, 1)
        ),
        pa.array(forecasts.probabilities, pa.float64()),
        *(
            pa.LargeListArray.from_arrays(
                lists, np.ascontiguousarray(forecasts.paths[:, :, axis]).ravel()
            ).cast(pa.list_(pa.float64()))
            for axis in (0, 1)
        ),
    ]
    with _replaced(path) as partial:
        pa.parquet.write_table(pa.table(columns, _COLUMNS), partial)


def _counts_of(forecasts: Forecasts) -> npt.NDArray[np.int64]:
    """Returns the number of modes of each track."""
    counts: npt.NDArray[np.int64] = np.diff(forecasts.offsets)
    if len(counts) != len(forecasts.keys) or counts.sum() != len(forecasts.paths):
        raise InvalidArgument(
            f"forecasts: {len(forecasts.keys)} keys, {len(counts)} tracks and "
            f"{len(forecasts.paths)} paths (expected as many tracks as keys, and "
            f"{int(counts.sum())} paths)"
        )
    return counts


@contextlib.contextmanager
def _replaced(path: str | os.PathLike[str]) -> Iterator[str]:
    """Gives the name of a file to write, which replaces `path` when it is complete."""
    target = _checks.expanded(path)
    partial = f"{target}.partial-{os.getpid()}"
    try:
        with writing(target):
            yield partial
            os.replace(partial, target)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def write_l5kit(
    path: str | os.PathLike[str],
    forecasts: Forecasts,
    dataset: Dataset,
    *,
    max_modes: int = 3,
) -> None:
    """Writes L5Kit's file of predictions (CSV) for a converted data set: timestamps and
    track ids in the anchor frames, and positions relative to the agent's centroid there,
    along the axes of world, with five decimals. The file appears when it is complete.

    Raises NotFound for a track that is not an agent of its scenario's anchor frame,
    InvalidArgument for more modes than `max_modes`, probabilities that do not sum to 1,
    and tracks of equal timestamps and ids, which the format cannot hold.

    Args:
        max_modes: modes per track in the file, of which L5Kit's functions must be told;
            absent ones are written as zeros.
    """
    from .l5kit.evaluation import write_pred_csv

    counts = _counts_of(forecasts)
    if len(counts) and counts.max() > max_modes:
        raise InvalidArgument(
            f"forecasts: too many modes of track {forecasts.keys[int(counts.argmax())]} "
            f"(found {counts.max()}, expected at most {max_modes}); see max_modes"
        )
    track = np.repeat(np.arange(len(counts)), counts)
    sums = np.bincount(track, forecasts.probabilities, len(counts))
    for i in np.flatnonzero(~np.isclose(sums, 1)):
        raise InvalidArgument(
            f"forecasts: probabilities of track {forecasts.keys[i]} do not sum to 1 "
            f"(found {sums[i]})"
        )
    stamps, ids, centroids = Anchors(dataset).rows_of(forecasts.keys)
    mode = np.arange(len(track)) - np.asarray(forecasts.offsets)[track]
    paths = np.zeros((len(counts), max_modes, *forecasts.paths.shape[1:]))
    confidences = np.zeros((len(counts), max_modes))
    paths[track, mode] = _finite(forecasts.paths) - centroids[track, None]
    confidences[track, mode] = forecasts.probabilities
    with _replaced(path) as partial:
        write_pred_csv(partial, stamps, ids, paths, confidences, max_modes)


def write_l5kit_truths(
    path: str | os.PathLike[str], truths: Mapping[Key, Floats], dataset: Dataset
) -> None:
    """Writes L5Kit's file of ground truth (CSV) for a converted data set: of each track the
    recorded positions, all available, as `write_l5kit` writes predicted ones. Raises as it
    does, and InvalidArgument for paths of several lengths."""
    from .l5kit.evaluation import write_gt_csv

    shapes = {np.shape(one) for one in truths.values()}
    if len(shapes) != 1:
        raise InvalidArgument(
            f"truths: expected paths of one shape (found {sorted(shapes)})"
        )
    stamps, ids, centroids = Anchors(dataset).rows_of(list(truths))
    paths = _finite(np.stack(list(truths.values()))) - centroids[:, None]
    with _replaced(path) as partial:
        write_gt_csv(partial, stamps, ids, paths, np.ones(paths.shape[:2]))


def read_l5kit(path: str | os.PathLike[str], dataset: Dataset) -> Forecasts:
    """Returns the forecasts of L5Kit's file of predictions (CSV) for a converted data set,
    by scenario and track, the most probable mode first. Modes of probability 0 and zeros
    only are absent ones.

    Raises Error if the file is not of predictions, NotFound for a row that is not an agent
    of an anchor frame, InvalidArgument for one that is an agent of several.
    """
    from .l5kit.evaluation import read_pred_csv

    file = _checks.expanded(path)
    modes = _modes_of(file)
    agents: list[tuple[int, int]] = []
    parts: list[Floats] = []
    confidences: list[Floats] = []
    rows = read_pred_csv(file, modes)
    while True:
        try:
            row = next(rows, None)
            if row is None:
                break
            agents.append((int(row["timestamp"]), int(row["track_id"])))
            if not (np.isfinite(row["coords"]).all() and np.isfinite(row["conf"]).all()):
                raise ValueError("a value is not finite")
        except (ValueError, AssertionError, csv.Error) as error:
            raise Error(
                f"{file}: line {len(parts) + 2}: not a prediction: {error}",
                "invalid_metadata",
            ) from None
        parts.append(row["coords"])
        confidences.append(row["conf"])
    if len(set(agents)) < len(agents):
        raise Error(f"{file}: an agent has two rows", "invalid_metadata")
    keys, centroids = Anchors(dataset).keys_of(agents)
    return _joined(keys, parts, confidences, centroids)


def _modes_of(file: str) -> int:
    """Returns the number of modes in a file of predictions, by its header."""
    from .l5kit.evaluation import csv_utils

    try:
        with reading(file), open(file, newline="") as opened:
            header = next(csv.reader(opened), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise Error(f"{file}: not a CSV file: {error}", "invalid_metadata") from None
    modes = sum(name.startswith("conf_") for name in header)
    steps = (len(header) - 2 - modes) // (2 * modes) if modes else 0
    expected = ["timestamp", "track_id", *csv_utils._generate_confs_keys(modes)]
    for mode in range(modes):
        expected += csv_utils._generate_coords_keys(steps, mode)
    if steps < 1 or header != expected:
        raise Error(f"{file}: not L5Kit's header of predictions", "invalid_metadata")
    return modes


def _joined(
    keys: list[Key], paths: list[Floats], confidences: list[Floats], centroids: Floats
) -> Forecasts:
    """Returns forecasts by key; of each track the most probable mode first."""
    offsets, chosen, probabilities = [0], [], []
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    for i in order:
        is_absent = (confidences[i] == 0) & (paths[i] == 0).all(axis=(1, 2))
        modes = np.flatnonzero(~is_absent)
        modes = modes[np.argsort(-confidences[i][modes], kind="stable")]
        chosen.append(paths[i][modes] + centroids[i])
        probabilities.append(confidences[i][modes])
        offsets.append(offsets[-1] + len(modes))
    return Forecasts(
        [keys[i] for i in order],
        np.array(offsets, np.int64),
        np.concatenate([np.zeros(0), *probabilities]),
        np.concatenate(chosen) if chosen else np.zeros((0, 0, 2)),
    )


def _finite(paths: Floats) -> Floats:
    if not np.isfinite(paths).all():
        raise InvalidArgument("paths: a position is not finite")
    return paths


def recorded(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    keys: Iterable[Key] | None = None,
) -> dict[Key, Floats]:
    """Returns the recorded positions (F, 2) of tracks after the observed 50 steps, from
    Argoverse 2 scenarios. Needs pyarrow.

    Raises NotFound if a track is not recorded at all of these steps.

    Args:
        sources: scenario folders, folders of them, or scenario_ID.parquet files.
        keys: scenario and track of each; by default the focal tracks.
    """
    paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    wanted: dict[str, list[str]] | None = None
    if keys is not None:
        wanted = {}
        for scenario, track in keys:
            wanted.setdefault(scenario, []).append(track)
    out: dict[Key, Floats] = {}
    for source in _argoverse2.find(paths):
        scenario, found = _recorded_in(source.parquet, wanted)
        out |= {(scenario, track): path for track, path in found.items()}
    return out


def _recorded_in(
    file: str, wanted: Mapping[str, list[str]] | None
) -> tuple[str, dict[str, Floats]]:
    """Returns a scenario's id, and the positions of its tracks."""
    names = ("scenario_id", "focal_track_id", "track_id", "timestep", "num_timestamps")
    table = read_table(read_file(file), (*names, "position_x", "position_y"), file)
    absent = [
        n for n in (*names, "position_x", "position_y") if n not in table.column_names
    ]
    if absent:
        raise Error(f"{file}: columns not found: {', '.join(absent)}", "not_found")
    if table.num_rows == 0:
        raise Error(f"{file}: scenario: no rows", "invalid_metadata")
    first = table.slice(0, 1).to_pylist()[0]
    scenario, steps = str(first["scenario_id"]), int(first["num_timestamps"]) - OBSERVED
    tracks = [str(first["focal_track_id"])] if wanted is None else wanted.get(scenario, [])
    of = np.array([str(one) for one in table.column("track_id").to_pylist()], object)
    step = table.column("timestep").to_numpy()
    xy = np.stack([table.column(f"position_{axis}").to_numpy() for axis in "xy"], axis=-1)
    out = {}
    for track in tracks:
        rows = np.flatnonzero((of == track) & (step >= OBSERVED))
        rows = rows[np.argsort(step[rows])]
        if steps <= 0 or not np.array_equal(step[rows], OBSERVED + np.arange(steps)):
            raise NotFound(
                f"{file}: track {track}: not recorded at steps {OBSERVED} to "
                f"{OBSERVED + max(steps, 1) - 1}"
            )
        out[track] = xy[rows]
    return scenario, out
