"""The closed loop: models drive the ego vehicle and agents through recorded scenes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data.dataloader import default_collate

from ..data.labels import PERCEPTION_LABEL_TO_INDEX
from ..data.zarr_dataset import AGENT_DTYPE
from ..dataset.ego import BaseEgoDataset
from ..dataset.utils import move_to_device, move_to_numpy
from ..geometry import rotation33_as_yaw, transform_points
from .dataset import SimulationConfig, SimulationDataset

__all__ = [
    "ClosedLoopSimulator",
    "ClosedLoopSimulatorModes",
    "SimulationConfig",
    "SimulationDataset",
    "SimulationOutput",
    "SimulationOutputCLE",
    "TrajectoryStateIndices",
    "UnrollInputOutput",
]

Arrays = dict[str, npt.NDArray[Any]]

#: Seconds between two frames of a trajectory.
_STEP = 0.1
_CAR = PERCEPTION_LABEL_TO_INDEX["PERCEPTION_LABEL_CAR"]


class TrajectoryStateIndices(IntEnum):
    """Columns of a trajectory: metres, radians, seconds. Speed, acceleration and
    curvature are 0 in the trajectories of a simulation."""

    X = 0
    Y = 1
    THETA = 2
    SPEED = 3
    ACCELERATION = 4
    CURVATURE = 5
    TIME = 6


class UnrollInputOutput(NamedTuple):
    """Input and output of a model for one track in one frame; -1 is the ego vehicle."""

    track_id: int
    inputs: Arrays
    outputs: Arrays


class ClosedLoopSimulatorModes(IntEnum):
    """Who advances the simulation: unroll(), or an environment of gym."""

    L5KIT = 0
    GYM = 1


EgoInsOuts = Mapping[int, "list[UnrollInputOutput]"]
AgentsInsOuts = Mapping[int, "list[list[UnrollInputOutput]]"]


class SimulationOutputCLE:
    """What a simulation did to one scene, for evaluation.

    Attributes:
        simulated_ego, recorded_ego: rows of frames.
        simulated_agents, recorded_agents: rows of agents.
        simulated_ego_states, recorded_ego_states: trajectories (frames, 7); see
            TrajectoryStateIndices.
        ego_ins_outs: the ego model's input and output of each frame.
        agents_ins_outs: inputs and outputs of a frame's agents; frames in which no
            scene has a controlled agent are left out.

    Args:
        scene_id: the index of the scene.
        sim_dataset: the simulation, after the last frame.
        ego_ins_outs: inputs and outputs of the ego model, by scene.
        agents_ins_outs: inputs and outputs of the agents' model, by scene.
    """

    def __init__(
        self,
        scene_id: int,
        sim_dataset: SimulationDataset,
        ego_ins_outs: EgoInsOuts,
        agents_ins_outs: AgentsInsOuts,
    ) -> None:
        scenes = sim_dataset.scene_dataset_batch
        if scene_id not in scenes:
            raise ValueError(f"scene {scene_id}: not simulated (found {list(scenes)})")
        simulated = scenes[scene_id].dataset
        recorded = sim_dataset.recorded_scene_dataset_batch[scene_id].dataset
        self.scene_id = scene_id
        self.simulated_agents, self.recorded_agents = simulated.agents, recorded.agents
        self.simulated_ego, self.recorded_ego = simulated.frames, recorded.frames
        self.simulated_ego_states = self.build_trajectory_states(self.simulated_ego)
        self.recorded_ego_states = self.build_trajectory_states(self.recorded_ego)
        self.ego_ins_outs = ego_ins_outs[scene_id]
        self.agents_ins_outs = agents_ins_outs[scene_id]

    def get_scene_id(self) -> int:
        """Returns the index of the scene."""
        return self.scene_id

    @staticmethod
    def build_trajectory_states(frames: npt.NDArray[Any]) -> torch.Tensor:
        """Returns the trajectory of the ego vehicle (frames, 7), float32."""
        states = np.zeros((len(frames), len(TrajectoryStateIndices)), np.float32)
        at = TrajectoryStateIndices
        states[:, [at.X, at.Y]] = frames["ego_translation"][:, :2]
        states[:, at.THETA] = [rotation33_as_yaw(one) for one in frames["ego_rotation"]]
        states[:, at.TIME] = _STEP * np.arange(len(frames))
        return torch.from_numpy(states)


class SimulationOutput(SimulationOutputCLE):
    """What a simulation did to one scene, with the data sets for display.

    Attributes:
        simulated_dataset, recorded_dataset: data sets of the scene.
    """

    def __init__(
        self,
        scene_id: int,
        sim_dataset: SimulationDataset,
        ego_ins_outs: EgoInsOuts,
        agents_ins_outs: AgentsInsOuts,
    ) -> None:
        super().__init__(scene_id, sim_dataset, ego_ins_outs, agents_ins_outs)
        self.simulated_dataset = sim_dataset.scene_dataset_batch[scene_id]
        self.recorded_dataset = sim_dataset.recorded_scene_dataset_batch[scene_id]


class ClosedLoopSimulator:
    """Lets models drive the ego vehicle and agents through scenes of a data set.

    A model gets the samples of a frame as a batch and returns "positions" (n, steps, 2)
    and "yaws" (n, steps, 1), relative to each sample's pose. The first step becomes the
    pose in the next frame.

    Args:
        sim_cfg: what to simulate.
        dataset: the scenes; they are copied.
        device: where the models run.
        model_ego: drives the ego vehicle; not needed with use_ego_gt.
        model_agents: drives agents; not needed with use_agents_gt.
        keys_to_exclude: keys that inputs and outputs of the result do not have.
        mode: GYM allows models to be missing.
    """

    def __init__(
        self,
        sim_cfg: SimulationConfig,
        dataset: BaseEgoDataset,
        device: torch.device,
        model_ego: torch.nn.Module | None = None,
        model_agents: torch.nn.Module | None = None,
        keys_to_exclude: Iterable[str] = ("image",),
        mode: int = ClosedLoopSimulatorModes.L5KIT,
    ) -> None:
        if mode == ClosedLoopSimulatorModes.L5KIT:
            if model_ego is None and not sim_cfg.use_ego_gt:
                raise ValueError("model_ego: must not be None without use_ego_gt")
            if model_agents is None and not sim_cfg.use_agents_gt:
                raise ValueError("model_agents: must not be None without use_agents_gt")
        elif mode == ClosedLoopSimulatorModes.GYM and sim_cfg.use_ego_gt:
            raise ValueError("use_ego_gt: must be False in a gym environment")
        self.sim_cfg, self.dataset, self.device = sim_cfg, dataset, device
        self.model_ego = _model(model_ego).to(device)
        self.model_agents = _model(model_agents).to(device)
        self.keys_to_exclude = set(keys_to_exclude)

    def unroll(self, scene_indices: list[int]) -> list[SimulationOutput]:
        """Simulates scenes and returns one result for each."""
        scenes = SimulationDataset.from_dataset_indices(
            self.dataset, scene_indices, self.sim_cfg
        )
        agents: dict[int, list[list[UnrollInputOutput]]] = defaultdict(list)
        ego: dict[int, list[UnrollInputOutput]] = defaultdict(list)
        for frame_index in self._frames(len(scenes)):
            if not self.sim_cfg.use_agents_gt:
                by_scene = self._step_agents(scenes, frame_index)
                if by_scene is not None:
                    for i in scene_indices:
                        agents[i].append(by_scene.get(i, []))
            if not self.sim_cfg.use_ego_gt:
                driven = self._step_ego(scenes, frame_index)
                for i in scene_indices:
                    ego[i].append(driven[i])
        return [SimulationOutput(i, scenes, ego, agents) for i in scene_indices]

    def _frames(self, count: int) -> Iterable[int]:
        """Returns the indices of frames, which show a progress bar if asked for."""
        if not self.sim_cfg.show_info:
            return range(count)
        from tqdm.auto import tqdm

        shown: Iterable[int] = tqdm(range(count))
        return shown

    def _run(self, model: torch.nn.Module, samples: list[Any]) -> tuple[Arrays, Arrays]:
        """Returns the input and output of a model as arrays."""
        batch = default_collate(samples)
        made = model(move_to_device(batch, self.device))
        return move_to_numpy(batch), move_to_numpy(made)

    def _step_agents(
        self, scenes: SimulationDataset, frame_index: int
    ) -> dict[int, list[UnrollInputOutput]] | None:
        """Moves the agents of the next frame; None if there are none to move."""
        samples = scenes.rasterise_agents_frame_batch(frame_index)
        if not samples:
            return None
        inputs, outputs = self._run(self.model_agents, list(samples.values()))
        if frame_index + 1 < len(scenes):
            self.update_agents(scenes, frame_index + 1, inputs, outputs)
        return self.get_agents_in_out(inputs, outputs, self.keys_to_exclude)

    def _step_ego(
        self, scenes: SimulationDataset, frame_index: int
    ) -> dict[int, UnrollInputOutput]:
        """Moves the ego vehicles of the next frame."""
        samples = scenes.rasterise_frame_batch(frame_index)
        inputs, outputs = self._run(self.model_ego, samples)
        if frame_index + 1 < len(scenes):
            self.update_ego(scenes, frame_index + 1, inputs, outputs)
        return self.get_ego_in_out(inputs, outputs, self.keys_to_exclude)

    @staticmethod
    def update_agents(
        dataset: SimulationDataset,
        frame_idx: int,
        input_dict: Arrays,
        output_dict: Arrays,
    ) -> None:
        """Writes the first predicted step of agents into a frame, as certain cars."""
        local, world_from_agent = output_dict["positions"], input_dict["world_from_agent"]
        agents = np.zeros(len(local), AGENT_DTYPE)
        agents["centroid"] = transform_points(local[:, :1], world_from_agent)[:, 0]
        agents["yaw"] = input_dict["yaw"] + output_dict["yaws"][:, 0, 0]
        agents["track_id"] = input_dict["track_id"]
        agents["extent"] = input_dict["extent"]
        agents["label_probabilities"][:, _CAR] = 1
        tracks = zip(input_dict["scene_index"].tolist(), agents["track_id"].tolist())
        rows = {track: agents[i : i + 1] for i, track in enumerate(tracks)}
        dataset.set_agents(frame_idx, rows)

    @staticmethod
    def update_ego(
        dataset: SimulationDataset,
        frame_idx: int,
        input_dict: Arrays,
        output_dict: Arrays,
    ) -> None:
        """Writes the first predicted step of the ego vehicles into a frame."""
        local, world_from_agent = output_dict["positions"], input_dict["world_from_agent"]
        positions = transform_points(local[:, :1], world_from_agent)
        yaws = input_dict["yaw"][:, None] + output_dict["yaws"][:, :1, 0]
        dataset.set_ego(frame_idx, 0, positions, yaws)

    @staticmethod
    def get_agents_in_out(
        input_dict: Arrays,
        output_dict: Arrays,
        keys_to_exclude: set[str] | None = None,
    ) -> dict[int, list[UnrollInputOutput]]:
        """Splits the agents' inputs and outputs by scene. Scenes without agents are
        missing."""
        by_scene: dict[int, list[UnrollInputOutput]] = defaultdict(list)
        for scene_index, one in _split(input_dict, output_dict, keys_to_exclude):
            by_scene[scene_index].append(one)
        return dict(by_scene)

    @staticmethod
    def get_ego_in_out(
        input_dict: Arrays,
        output_dict: Arrays,
        keys_to_exclude: set[str] | None = None,
    ) -> dict[int, UnrollInputOutput]:
        """Splits the ego vehicles' inputs and outputs by scene."""
        found = _split(input_dict, output_dict, keys_to_exclude)
        by_scene = dict(found)
        if len(by_scene) != len(found):
            raise ValueError(f"scene_index: repeats (found {input_dict['scene_index']})")
        return by_scene


def _model(given: torch.nn.Module | None) -> torch.nn.Module:
    return torch.nn.Sequential() if given is None else given


def _split(
    inputs: Arrays, outputs: Arrays, excluded: set[str] | None
) -> list[tuple[int, UnrollInputOutput]]:
    """Returns the scene and the parts of each sample of a batch, without some keys."""
    excluded = excluded or set()
    for key in ("track_id", "scene_index"):
        if key not in inputs:
            raise ValueError(f"{key}: missing (found {', '.join(inputs)})")
        if key in excluded:
            raise ValueError(f"{key}: must not be excluded")
    kept_in = {key: value for key, value in inputs.items() if key not in excluded}
    kept_out = {key: value for key, value in outputs.items() if key not in excluded}
    parts = []
    for i in range(len(inputs["track_id"])):
        one = UnrollInputOutput(
            track_id=inputs["track_id"][i],
            inputs={key: value[i] for key, value in kept_in.items()},
            outputs={key: value[i] for key, value in kept_out.items()},
        )
        parts.append((int(inputs["scene_index"][i]), one))
    return parts
