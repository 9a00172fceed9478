"""What a frame of a scene shows: outlines and lines in world metres, with colours that
are names or #RRGGBB."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

Values = npt.NDArray[Any]


class LaneVisualization(NamedTuple):
    """The outline of a lane."""

    xs: Values
    ys: Values
    color: str


class CWVisualization(NamedTuple):
    """The outline of a crosswalk."""

    xs: Values
    ys: Values
    color: str


class AgentVisualization(NamedTuple):
    """The box of an agent, its most likely label and that label's probability."""

    xs: Values
    ys: Values
    color: str
    track_id: int
    agent_type: str
    prob: float


class EgoVisualization(NamedTuple):
    """The box of the ego vehicle, and its centre."""

    xs: Values
    ys: Values
    color: str
    center_x: float
    center_y: float


class TrajectoryVisualization(NamedTuple):
    """The way of an agent, or of the ego vehicle: track -1."""

    xs: Values
    ys: Values
    color: str
    legend_label: str
    track_id: int


class FrameVisualization(NamedTuple):
    """All that a frame shows."""

    ego: EgoVisualization
    agents: list[AgentVisualization]
    lanes: list[LaneVisualization]
    crosswalks: list[CWVisualization]
    trajectories: list[TrajectoryVisualization]
