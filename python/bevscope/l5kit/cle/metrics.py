"""Metrics of a simulated scene: one value per frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from ..data.filter import get_agents_slice_from_frames
from ..evaluation import error_functions
from ..evaluation import metrics as l5metrics
from ..rasterization.rasterizer import EGO_EXTENT_LENGTH, EGO_EXTENT_WIDTH
from ..simulation.unroll import SimulationOutputCLE, TrajectoryStateIndices

_METER_TO_MILES = 0.000621371
#: Frames per second.
_RATE = 10


class SupportsMetricCompute(Protocol):
    """A metric, known by its name."""

    metric_name: str

    @abstractmethod
    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns the metric's value in each frame."""
        raise NotImplementedError


class CollisionMetricBase(ABC):
    """1 in frames in which the simulated ego vehicle touches an agent with one side.

    The first agent found in the frame counts. Needs shapely.

    Args:
        collision_type: the side.
    """

    @abstractmethod
    def __init__(self, collision_type: l5metrics.CollisionType) -> None:
        self.collision_type = collision_type

    def _compute_frame(
        self, simulated_agent_frame: npt.NDArray[Any], simulated_frame_ego_state: Any
    ) -> float:
        """Returns 1 if the ego vehicle touches one of a frame's agents, or 0."""
        state = simulated_frame_ego_state.cpu().numpy()
        found = l5metrics.detect_collision(
            state[: TrajectoryStateIndices.Y + 1],
            state[TrajectoryStateIndices.THETA],
            np.array([EGO_EXTENT_LENGTH, EGO_EXTENT_WIDTH]),
            simulated_agent_frame,
        )
        return float(found is not None and found[0] == self.collision_type)

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns 0 or 1 for each frame (frames,)."""
        states = simulation_output.simulated_ego_states
        agents = simulation_output.simulated_agents
        _check_lengths(states, agents)
        hits = torch.zeros(len(states), device=states.device)
        for i, frame in enumerate(simulation_output.simulated_ego):
            near = agents[get_agents_slice_from_frames(frame)]
            hits[i] = self._compute_frame(near, states[i])
        return hits


class CollisionFrontMetric(CollisionMetricBase):
    """Collisions with the front of the ego vehicle."""

    metric_name = "collision_front"

    def __init__(self) -> None:
        super().__init__(l5metrics.CollisionType.FRONT)


class CollisionRearMetric(CollisionMetricBase):
    """Collisions with the rear of the ego vehicle."""

    metric_name = "collision_rear"

    def __init__(self) -> None:
        super().__init__(l5metrics.CollisionType.REAR)


class CollisionSideMetric(CollisionMetricBase):
    """Collisions with the left or right of the ego vehicle."""

    metric_name = "collision_side"

    def __init__(self) -> None:
        super().__init__(l5metrics.CollisionType.SIDE)


class DisplacementErrorMetric(SupportsMetricCompute):
    """Distance between the simulated and the recorded position of each frame.

    Args:
        error_function: measures the distance of positions (frames, 2).
    """

    metric_name = "displacement_error"

    def __init__(self, error_function: error_functions.ErrorFunction) -> None:
        self.error_function = error_function

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns distances (frames,) in metres."""
        simulated, recorded = _trajectories(simulation_output)
        return self.error_function(_positions(simulated), _positions(recorded))


class DisplacementErrorL2Metric(DisplacementErrorMetric):
    """Euclidean distance between the simulated and the recorded position."""

    metric_name = "displacement_error_l2"

    def __init__(self) -> None:
        super().__init__(error_functions.l2_error)


class DistanceToRefTrajectoryMetric(SupportsMetricCompute):
    """Distance of the simulated position to the nearest recorded one of any frame.

    Args:
        scene_fraction: the part of the simulated frames to measure, from 0 to 1. The
            last frames may be beyond the end of the recording.
    """

    metric_name = "distance_to_reference_trajectory"

    def __init__(self, scene_fraction: float = 0.8) -> None:
        if not 0.0 <= scene_fraction <= 1.0:
            raise ValueError(f"scene_fraction: must be 0 to 1 (found {scene_fraction})")
        self.scene_fraction = scene_fraction

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns distances in metres, of the first frames only."""
        simulated = _positions(simulation_output.simulated_ego_states)
        recorded = _positions(simulation_output.recorded_ego_states)
        _check_lengths(simulated, recorded)
        measured = simulated[: int(len(simulated) * self.scene_fraction)]
        return l5metrics.distance_to_reference_trajectory(measured, recorded[None])


class SimulatedDrivenMilesMetric(SupportsMetricCompute):
    """Way that the simulated ego vehicle drives from the frame before."""

    metric_name = "simulated_driven_miles"
    METER_TO_MILES = _METER_TO_MILES

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns miles (frames,), float64; 0 for the first frame."""
        return _driven(simulation_output.simulated_ego_states) * self.METER_TO_MILES


class ReplayDrivenMilesMetric(SupportsMetricCompute):
    """Way that the recorded ego vehicle drives from the frame before."""

    metric_name = "replay_driven_miles"
    METER_TO_MILES = _METER_TO_MILES

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns miles (frames,), float64; 0 for the first frame."""
        return _driven(simulation_output.recorded_ego_states) * self.METER_TO_MILES


class YawErrorMetric(SupportsMetricCompute):
    """Angle between the simulated and the recorded yaw of each frame.

    Args:
        error_function: measures the angle of yaws (frames, 1).
    """

    metric_name = "yaw_error"

    def __init__(
        self,
        error_function: error_functions.ErrorFunction = error_functions.closest_angle_error,
    ) -> None:
        self.error_function = error_function

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns angles (frames, 1) in radians."""
        simulated, recorded = _trajectories(simulation_output)
        yaw = slice(TrajectoryStateIndices.THETA, TrajectoryStateIndices.THETA + 1)
        return self.error_function(simulated[:, yaw], recorded[:, yaw])


class YawErrorCAMetric(YawErrorMetric):
    """Smaller angle between the simulated and the recorded yaw."""

    metric_name = "yaw_error_closest_angle"

    def __init__(self) -> None:
        super().__init__(error_functions.closest_angle_error)


class SimulatedVsRecordedEgoSpeedMetric(SupportsMetricCompute):
    """Speed of the simulated ego vehicle minus that of the recorded one: above 0 where
    the simulation is faster."""

    metric_name = "simulated_minus_recorded_ego_speed"

    def compute(self, simulation_output: SimulationOutputCLE) -> torch.Tensor:
        """Returns differences (frames - 1,) in metres per second, between two frames."""
        simulated = _steps(_positions(simulation_output.simulated_ego_states))
        recorded = _steps(_positions(simulation_output.recorded_ego_states))
        return (simulated - recorded) * _RATE


def _positions(states: torch.Tensor) -> torch.Tensor:
    return states[:, : TrajectoryStateIndices.Y + 1]


def _check_lengths(simulated: torch.Tensor, observed: Any) -> None:
    if len(observed) < len(simulated):
        counts = f"(found {len(simulated)} and {len(observed)})"
        raise ValueError(f"More simulated timesteps than observed {counts}")


def _trajectories(output: SimulationOutputCLE) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the simulated trajectory and the frames of the recorded one that it has."""
    simulated, recorded = output.simulated_ego_states, output.recorded_ego_states
    _check_lengths(simulated, recorded)
    return simulated, recorded[: len(simulated)]


def _steps(positions: torch.Tensor) -> torch.Tensor:
    """Returns the distances (frames - 1,) between consecutive positions."""
    return torch.linalg.norm(positions[1:] - positions[:-1], dim=1)


def _driven(states: torch.Tensor) -> Any:
    """Returns the metres driven from the frame before, float64."""
    steps = _steps(_positions(states).to(torch.float64))
    return torch.cat((steps.new_zeros(1), steps))
