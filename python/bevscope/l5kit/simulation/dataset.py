"""Scenes that a simulation samples and changes, frame by frame."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.filter import filter_agents_by_frames
from ..data.labels import PERCEPTION_LABEL_TO_INDEX
from ..dataset.ego import BaseEgoDataset
from ..geometry import yaw_as_rotation33
from .utils import disable_agents, get_frames_subset, insert_agent

Rows = npt.NDArray[Any]
Sample = dict[str, Any]
Track = tuple[int, int]

_CAR = PERCEPTION_LABEL_TO_INDEX["PERCEPTION_LABEL_CAR"]


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

    Only cars are controlled as agents. The data sets are cut to the simulated frames.

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
        self._cut()
        if sim_cfg.disable_new_agents:
            self._disable_new_agents()
        self.recorded_scene_dataset_batch = deepcopy(scene_dataset_batch, self._shared())

    def _cut(self) -> None:
        """Cuts the scenes to the frames of the simulation."""
        begin, count = self.sim_cfg.start_frame_index, self.get_min_len()
        steps = self.sim_cfg.num_simulation_steps
        end = count if steps is None else begin + steps
        if end > count:
            raise ValueError(
                f"simulation: ends at frame {end}, but the shortest scene has {count}"
            )
        for one in self.scene_dataset_batch.values():
            one.dataset = get_frames_subset(one.dataset, begin, end)
            one.cumulative_sizes = one.dataset.scenes["frame_index_interval"][:, 1]

    def _disable_new_agents(self) -> None:
        for scene_index, one in self.scene_dataset_batch.items():
            kept = self._controlled(scene_index, 0)
            disable_agents(one.dataset, allowlist=kept["track_id"])

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
        return min(len(one.dataset.frames) for one in self.scene_dataset_batch.values())

    def __len__(self) -> int:
        return self.get_min_len()

    def rasterise_frame_batch(self, state_index: int) -> list[Sample]:
        """Returns the sample of the ego vehicle in a frame, for each scene."""
        return [
            {**one[state_index], "scene_index": scene_index}
            for scene_index, one in self.scene_dataset_batch.items()
        ]

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
        if state_index >= len(self):
            raise ValueError(f"frame {state_index} is out of range (count {len(self)})")
        for i, one in enumerate(self.scene_dataset_batch.values()):
            frames = one.dataset.frames
            frames["ego_translation"][state_index, :2] = ego_translations[i, output_index]
            yaw = ego_yaws[i, output_index]
            frames["ego_rotation"][state_index] = yaw_as_rotation33(yaw)

    def set_agents(self, state_index: int, agents_infos: dict[Track, Rows]) -> None:
        """Changes or adds agents of a frame: rows (1,) by scene index and track id."""
        for (scene_index, _), agent in agents_infos.items():
            insert_agent(agent, state_index, self.scene_dataset_batch[scene_index].dataset)

    def rasterise_agents_frame_batch(self, state_index: int) -> dict[Track, Sample]:
        """Returns the samples of a frame's controlled agents, by scene index and track
        id. These agents are then controlled up to distance_th_far."""
        samples: dict[Track, Sample] = {}
        for scene_index in self.scene_dataset_batch:
            samples.update(self._rasterise_agents_frame(scene_index, state_index))
        return samples

    def _rasterise_agents_frame(
        self, scene_index: int, state_index: int
    ) -> dict[Track, Sample]:
        one = self.scene_dataset_batch[scene_index]
        tracks = self._controlled(scene_index, state_index)["track_id"]
        samples: dict[Track, Sample] = {}
        for track_id in tracks.tolist():
            sample = one.get_frame(0, state_index, track_id=track_id)
            sample["scene_index"] = scene_index  # the data set has one scene: 0
            samples[scene_index, track_id] = sample
        self._update_agent_infos(scene_index, tracks)
        return samples

    def _update_agent_infos(self, scene_index: int, agent_track_ids: Rows) -> None:
        """Replaces the controlled agents of a scene."""
        others = {one for one in self._agents_tracked if one[0] != scene_index}
        now = {(scene_index, track_id) for track_id in agent_track_ids.tolist()}
        self._agents_tracked = others | now

    def _controlled(self, scene_index: int, state_index: int) -> Rows:
        """Returns the agents of a frame that the simulation controls."""
        dataset = self.scene_dataset_batch[scene_index].dataset
        frame = dataset.frames[state_index]
        agents = filter_agents_by_frames(frame, dataset.agents)[0]
        return self._filter_agents(scene_index, agents, frame["ego_translation"][:2])

    def _filter_agents(self, scene_idx: int, frame_agents: Rows, ego_pos: Rows) -> Rows:
        """Returns the cars near a position. Cars that are controlled already may be
        farther away, so that none is taken and released alternately."""
        raster = self.scene_dataset_batch[scene_idx].cfg["raster_params"]
        cars = frame_agents["label_probabilities"][:, _CAR]
        agents = frame_agents[cars > raster["filter_agents_threshold"]]
        limits = [
            self.sim_cfg.distance_th_far
            if (scene_idx, track_id) in self._agents_tracked
            else self.sim_cfg.distance_th_close
            for track_id in agents["track_id"].tolist()
        ]
        distances = np.linalg.norm(ego_pos - agents["centroid"], axis=-1)
        chosen: Rows = agents[distances < np.array(limits, np.float64)]
        return chosen
