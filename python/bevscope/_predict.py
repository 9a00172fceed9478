"""Predictions of a model for scenes, as a CSV file in L5Kit's format."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks
from ._data.dataset import Dataset
from ._data.maps import AerialImage, SemanticMap
from ._data.samples import Samples
from ._errors import InvalidArgument, NotFound, Unsupported
from ._sources.files import read_file, writing
from .model import Model, Predict, PredictedFutures

_SUBJECTS = ("ego", "agents", "both")
_KINDS = {"ego": ("ego",), "agents": ("agent",), "both": ("ego", "agent")}

#: A row: time stamp, track, confidences, coordinates.
_Lines = list[str]


def predict_scenes(
    dataset: Dataset | Any,
    model: Model | Predict,
    output: str | os.PathLike[str],
    *,
    config: Mapping[str, Any] | None = None,
    subject: str | None = None,
    scenes: Iterable[int] | None = None,
    stride: int = 1,
    batch: int = 16,
    rules: Mapping[str, Any] | None = None,
    vectorized: bool | None = None,
    image: str | None = None,
    root: str | os.PathLike[str] | None = None,
    map: SemanticMap | None = None,  # noqa: A002
    aerial: AerialImage | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, int]:
    """Predicts the futures of scenes' road users, and writes them as a CSV file of L5Kit's
    (`write_pred_csv`, with as many modes as the model has), which the viewer and
    `bevscope evaluate` read. The ego vehicle is track -1.

    If it is interrupted, the same call continues after the last whole scene, which the
    folder OUTPUT.parts has until the file is complete; with a function it begins anew.

    Returns the number of "scenes", of "predictions", and of scenes that were "kept".

    Args:
        dataset: a `Dataset`, or what `bevscope.open` takes.
        model: a `Model`, or a function, see `Model.open`.
        output: the CSV file; a present one is replaced.
        config: L5Kit's config of the samples; by default the model's.
        subject: "ego", "agents" (those of the rules) or "both"; by default the model's.
        scenes: numbers of scenes; all by default.
        stride: predict every n-th frame of a scene.
        batch: number of samples in a run of the model.
        rules: which agents are predicted, as of `Samples`.
        vectorized, image: of the samples, as of `Samples`; by default as the model needs.
        root, map, aerial: maps of the samples, as of `Samples`.
        progress: called after each scene with the number of scenes done and of all.
    """
    data = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
    given = model if isinstance(model, Model) else Model.open(model)
    contract = given.contract or {}
    config = config if config is not None else contract.get("config")
    if config is None:
        raise InvalidArgument(
            f"predict: config: missing ({given.name} has none, expected L5Kit's config)"
        )
    if (contract.get("firstStep", 1), contract.get("stepTime", 0.1)) != (1, 0.1):
        raise InvalidArgument(
            f"predict: {given.name}: its positions are not those of the next frames (found "
            f"first_step {contract['firstStep']} and step_time {contract['stepTime']}, "
            "expected 1 and 0.1)"
        )
    subject = subject or str(contract.get("subject", "ego"))
    if subject not in _SUBJECTS:
        raise _checks.invalid("predict: subject", subject, f"one of {', '.join(_SUBJECTS)}")
    stride = _checks.integer("predict: stride", stride, 1)
    batch = _checks.integer("predict: batch", batch, 1)
    count = len(data.scenes)
    numbers = list(range(count)) if scenes is None else [*scenes]
    numbers = _checks.indices("predict: scenes", numbers, count).tolist()
    options: dict[str, Any] = {
        "vectorized": contract.get("vectorized", False)
        if vectorized is None
        else vectorized,
        "image": contract.get("image", "none") if image is None else image,
    }
    path = Path(os.path.expanduser(os.fspath(output)))
    job = {
        "frames": len(data.frames),
        "data": str(data._url),
        "model": _digest(given),
        "contract": contract,
        "config": config,
        "subject": subject,
        "stride": stride,
        "rules": dict(rules or {}),
        **options,
    }
    parts = _Parts(path, json.dumps(job, sort_keys=True, default=str), given.path is None)
    maps: dict[str, Any] = {"root": root, "map": map, "aerial": aerial}
    makers = [
        _Subjects(
            data, Samples(data, config, kind=kind, **options, **maps, **_of(kind, rules))
        )
        for kind in _KINDS[subject]
    ]
    size = int(contract.get("batch") or batch)
    kept = 0
    for done, scene in enumerate(numbers, 1):
        if parts.has(scene):
            kept += 1
        else:
            lines: _Lines = []
            for maker in makers:
                for rows in maker.batches(scene, stride, size):
                    arrays = maker.samples.batch(rows)
                    lines += _rows(arrays, given.predict(arrays))
            parts.add(scene, lines)
        if progress is not None:
            progress(done, len(numbers))
    return {"scenes": len(numbers), "predictions": parts.join(numbers), "kept": kept}


def _of(kind: str, rules: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"rules": rules} if rules and kind == "agent" else {}


class _Subjects:
    """Items of samples by scene."""

    def __init__(self, data: Dataset, samples: Samples) -> None:
        self.samples = samples
        self._scenes = data.scenes["frame_index_interval", :]
        self._intervals = data.frames["agent_index_interval", :]
        rows = samples.agent_rows
        #: The frame of each item.
        self._frames = (
            np.searchsorted(self._intervals[:, 1], rows, side="right")
            if len(rows) > 0 or len(samples) == 0
            else np.arange(len(samples))
        )

    def batches(self, scene: int, stride: int, size: int) -> Iterator[npt.NDArray[Any]]:
        begin, end = self._scenes[scene]
        first, last = np.searchsorted(self._frames, [begin, end])
        items = np.arange(first, last)
        items = items[(self._frames[first:last] - begin) % stride == 0]
        return (items[i : i + size] for i in range(0, len(items), size))


def _rows(arrays: Mapping[str, Any], futures: PredictedFutures) -> _Lines:
    """Rows of a CSV file, the first of which says the numbers of modes and steps."""
    confidences = futures.confidences
    confidences = confidences / confidences.sum(axis=1, keepdims=True)
    offsets = futures.positions - np.asarray(arrays["centroid"])[:, None, None]
    modes, steps = offsets.shape[1:3]
    made = [f"{modes},{steps}"]
    for time, track, modes_of, coords in zip(
        arrays["timestamp"].tolist(),
        arrays["track_id"].tolist(),
        confidences.tolist(),
        offsets.reshape(len(offsets), -1).tolist(),
        strict=True,
    ):
        numbers = [repr(one) for one in modes_of] + [f"{one:.5f}" for one in coords]
        made.append(f"{time},{track},{','.join(numbers)}")
    return made


class _Parts:
    """The scenes of a file that are done, in a folder beside it."""

    def __init__(self, path: Path, job: str, is_new: bool) -> None:
        self._path = path
        self._folder = path.with_name(f"{path.name}.parts")
        file = self._folder / "job.json"
        with writing(path):
            if is_new or not file.exists() or file.read_text("utf-8") != job:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder.mkdir(parents=True)
                file.write_text(job, "utf-8")

    def has(self, scene: int) -> bool:
        return self._file(scene).exists()

    def add(self, scene: int, lines: _Lines) -> None:
        """Writes the rows of a scene."""
        file = self._file(scene)
        part = file.with_suffix(".part")
        with writing(self._path):
            part.write_text("\n".join(lines), "utf-8")
            os.replace(part, file)

    def join(self, scenes: Iterable[int]) -> int:
        """Writes the file, removes the folder, and returns the number of rows."""
        shape, count = "", 0
        part = self._folder / "whole.csv"
        with writing(self._path):
            with part.open("w", encoding="utf-8", newline="") as out:
                for scene in scenes:
                    for line in self._file(scene).read_text("utf-8").splitlines():
                        if line.count(",") != 1:
                            out.write(f"{line}\r\n")
                            count += 1
                        elif not shape:
                            shape = line
                            out.write(f"{_header(*(int(n) for n in line.split(',')))}\r\n")
                        elif line != shape:
                            raise InvalidArgument(
                                f"predict: modes, steps: differ ({line} and {shape})"
                            )
                if not shape:
                    raise InvalidArgument("predict: no road user to predict")
            os.replace(part, self._path)
            shutil.rmtree(self._folder)
        return count

    def _file(self, scene: int) -> Path:
        return self._folder / f"{scene}.csv"


def _header(modes: int, steps: int) -> str:
    names = ["timestamp", "track_id", *(f"conf_{k}" for k in range(modes))]
    names += [
        f"coord_{axis}{k}{i}" for k in range(modes) for i in range(steps) for axis in "xy"
    ]
    return ",".join(names)


def _digest(model: Model) -> str:
    if model.path is None:
        return model.name
    return hashlib.sha256(read_file(model.path)).hexdigest()


def _read_config(path: str) -> Any:
    text = read_file(path).decode("utf-8")
    if path.endswith(".json"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise InvalidArgument(f"{path}: not JSON ({error})") from None
    try:
        import yaml
    except ImportError as error:
        raise Unsupported(f"{path}: PyYAML is not installed (bevscope[yaml])") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidArgument(f"{path}: not YAML ({error})") from None


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command `predict`."""
    parser = commands.add_parser(
        "predict",
        help="predicts scenes with an ONNX model, as a CSV file",
        description="Predicts the futures of scenes' road users with an ONNX model, and "
        "writes a CSV file of L5Kit's. If it is interrupted, the same command continues. "
        "Prints a report as JSON. Needs onnxruntime; open only models that you trust.",
    )
    parser.add_argument("data", metavar="DATA", help="data set: folder, .zip or URL")
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("-o", "--output", required=True, metavar="OUT.csv")
    parser.add_argument("--settings", metavar="FILE", help="what MODEL does not say: JSON")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="L5Kit's config (.yaml, .json); default: the model's, config.yaml of --root",
    )
    parser.add_argument("--root", metavar="DIR", help="folder of the maps")
    parser.add_argument("--subject", choices=_SUBJECTS, help="default: the model's")
    parser.add_argument(
        "--scenes", type=int, nargs=2, metavar=("BEGIN", "END"), help="default: all"
    )
    parser.add_argument("--stride", type=int, default=1, help="every n-th frame")
    parser.add_argument("--batch", type=int, default=16, help="samples of a run (16)")
    parser.add_argument(
        "--min-history", type=int, metavar="N", help="of agents: frames before (10)"
    )
    parser.add_argument(
        "--min-future", type=int, metavar="N", help="of agents: frames after (1)"
    )
    parser.add_argument("--quiet", action="store_true", help="do not show progress")


def main(arguments: argparse.Namespace) -> int:
    """Runs the command, and returns its exit status."""
    settings = None
    if arguments.settings:
        settings = read_file(arguments.settings).decode("utf-8")
    limits = {"min_history": arguments.min_history, "min_future": arguments.min_future}
    config = _read_config(arguments.config) if arguments.config else None
    with Model.open(arguments.model, settings=settings) as model:
        if config is None and (model.contract or {}).get("config") is None:
            beside = Path(arguments.root or ".") / "config.yaml"
            if not beside.exists():
                raise NotFound(f"{beside}: not found; --config names L5Kit's config")
            config = _read_config(str(beside))
        report = predict_scenes(
            arguments.data,
            model,
            arguments.output,
            config=config,
            subject=arguments.subject,
            scenes=range(*arguments.scenes) if arguments.scenes else None,
            stride=arguments.stride,
            batch=arguments.batch,
            rules={name: n for name, n in limits.items() if n is not None},
            root=arguments.root,
            progress=None if arguments.quiet else _show,
        )
    print(json.dumps(report, indent=1))
    return 0


def _show(done: int, of: int) -> None:
    is_terminal = sys.stderr.isatty()
    if is_terminal or done == of or done % 10 == 0:
        end = "\n" if done == of or not is_terminal else ""
        text = f"{done} of {of} scenes"
        print(f"\r{text}" if is_terminal else text, end=end, file=sys.stderr, flush=True)
