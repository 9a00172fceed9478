"""Scenes, recorded or simulated, as shapes to draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...data.filter import (
    filter_agents_by_frames,
    filter_agents_by_labels,
    filter_tl_faces_by_frames,
    filter_tl_faces_by_status,
)
from ...data.labels import PERCEPTION_LABELS
from ...data.map_api import MapAPI, TLFacesColors
from ...data.zarr_dataset import ChunkedDataset
from ...geometry import transform_points
from ...rasterization.box_rasterizer import get_box_world_coords, get_ego_as_agent
from ...rasterization.semantic_rasterizer import indices_in_bounds
from ...sampling.agent_sampling import get_relative_poses
from .common import (
    AgentVisualization,
    CWVisualization,
    EgoVisualization,
    FrameVisualization,
    LaneVisualization,
    TrajectoryVisualization,
)

if TYPE_CHECKING:
    from ...simulation.unroll import SimulationOutput, UnrollInputOutput

Rows = npt.NDArray[Any]

COLORS = {
    TLFacesColors.GREEN.name: "#33CC33",
    TLFacesColors.RED.name: "#FF3300",
    TLFacesColors.YELLOW.name: "#FFFF66",
    "PERCEPTION_LABEL_CAR": "#1F77B4",
    "PERCEPTION_LABEL_CYCLIST": "#CC33FF",
    "PERCEPTION_LABEL_PEDESTRIAN": "#66CCFF",
}

#: Half the side of the square around the ego vehicle whose map is shown (metres).
_REACH = 50
#: Frames of a trajectory.
_AGENT_STEPS, _EGO_STEPS = 20, 100
#: Agents of recorded scenes are shown above this probability.
_THRESHOLD = 0.1


def _trajectory(
    points: Rows, color: str, label: str, track: int
) -> TrajectoryVisualization:
    return TrajectoryVisualization(points[:, 0], points[:, 1], color, label, track)


def _get_frame_trajectories(
    frames: Rows, agents_frames: list[Rows], track_ids: Rows, frame_index: int
) -> list[TrajectoryVisualization]:
    """Returns the ways of tracks, then that of the ego vehicle, from a frame on."""

    def way(track_id: int | None, steps: int) -> Rows:
        span = slice(frame_index, frame_index + steps)
        positions, _, _, available = get_relative_poses(
            steps, frames[span], track_id, agents_frames[span], np.eye(3), 0
        )
        return positions[available > 0]

    made = [
        _trajectory(way(track, _AGENT_STEPS), "blue", "agent_trajectory", track)
        for track in track_ids.tolist()
    ]
    return [*made, _trajectory(way(None, _EGO_STEPS), "red", "ego_trajectory", -1)]


def _lanes(mapAPI: MapAPI, position: Rows, faces: Rows) -> Iterator[LaneVisualization]:
    """Yields the lanes near a position. A lane with active lights has the colour of the
    last in order of their ids."""
    active = set(filter_tl_faces_by_status(faces, "ACTIVE")["face_id"].tolist())
    near = mapAPI.bounds_info["lanes"]
    for row in indices_in_bounds(position, near["bounds"], _REACH):
        lane = near["ids"][row]
        color = "gray"
        for face in sorted(mapAPI.get_lane_traffic_control_ids(lane) & active):
            color = COLORS[mapAPI.get_color_for_face(face)]
        lines = mapAPI.get_lane_coords(lane)
        outline = np.concatenate((lines["xyz_left"], lines["xyz_right"][::-1]))
        yield LaneVisualization(outline[:, 0], outline[:, 1], color)


def _crosswalks(mapAPI: MapAPI, position: Rows) -> Iterator[CWVisualization]:
    near = mapAPI.bounds_info["crosswalks"]
    for row in indices_in_bounds(position, near["bounds"], _REACH):
        outline = mapAPI.get_crosswalk_coords(near["ids"][row])["xyz"]
        yield CWVisualization(outline[:, 0], outline[:, 1], "yellow")


def _agents(agents: Rows) -> Iterator[AgentVisualization]:
    for agent, box in zip(agents, get_box_world_coords(agents)):
        label = int(np.argmax(agent["label_probabilities"]))
        name = PERCEPTION_LABELS[label]
        yield AgentVisualization(
            xs=box[:, 0],
            ys=box[:, 1],
            color=COLORS.get(name, COLORS["PERCEPTION_LABEL_CAR"]),
            track_id=agent["track_id"],
            agent_type=name,
            prob=agent["label_probabilities"][label],
        )


def _get_frame_data(
    mapAPI: MapAPI, frame: Rows, agents_frame: Rows, tls_frame: Rows
) -> FrameVisualization:
    """Returns the shapes of a frame, without trajectories."""
    ego = get_ego_as_agent(frame)
    box, centre = get_box_world_coords(ego)[0], ego["centroid"][0]
    position = frame["ego_translation"][:2]
    return FrameVisualization(
        ego=EgoVisualization(box[:, 0], box[:, 1], "red", centre[0], centre[1]),
        agents=list(_agents(agents_frame)),
        lanes=list(_lanes(mapAPI, position, tls_frame)),
        crosswalks=list(_crosswalks(mapAPI, position)),
        trajectories=[],
    )


def zarr_to_visualizer_scene(
    scene_dataset: ChunkedDataset, mapAPI: MapAPI, with_trajectories: bool = True
) -> list[FrameVisualization]:
    """Returns the shapes of each frame of a data set that has one scene."""
    if len(scene_dataset.scenes) != 1:
        found = len(scene_dataset.scenes)
        raise ValueError(f"data set: must have one scene (found {found})")
    frames = np.asarray(scene_dataset.frames)
    agents = filter_agents_by_frames(frames, scene_dataset.agents)
    faces = filter_tl_faces_by_frames(frames, scene_dataset.tl_faces)
    made = []
    for i, frame in enumerate(frames):
        shown = filter_agents_by_labels(agents[i], _THRESHOLD)
        one = _get_frame_data(mapAPI, frame, shown, faces[i])
        if with_trajectories:
            ways = _get_frame_trajectories(frames, agents, shown["track_id"], i)
            one = one._replace(trajectories=ways)
        made.append(one)
    return made


def _get_in_out_as_trajectories(in_out: UnrollInputOutput) -> tuple[Rows, Rows]:
    """Returns the recorded and the predicted way in world."""
    inputs, world_from_agent = in_out.inputs, in_out.inputs["world_from_agent"]
    recorded = transform_points(inputs["target_positions"], world_from_agent)
    predicted = transform_points(in_out.outputs["positions"], world_from_agent)
    return recorded[inputs["target_availabilities"] > 0], predicted


def _simulated_ways(
    in_out: UnrollInputOutput, who: str, colors: tuple[str, str]
) -> list[TrajectoryVisualization]:
    recorded, predicted = _get_in_out_as_trajectories(in_out)
    track = int(in_out.track_id)
    return [
        _trajectory(recorded, colors[0], f"{who}_replay", track),
        _trajectory(predicted, colors[1], f"{who}_simulated", track),
    ]


def simulation_out_to_visualizer_scene(
    sim_out: SimulationOutput, mapAPI: MapAPI
) -> list[FrameVisualization]:
    """Returns the shapes of each frame of a simulated scene, with recorded and predicted
    ways of what is simulated."""
    dataset = sim_out.simulated_dataset
    threshold = dataset.cfg["raster_params"]["filter_agents_threshold"]
    frames = sim_out.simulated_ego
    agents = filter_agents_by_frames(frames, sim_out.simulated_agents)
    faces = filter_tl_faces_by_frames(frames, dataset.dataset.tl_faces)
    ego_parts = dict(enumerate(sim_out.ego_ins_outs))
    agent_parts = {
        int(part.inputs.get("frame_index", i)): parts
        for i, parts in enumerate(sim_out.agents_ins_outs)
        for part in parts[:1]
    }  # frames without agents are left out
    made = []
    for i, frame in enumerate(frames):
        shown = filter_agents_by_labels(agents[i], threshold)
        ways = []
        if i in ego_parts:
            ways += _simulated_ways(ego_parts[i], "ego", ("blue", "red"))
        for part in agent_parts.get(i, []):
            ways += _simulated_ways(part, "agent", ("orange", "purple"))
        one = _get_frame_data(mapAPI, frame, shown, faces[i])
        made.append(one._replace(trajectories=ways))
    return made
