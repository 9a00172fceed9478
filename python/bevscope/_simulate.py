"""Closed loops: models drive through recorded scenes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core
from ._data.dataset import Dataset
from ._data.handle import View
from ._data.maps import AerialImage, SemanticMap
from ._data.samples import Samples
from ._errors import InvalidArgument, OutOfRange
from .model import Model, Predict

_EGO = ("x", "y", "yaw")
_AGENTS = ("counts", "track_id", "x", "y", "yaw", "length", "width")


@dataclass(frozen=True)
class SimulatedScene:
    """A simulated scene: n frames, m agents in all. `save_rollout` saves it for the
    viewer."""

    #: Number of the scene in the data set.
    scene: int
    #: The scene's frame in which the rollout begins.
    first_frame: int
    #: (n) nanoseconds, as recorded.
    timestamps: npt.NDArray[np.int64]
    #: "x", "y", "yaw" (n): metres in world, radians.
    ego: dict[str, npt.NDArray[np.float64]]
    #: "counts" (n) agents in each frame; "track_id", "x", "y", "yaw", "length" and "width"
    #: (m), one frame after another.
    agents: dict[str, npt.NDArray[Any]]


def simulate(
    dataset: Dataset | Any,
    *,
    model: Model | None = None,
    predict: Predict | None = None,
    config: Mapping[str, Any] | None = None,
    patch: Any = None,
    scenes: Iterable[int],
    start: int = 0,
    history: int = 0,
    steps: int | None = None,
    ego: str = "model",
    agents: str = "log",
    close_distance: float = 15,
    far_distance: float = 30,
    new_agents: bool = True,
    batch: int | None = None,
    vectorized: bool | None = None,
    image: str | None = None,
    root: str | os.PathLike[str] | None = None,
    map: SemanticMap | None = None,  # noqa: A002
    aerial: AerialImage | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[SimulatedScene]:
    """Lets a model drive the ego vehicle, agents, or both through recorded scenes, by the
    rules of L5Kit's closed loop (docs/rollouts.md).

    Raises InvalidArgument unless the model's first position is one frame of 0.1 s after
    the sample, and as `Model.predict`; OutOfRange for scenes and frames that the data set
    lacks.

    Args:
        dataset: a `Dataset`, or what `bevscope.open` takes.
        model: the model that drives; or `predict`.
        predict: a function that drives in place of a model; see `Model.open`.
        config: L5Kit's config of the samples; by default the model's.
        patch: a what-if patch that is applied first (docs/patches.md).
        scenes: numbers of the scenes.
        start: the first frame of each scene.
        history: number of recorded frames before it that histories have. By default none:
            as in L5Kit, the first frame has no history.
        steps: number of frames, with the first one; by default to the end of the shortest
            scene.
        ego: what drives the ego vehicle: "model" or "log".
        agents: what drives cars near the ego vehicle: "model" or "log".
        close_distance: metres from the ego vehicle below which cars are driven.
        far_distance: metres at which driven cars go back to the log.
        new_agents: whether agents stay that are not driven in the first frame, that of the
            history if there is one.
        batch: the largest number of samples in a run of the model; by default all of a
            frame, as in L5Kit.
        vectorized, image: of the samples, as of `Samples`; by default as the model needs.
        root, map, aerial: maps of the samples, as of `Samples`.
        progress: called after each frame with the number of simulated frames and of all.
    """
    if (model is None) == (predict is None):
        raise InvalidArgument("simulate: expected a model or predict, and not both")
    if model is not None and not isinstance(model, Model):
        raise _checks.invalid("simulate: model", model, "a Model; see Model.open")
    driver = Model.open(predict) if model is None and predict is not None else model
    assert driver is not None
    contract = driver.contract or {}
    config = config if config is not None else contract.get("config")
    if config is None:
        raise InvalidArgument(
            f"simulate: config: missing ({driver.name} has none, expected L5Kit's config)"
        )
    start = _checks.index("simulate: start", start)
    before = min(start, _checks.index("simulate: history", history))
    options = _core.SimulationConfig()
    options.filter_agents_threshold = _threshold(config)
    options.use_ego_gt = _is_log("ego", ego)
    options.use_agents_gt = _is_log("agents", agents)
    options.disable_new_agents = not _checks.flag("simulate: new_agents", new_agents)
    options.distance_th_close = _checks.number("simulate: close_distance", close_distance)
    options.distance_th_far = _checks.number("simulate: far_distance", far_distance)
    options.start_frame_index = start - before
    if steps is not None:
        steps = _checks.integer("simulate: steps", steps, 1)
        options.num_simulation_steps = before + steps
    numbers = [_checks.index("simulate: scenes", one) for one in scenes]
    data = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
    if patch is not None:
        data = data.patched(patch)
    loop = data._handle.call(lambda core: _core.Simulation(core, numbers, options, None))
    if len(loop) <= before:
        count = start - before + len(loop)
        raise OutOfRange(f"simulate: start: frame {start} is out of range (count {count})")
    samples = Samples(
        _view(data, loop.simulated()),
        config,
        vectorized=bool(contract.get("vectorized")) if vectorized is None else vectorized,
        image=str(contract.get("image", "none")) if image is None else image,
        root=root,
        map=map,
        aerial=aerial,
    )
    if batch is not None:
        batch = _checks.integer("simulate: batch", batch, 1)
    drive = _Driver(loop, samples, driver, batch or contract.get("batch"))
    for done in range(1, len(loop) - before + 1):
        if progress is not None:
            progress(done, len(loop) - before)
        frame = before + done - 1
        if frame + 1 < len(loop):
            # In L5Kit's order: agents have moved when the ego vehicle's sample is made.
            drive(frame, loop.agents(frame))
            drive(frame, [(scene, None) for scene in loop.ego(frame)])
    return [_scene(scene, loop.scene(scene, before, None)) for scene in numbers]


class _Driver:
    """Moves subjects of a frame by a model."""

    def __init__(
        self, loop: _core.Simulation, samples: Samples, model: Model, batch: int | None
    ) -> None:
        self._loop, self._samples, self._model = loop, samples, model
        self._batch = batch

    def __call__(self, frame: int, subjects: Any) -> None:
        if not subjects:
            return
        steps = [self._steps(frame, some) for some in _parts(subjects, self._batch)]
        positions = np.concatenate([one[0].ravel() for one in steps])
        yaws = np.concatenate([one[1] for one in steps])
        self._loop.take(frame, list(subjects), positions, yaws, 1)

    def _steps(self, frame: int, subjects: Any) -> tuple[Any, Any]:
        scenes, tracks = zip(*subjects, strict=True)
        return self._model._first_steps(self._samples.tracks(scenes, frame, tracks))


def _parts(subjects: Any, size: int | None) -> Iterator[Any]:
    size = size or len(subjects)
    return (subjects[i : i + size] for i in range(0, len(subjects), size))


def _view(base: Dataset, core: _core.Dataset) -> Dataset:
    made = Dataset.__new__(Dataset)
    made._handle = View(base._handle, core)
    return made


def _is_log(name: str, by: str) -> bool:
    if by not in ("model", "log"):
        raise _checks.invalid(f"simulate: {name}", by, '"model" or "log"')
    return by == "log"


def _threshold(config: Mapping[str, Any]) -> float:
    try:
        return float(config["raster_params"]["filter_agents_threshold"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidArgument(
            "simulate: config: raster_params.filter_agents_threshold: missing or no number"
        ) from error


def _scene(number: int, found: dict[str, Any]) -> SimulatedScene:
    return SimulatedScene(
        scene=number,
        first_frame=int(found["first_frame"]),
        timestamps=found["timestamps"],
        ego={name: found[f"ego_{name}"] for name in _EGO},
        agents={name: found[name] for name in _AGENTS},
    )
