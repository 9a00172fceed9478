"""Scenes that a simulation samples and changes, frame by frame."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._data.samples import Samples
from ..dataset.ego import BaseEgoDataset
from ..geometry import yaw_as_rotation33
from .rows import SceneRows, SimulatedRows, agent_columns, columns_of
from .utils import insert_agent

Rows = npt.NDArray[Any]
Sample = dict[str, Any]
Track = tuple[int, int]


@dataclass
class SimulationConfig:
    """What a simulation controls, and which frames it covers.

    Args:
        use_ego_gt: replays the log for the ego vehicle instead of simulating it.
        use_agents_gt: replays the log for agents instead of simulating them.
        disable_new_agents: hides the agents that are not controlled in the first frame.
        distance_th_far: a controlled agent is released at this distance from the ego
            vehicle (metres).
        distance_th_close: other agents are controlled below this distance (metres).
        start_frame_index: the first frame of each scene.
        num_simulation_steps: the number of frames; None for those of the shortest scene.
        show_info: shows a progress bar; needs tqdm.
    """

    use_ego_gt: bool = False
    use_agents_gt: bool = False
    disable_new_agents: bool = False
    distance_th_far: float = 30.0
    distance_th_close: float = 15.0
    start_frame_index: int = 0
    num_simulation_steps: int | None = None
    show_info: bool = False


class SimulationDataset:
    """Samples a frame of several scenes at a time, and changes the scenes' frames.

    Only cars are controlled as agents. The data sets are cut to the simulated frames. The
    core keeps their rows, until one of their arrays is asked for: from then on the array
    counts, which may be changed. A simulation pickles as its rows, at any frame.

    Args:
        scene_dataset_batch: data sets of one scene in memory, by scene index.
        sim_cfg: what to simulate.
    """

    def __init__(
        self, scene_dataset_batch: dict[int, BaseEgoDataset], sim_cfg: SimulationConfig
    ) -> None:
        if len(scene_dataset_batch) == 0:
            raise ValueError("simulation: needs at least one scene")
        self.scene_dataset_batch = scene_dataset_batch
        self.sim_cfg = sim_cfg
        self._agents_tracked: set[Track] = set()
        scenes = {int(i): one.dataset for i, one in scene_dataset_batch.items()}
        self._rows = SimulatedRows(scenes, sim_cfg, self._threshold())
        self._samples: dict[Any, Samples | None] = {}
        shared = self._shared()
        for scene_index, one in scene_dataset_batch.items():
            one.dataset = self._rows.simulated(scene_index)
            one.cumulative_sizes = np.array([len(self._rows)])
            shared[id(one.dataset)] = self._rows.recorded(scene_index)
        self.recorded_scene_dataset_batch = deepcopy(scene_dataset_batch, shared)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for name in ("_rows", "_samples"):  # the core's
            del state[name]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        scenes = {int(i): one.dataset for i, one in self.scene_dataset_batch.items()}
        whole = replace(
            self.sim_cfg,
            start_frame_index=0,
            num_simulation_steps=None,
            disable_new_agents=False,  # they are hidden already
        )
        self._rows = SimulatedRows(scenes, whole, self._threshold())
        self._samples = {}
        for scene_index, one in self.scene_dataset_batch.items():
            one.dataset = self._rows.simulated(scene_index)
            tracks = [track for at, track in self._agents_tracked if at == scene_index]
            self._rows.core.hold(scene_index, tracks)

    def _threshold(self) -> float:
        name = "filter_agents_threshold"
        scenes = self.scene_dataset_batch.values()
        found = {one.cfg["raster_params"][name] for one in scenes}
        if len(found) > 1:
            raise ValueError(f"{name}: must be that of all scenes (found {sorted(found)})")
        return float(found.pop())

    def _shared(self) -> dict[int, Any]:
        """Returns what copies of the data sets share: rasterizers and vectorizers."""
        return {
            id(drawn): drawn
            for one in self.scene_dataset_batch.values()
            for name in ("rasterizer", "vectorizer")
            if (drawn := getattr(one, name, None)) is not None
        }

    @staticmethod
    def from_dataset_indices(
        dataset: BaseEgoDataset, scene_indices: list[int], sim_cfg: SimulationConfig
    ) -> SimulationDataset:
        """Returns a simulation of copies of some scenes of a data set."""
        count = len(dataset.dataset.scenes)
        if len(np.unique(scene_indices)) != len(scene_indices):
            raise ValueError(f"scenes {scene_indices}: must not repeat")
        if any(not 0 <= i < count for i in scene_indices):
            raise ValueError(f"scenes {scene_indices}: out of range (count {count})")
        scenes = {i: dataset.get_scene_dataset(i) for i in scene_indices}
        return SimulationDataset(scenes, sim_cfg)

    def get_min_len(self) -> int:
        """Returns the number of frames of the shortest scene."""
        return len(self._rows)

    def __len__(self) -> int:
        return self.get_min_len()

    def _frame(self, state_index: int) -> int:
        """Returns the number of a frame; a negative index counts from the end."""
        return int(state_index) + len(self) if state_index < 0 else int(state_index)

    def _samples_of(self, one: BaseEgoDataset) -> Samples | None:
        """Returns the core's samples of the simulated scenes, as a data set of one scene
        builds them; None if its own code builds them."""
        drawn = getattr(one, "rasterizer", None) or getattr(one, "vectorizer", None)
        key = (type(one), id(one.cfg), id(drawn), id(one.perturbation))
        if key not in self._samples:
            options = one.native_options()
            made = None if options is None else Samples(self._rows.dataset, **options)
            self._samples[key] = made
        return self._samples[key]

    def _share(self, scene_index: int) -> BaseEgoDataset:
        """Passes arrays of a scene that may have been changed to the core."""
        one = self.scene_dataset_batch[scene_index]
        if not _in_core(one):
            self._rows.core.put_scene(scene_index, columns_of(one.dataset))
        return one

    def rasterise_frame_batch(self, state_index: int) -> list[Sample]:
        """Returns the sample of the ego vehicle in a frame, for each scene."""
        made = []
        for scene_index in self.scene_dataset_batch:
            one = self._share(scene_index)
            samples = self._samples_of(one)
            if samples is None:
                sample = one[state_index]
            else:
                sample = samples.track(scene_index, self._frame(state_index))
            made.append({**sample, "scene_index": scene_index})
        return made

    def set_ego(
        self, state_index: int, output_index: int, ego_translations: Rows, ego_yaws: Rows
    ) -> None:
        """Changes the ego vehicle's pose in a frame of each scene.

        Args:
            state_index: the frame to change.
            output_index: the step of the following arrays to use.
            ego_translations: positions in world (scenes, steps, 2).
            ego_yaws: yaws in world (scenes, steps).
        """
        counts = (len(ego_translations), len(ego_yaws), len(self.scene_dataset_batch))
        if len(set(counts)) != 1:
            raise ValueError(
                "ego: translations, yaws and scenes must be equally many "
                f"(found {counts[0]}, {counts[1]} and {counts[2]})"
            )
        self._check(state_index)
        for i, (scene_index, one) in enumerate(self.scene_dataset_batch.items()):
            position = ego_translations[i, output_index]
            rotation = yaw_as_rotation33(ego_yaws[i, output_index])
            if _in_core(one):
                frame = self._frame(state_index)
                place = [float(position[0]), float(position[1])]
                self._rows.core.put_ego(
                    scene_index, frame, place, rotation.ravel().tolist()
                )
            else:
                frames = one.dataset.frames
                frames["ego_translation"][state_index, :2] = position
                frames["ego_rotation"][state_index] = rotation

    def set_agents(self, state_index: int, agents_infos: dict[Track, Rows]) -> None:
        """Changes or adds agents of a frame: rows (1,) by scene index and track id."""
        self._check(state_index)
        for (scene_index, _), agent in agents_infos.items():
            one = self.scene_dataset_batch[scene_index]
            if _in_core(one):
                frame = self._frame(state_index)
                self._rows.core.put_agents(scene_index, frame, agent_columns(agent))
            else:
                insert_agent(agent, state_index, one.dataset)

    def _check(self, state_index: int) -> None:
        count = len(self)
        if not -count <= state_index < count:
            raise ValueError(f"frame {state_index} is out of range (count {count})")

    def rasterise_agents_frame_batch(self, state_index: int) -> dict[Track, Sample]:
        """Returns the samples of a frame's controlled agents, by scene index and track
        id. These agents are then controlled up to distance_th_far."""
        made: dict[Track, Sample] = {}
        for scene_index in self.scene_dataset_batch:
            made.update(self._rasterise_agents_frame(scene_index, state_index))
        return made

    def _rasterise_agents_frame(
        self, scene_index: int, state_index: int
    ) -> dict[Track, Sample]:
        one = self._share(scene_index)
        frame = self._frame(state_index)
        subjects = self._rows.core.agents_of(scene_index, frame)
        others = {track for track in self._agents_tracked if track[0] != scene_index}
        self._agents_tracked = others | {(scene_index, track) for _, track in subjects}
        samples = self._samples_of(one)
        made: dict[Track, Sample] = {}
        for _, track_id in subjects:
            if samples is None:
                sample = one.get_frame(0, state_index, track_id=track_id)
            else:
                sample = samples.track(scene_index, frame, track_id)
            sample["scene_index"] = scene_index  # a data set of one scene has scene 0
            made[scene_index, track_id] = sample
        return made


def _in_core(one: BaseEgoDataset) -> bool:
    """Whether the core has a scene's current rows."""
    return isinstance(one.dataset, SceneRows) and one.dataset.in_core
