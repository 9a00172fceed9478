"""L5Kit's data set: scenes, frames, agents and traffic light faces."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._data.dataset import Dataset
from .filter import (
    get_agents_slice_from_frames,
    get_frames_slice_from_scenes,
    get_tl_faces_slice_from_frames,
)
from .labels import PERCEPTION_LABELS, TL_FACE_LABELS
from .zarr_array import Group

FORMAT_VERSION = 2

FRAME_ARRAY_KEY = "frames"
AGENT_ARRAY_KEY = "agents"
SCENE_ARRAY_KEY = "scenes"
TL_FACE_ARRAY_KEY = "traffic_light_faces"

FRAME_CHUNK_SIZE = (10_000,)
AGENT_CHUNK_SIZE = (20_000,)
SCENE_CHUNK_SIZE = (10_000,)
TL_FACE_CHUNK_SIZE = (10_000,)

SCENE_DTYPE = [
    ("frame_index_interval", np.int64, (2,)),
    ("host", "<U16"),
    ("start_time", np.int64),
    ("end_time", np.int64),
]
FRAME_DTYPE = [
    ("timestamp", np.int64),
    ("agent_index_interval", np.int64, (2,)),
    ("traffic_light_faces_index_interval", np.int64, (2,)),
    ("ego_translation", np.float64, (3,)),
    ("ego_rotation", np.float64, (3, 3)),
]
AGENT_DTYPE = [
    ("centroid", np.float64, (2,)),
    ("extent", np.float32, (3,)),
    ("yaw", np.float32),
    ("velocity", np.float32, (2,)),
    ("track_id", np.uint64),
    ("label_probabilities", np.float32, (len(PERCEPTION_LABELS),)),
]
TL_FACE_DTYPE = [
    ("face_id", "<U16"),
    ("traffic_light_id", "<U16"),
    ("traffic_light_face_status", np.float32, (len(TL_FACE_LABELS),)),
]

_ARRAYS = {
    FRAME_ARRAY_KEY: (FRAME_DTYPE, FRAME_CHUNK_SIZE),
    AGENT_ARRAY_KEY: (AGENT_DTYPE, AGENT_CHUNK_SIZE),
    SCENE_ARRAY_KEY: (SCENE_DTYPE, SCENE_CHUNK_SIZE),
    TL_FACE_ARRAY_KEY: (TL_FACE_DTYPE, TL_FACE_CHUNK_SIZE),
}


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)


class ChunkedDataset:
    """Scenes, frames, agents and tl_faces: arrays of a store after open() or
    initialize(), otherwise empty NumPy arrays to be replaced."""

    def __init__(self, path: str, key: str = "") -> None:
        self.path, self.key = path, key
        self.root: Any = None
        self.dataset: Dataset | None = None  # set by open() in mode "r"
        self.frames: Any = np.empty(0, FRAME_DTYPE)
        self.scenes: Any = np.empty(0, SCENE_DTYPE)
        self.agents: Any = np.empty(0, AGENT_DTYPE)
        self.tl_faces: Any = np.empty(0, TL_FACE_DTYPE)
        if path.startswith(("http://", "https://")) or path.endswith(".zip"):
            return
        if ".zarr" not in path:
            _warn(
                "zarr dataset path should end with .zarr (for now). "
                "Open will fail for this dataset!"
            )
        if not Path(path).exists():
            _warn("zarr dataset path doesn't exist. Open will fail for this dataset!")

    def initialize(
        self,
        mode: str = "w",
        num_scenes: int = 0,
        num_frames: int = 0,
        num_agents: int = 0,
        num_tl_faces: int = 0,
    ) -> ChunkedDataset:
        """Creates the arrays in a directory, with that many empty rows."""
        folder = Path(self.path)
        if mode == "w" and folder.exists():
            shutil.rmtree(folder)
        self.root = Group(folder, mode)
        counts = (num_frames, num_agents, num_scenes, num_tl_faces)
        made = [
            self.root.require_dataset(name, shape=(count,), dtype=dtype, chunks=chunks)
            for (name, (dtype, chunks)), count in zip(_ARRAYS.items(), counts)
        ]
        self.frames, self.agents, self.scenes, self.tl_faces = made
        self.root.attrs["format_version"] = FORMAT_VERSION
        self.root.attrs["labels"] = PERCEPTION_LABELS
        return self

    def open(
        self, mode: str = "r", cached: bool = True, cache_size_bytes: int = int(1e9)
    ) -> ChunkedDataset:
        """Opens the store; in the modes "a" and "r+" its arrays can be changed."""
        if mode == "r":
            budget = cache_size_bytes if cached else 256 << 20
            self.dataset = Dataset(self.path, byte_budget=budget)
            self.root = self.dataset
        else:
            self.root = Group(Path(self.path), mode)
        self.frames = self.root[FRAME_ARRAY_KEY]
        self.agents = self.root[AGENT_ARRAY_KEY]
        self.scenes = self.root[SCENE_ARRAY_KEY]
        if TL_FACE_ARRAY_KEY in self.root:
            self.tl_faces = self.root[TL_FACE_ARRAY_KEY]
        else:
            _warn(
                f"{TL_FACE_ARRAY_KEY} not found in {self.path}! "
                "You won't be able to use this zarr into an Ego/AgentDataset"
            )
            self.tl_faces = np.empty((0,), dtype=TL_FACE_DTYPE)
        return self

    def is_stored(self) -> bool:
        """Whether the arrays are those of the store that open() opened for reading."""
        stored = self.dataset
        if stored is None:
            return False
        arrays = stored.arrays
        return (
            self.frames is arrays[FRAME_ARRAY_KEY]
            and self.agents is arrays[AGENT_ARRAY_KEY]
            and self.scenes is arrays[SCENE_ARRAY_KEY]
            and self.tl_faces is arrays.get(TL_FACE_ARRAY_KEY)
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Returns all rows, by the arrays' names in the store."""
        return {
            SCENE_ARRAY_KEY: np.asarray(self.scenes),
            FRAME_ARRAY_KEY: np.asarray(self.frames),
            AGENT_ARRAY_KEY: np.asarray(self.agents),
            TL_FACE_ARRAY_KEY: np.asarray(self.tl_faces),
        }

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self.is_stored():
            for name in ("frames", "agents", "scenes", "tl_faces", "root"):
                state.pop(name)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        stored = self.dataset
        if "frames" not in state and stored is not None:
            self.root = stored
            self.frames = stored[FRAME_ARRAY_KEY]
            self.agents = stored[AGENT_ARRAY_KEY]
            self.scenes = stored[SCENE_ARRAY_KEY]
            self.tl_faces = stored[TL_FACE_ARRAY_KEY]

    def __str__(self) -> str:
        scenes, frames = len(self.scenes), len(self.frames)
        agents, faces = len(self.agents), len(self.tl_faces)
        frequency = 10.0
        if frames > 1:
            steps = np.diff(self.frames[:50]["timestamp"])
            frequency = float(np.mean(1 / (steps / 1e9)))
        else:
            _warn(f"not enough frames({frames}) to read the frequency, 10 will be set")
        per_scene = frames / max(scenes, 1)
        return _table(
            {
                "Num Scenes": scenes,
                "Num Frames": frames,
                "Num Agents": agents,
                "Num TR lights": faces,
                "Total Time (hr)": frames / max(frequency, 1) / 3600,
                "Avg Frames per Scene": per_scene,
                "Avg Agents per Frame": agents / max(frames, 1),
                "Avg Scene Time (sec)": per_scene / frequency,
                "Avg Frame frequency": frequency,
            }
        )

    def get_scene_dataset(self, scene_index: int) -> ChunkedDataset:
        """Returns a scene as a data set of NumPy arrays, counted from 0."""
        if scene_index >= len(self.scenes):
            raise ValueError(
                f"scene {scene_index} is out of range (count {len(self.scenes)})"
            )
        scenes = self.scenes[scene_index : scene_index + 1].copy()
        frame_rows = get_frames_slice_from_scenes(scenes[0])
        frames = self.frames[frame_rows].copy()
        agent_rows = get_agents_slice_from_frames(frames[0], frames[-1])
        face_rows = get_tl_faces_slice_from_frames(frames[0], frames[-1])
        frames["agent_index_interval"] -= agent_rows.start
        frames["traffic_light_faces_index_interval"] -= face_rows.start
        scenes["frame_index_interval"] -= frame_rows.start
        return in_memory(
            scenes, frames, self.agents[agent_rows].copy(), self.tl_faces[face_rows].copy()
        )


def in_memory(scenes: Any, frames: Any, agents: Any, tl_faces: Any) -> ChunkedDataset:
    """Returns a data set of NumPy arrays, without a store."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        made = ChunkedDataset("")
    made.scenes, made.frames, made.agents, made.tl_faces = scenes, frames, agents, tl_faces
    return made


def _table(values: dict[str, Any]) -> str:
    """Lays values out as PrettyTable does."""
    texts = [f"{v:.2f}" if isinstance(v, float) else str(v) for v in values.values()]
    widths = [max(len(name), len(text)) + 2 for name, text in zip(values, texts)]
    rule = "+" + "+".join("-" * width for width in widths) + "+"

    def line(cells: Any) -> str:
        return "|" + "|".join(c.center(w) for c, w in zip(cells, widths)) + "|"

    return "\n".join([rule, line(values), rule, line(texts), rule])
