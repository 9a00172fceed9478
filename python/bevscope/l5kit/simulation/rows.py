"""Rows of simulated scenes: in the core, or as arrays that users change."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._data.dataset import Dataset
from ..._data.handle import View
from ..._sources.source import MemorySource
from ..data.zarr_dataset import (
    AGENT_DTYPE,
    FRAME_DTYPE,
    SCENE_DTYPE,
    TL_FACE_DTYPE,
    ChunkedDataset,
    in_memory,
)

Rows = npt.NDArray[Any]
Columns = dict[str, Rows]

_FACE_INTERVAL = "traffic_light_faces_index_interval"
_TEXT = ("host", "face_id", "traffic_light_id")


def agent_columns(agents: Rows) -> Columns:
    """Returns rows of agents as the core takes them."""
    return _columns("agents", agents, AGENT_DTYPE)


def columns_of(rows: ChunkedDataset) -> Columns:
    """Returns a data set of one scene as the core takes it."""
    frames = np.array(rows.frames)
    covered = {}
    for field, array in (
        ("agent_index_interval", np.asarray(rows.agents)),
        (_FACE_INTERVAL, np.asarray(rows.tl_faces)),
    ):
        begin, end = _span(frames[field])
        covered[field] = array[begin:end]
        frames[field] = frames[field] - begin if len(array) else 0
    return {
        **_columns("scenes", np.asarray(rows.scenes), SCENE_DTYPE),
        **_columns("frames", frames, FRAME_DTYPE),
        **agent_columns(covered["agent_index_interval"]),
        **_columns("traffic_light_faces", covered[_FACE_INTERVAL], TL_FACE_DTYPE),
    }


def _span(intervals: Rows) -> tuple[int, int]:
    return (int(intervals[0, 0]), int(intervals[-1, 1])) if len(intervals) else (0, 0)


def _columns(array: str, rows: Rows, dtype: Any) -> Columns:
    made = {}
    for name, kind, *_ in dtype:
        column = np.ascontiguousarray(rows[name], kind)
        made[f"{array}.{name}"] = column.view(np.uint8) if name in _TEXT else column
    return made


class SceneRows(ChunkedDataset):
    """One scene of a simulation. Its rows stay in the core until an array is asked for;
    then the arrays are what counts, because a user may change them.

    Args:
        view: the core's data set.
        scene: the number of the scene in it.
        source: the scene that was cut.
        begin: the first frame of the simulation.
        count: the number of its frames.
    """

    def __init__(
        self,
        view: _core.Dataset,
        scene: int,
        source: ChunkedDataset,
        begin: int,
        count: int,
    ) -> None:
        self.path = self.key = ""
        self.root = self.dataset = None
        self._view, self._scene = view, scene
        self._source, self._frames = source, slice(begin, begin + count)
        self._arrays: dict[str, Rows] | None = None

    def __reduce__(self) -> Any:
        return in_memory, (self.scenes, self.frames, self.agents, self.tl_faces)

    @property
    def in_core(self) -> bool:
        """Whether no array was asked for."""
        return self._arrays is None

    def _taken(self) -> dict[str, Rows]:
        if self._arrays is None:
            self._arrays = self._read()
        return self._arrays

    def _read(self) -> dict[str, Rows]:
        columns = self._view.scene(self._scene)
        frames = np.array(self._source.frames[self._frames], FRAME_DTYPE)
        begin, end = _span(frames[_FACE_INTERVAL])
        frames[_FACE_INTERVAL] -= begin
        for field in ("agent_index_interval", "ego_translation", "ego_rotation"):
            frames[field] = columns[f"frames.{field}"]
        agents = np.empty(len(columns["agents.track_id"]), AGENT_DTYPE)
        for field in agents.dtype.names or ():
            agents[field] = columns[f"agents.{field}"]
        scenes = np.array(self._source.scenes)
        scenes["frame_index_interval"] = (0, len(frames))
        scenes["start_time"] = frames["timestamp"][0]
        scenes["end_time"] = frames["timestamp"][-1]
        return {
            "scenes": scenes,
            "frames": frames,
            "agents": agents,
            "tl_faces": np.array(self._source.tl_faces[begin:end]),
        }


def _array(name: str) -> Any:
    """Returns a property: an array of SceneRows."""

    def get(self: SceneRows) -> Rows:
        return self._taken()[name]

    def put(self: SceneRows, value: Rows) -> None:
        self._taken()[name] = value

    return property(get, put)


for _name in ("scenes", "frames", "agents", "tl_faces"):
    setattr(SceneRows, _name, _array(_name))


class SimulatedRows:
    """The core's simulation of scenes in memory.

    Args:
        scenes: data sets of one scene, by scene index.
        config: attributes with the names of the core's options.
        threshold: filter_agents_threshold.
    """

    def __init__(
        self, scenes: dict[int, ChunkedDataset], config: Any, threshold: float
    ) -> None:
        arrays = {
            "scenes": np.zeros(max(scenes) + 1, SCENE_DTYPE),
            "frames": np.empty(0, FRAME_DTYPE),
            "agents": np.empty(0, AGENT_DTYPE),
            "traffic_light_faces": np.empty(0, TL_FACE_DTYPE),
        }
        self._base = Dataset(MemorySource(arrays))
        options = _options(config, threshold)
        rows = [columns_of(one) for one in scenes.values()]
        self.core = self._base._handle.call(
            lambda base: _core.Simulation(base, list(scenes), options, rows)
        )
        self._scenes, self._begin = scenes, options.start_frame_index
        #: The simulated scenes, for samples.
        self.dataset = self._base_view(self.core.simulated())

    def __len__(self) -> int:
        return len(self.core)

    def _base_view(self, core: _core.Dataset) -> Dataset:
        made = Dataset.__new__(Dataset)
        made._handle = View(self._base._handle, core)
        return made

    def simulated(self, scene: int) -> SceneRows:
        """Returns a scene that the simulation changes."""
        return self._rows(self.core.simulated(), scene)

    def recorded(self, scene: int) -> SceneRows:
        """Returns a scene before the simulation."""
        return self._rows(self.core.recorded(), scene)

    def _rows(self, view: _core.Dataset, scene: int) -> SceneRows:
        return SceneRows(view, scene, self._scenes[scene], self._begin, len(self))


def _options(config: Any, threshold: float) -> _core.SimulationConfig:
    options = _core.SimulationConfig()
    options.filter_agents_threshold = float(threshold)
    for name in ("use_ego_gt", "use_agents_gt", "disable_new_agents"):
        setattr(options, name, bool(getattr(config, name)))
    for name in ("distance_th_far", "distance_th_close"):
        setattr(options, name, float(getattr(config, name)))
    begin, steps = config.start_frame_index, config.num_simulation_steps
    if begin < 0 or (steps is not None and steps <= 0):
        raise ValueError(f"simulation: invalid frames (found start {begin}, steps {steps})")
    options.start_frame_index = int(begin)
    options.num_simulation_steps = None if steps is None else int(steps)
    return options
