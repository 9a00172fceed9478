"""Types of results: their keys with dtype, shape and unit.

`dataset.frame(0, 84)["agents.corners"]` is known to type checkers and to completion. Each
value is annotated with its shape, its unit, and what it is; equal letters are equal
lengths.
"""

from typing import Annotated as A
from typing import TypedDict

import numpy as np
import numpy.typing as npt

__all__ = [
    "Facts",
    "Frame",
    "Sample",
    "SceneFacts",
    "Timeline",
    "TrackFacts",
    "VectorizedSample",
]

Bool = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
Str = npt.NDArray[np.str_]

Frame = TypedDict(
    "Frame",
    {
        "frame.index": A[I64, "1", "", "row of `frames`"],
        "frame.timestamp": A[I64, "1", "ns"],
        "ego.centroid": A[F64, "2", "m"],
        "ego.translation": A[F64, "3", "m", "as recorded"],
        "ego.rotation": A[F64, "3, 3", "", "as recorded"],
        "ego.is_virtual": A[Bool, "1", "", "no ego vehicle: its values are NaN or empty"],
        "ego.yaw": A[F64, "1", "rad"],
        "ego.speed": A[F32, "1", "m/s", "as `agents.speed`"],
        "ego.corners": A[F64, "4, 2", "m", "front left first, counter-clockwise"],
        "ego.trail": A[F64, "k, 2", "m", "centroids, from this frame into the past"],
        "ego.future": A[F64, "j, 2", "m", "centroids, from this frame into the future"],
        "agents.row": A[I64, "n", "", "row of `agents`"],
        "agents.track_id": A[U64, "n"],
        "agents.centroid": A[F64, "n, 2", "m"],
        "agents.corners": A[F64, "n, 4, 2", "m", "front left first, counter-clockwise"],
        "agents.yaw": A[F32, "n", "rad"],
        "agents.extent": A[F32, "n, 3", "m", "length, width, height"],
        "agents.velocity": A[F32, "n, 2", "m/s", "as recorded"],
        "agents.speed": A[F32, "n", "m/s", "from the last frame, else to the next, or NaN"],
        "agents.label": A[U8, "n", "", "the most probable label, of `dataset.labels`"],
        "agents.class": A[U8, "n", "", "0 vehicle, 1 cyclist, 2 pedestrian, 3 other"],
        "agents.probability": A[F32, "n", "", "of the label"],
        "agents.known_probability": A[F32, "n", "", "sum over labels 3 to 15"],
        "agents.kept": A[Bool, "n", "", "L5Kit's filter at the threshold"],
        "agents.distance": A[F32, "n", "m", "to the ego vehicle's centroid"],
        "agents.label_probabilities": A[F32, "n, 17", "", "as recorded"],
        "trails.points": A[F64, "p, 2", "m", "a line per agent, until its first gap"],
        "trails.offsets": A[U32, "n + 1", "", "where lines begin and end"],
        "futures.points": A[F64, "q, 2", "m", "likewise"],
        "futures.offsets": A[U32, "n + 1"],
        "lights.face_id": A[U8, "f", "", "UTF-8"],
        "lights.face_id.offsets": A[U32, "l + 1", "", "where ids begin and end"],
        "lights.traffic_light_id": A[U8, "t", "", "UTF-8"],
        "lights.traffic_light_id.offsets": A[U32, "l + 1", "", "where ids begin and end"],
        "lights.state": A[U8, "l", "", "0 active, 1 inactive, 2 unknown"],
        "lights.status": A[F32, "l, 3", "", "as recorded: active, inactive, unknown"],
    },
)
"""What `Dataset.frame` returns, in world: n agents, l traffic light faces."""

_EgoTimeline = TypedDict(
    "_EgoTimeline",
    {
        "start": A[I64, "s", "ns", "time of the first stored frame; empty without one"],
        "seconds": A[F64, "n", "s", "from `start`; NaN if the frame is absent"],
        "ego.is_virtual": A[Bool, "1", "", "no ego vehicle: its values are NaN"],
        "ego.speed": A[F64, "n", "m/s"],
        "ego.acceleration": A[F64, "n", "m/s^2"],
        "ego.yaw": A[F64, "n", "rad", "unwrapped"],
        "ego.yaw_rate": A[F64, "n", "rad/s"],
        "anomalies.frame": A[U32, "o"],
        "anomalies.kind": A[U8, "o", "", "0 gap to 12 repeated faces"],
        "anomalies.track_id": A[U64, "o"],
        "anomalies.amount": A[F64, "o", "", "by kind: s, m, degrees, m^2, ratio, frames"],
        "faces.id": A[U8, "a", "", "UTF-8"],
        "faces.id.offsets": A[U32, "f + 1", "", "where ids begin and end"],
        "faces.first_frame": A[U32, "f"],
        "lights.id": A[U8, "b", "", "UTF-8"],
        "lights.id.offsets": A[U32, "t + 1", "", "where ids begin and end"],
        "lights.light": A[U32, "r", "", "index in `lights.id`"],
        "lights.begin": A[U32, "r", "", "first frame of a run of one state"],
        "lights.end": A[U32, "r", "", "frame after its last"],
        "lights.state": A[U8, "r", "", "0 active, 1 inactive, 2 unknown"],
        "lights.active_offset": A[U32, "r + 1", "", "where runs begin in `active_face`"],
        "lights.active_face": A[U32, "e", "", "index in `faces.id`"],
    },
)
_TrackTimeline = TypedDict(
    "_TrackTimeline",
    {
        "track.speed": A[F64, "n", "m/s", "of the track, if given; NaN if unknown"],
        "track.acceleration": A[F64, "n", "m/s^2"],
        "track.yaw": A[F64, "n", "rad", "unwrapped"],
        "track.yaw_rate": A[F64, "n", "rad/s"],
    },
    total=False,
)


class Timeline(_EgoTimeline, _TrackTimeline):
    """What `Dataset.timeline` returns for the n frames of a scene: f traffic light faces,
    t traffic lights, r runs of one state of a light. NaN is unknown."""


class SceneFacts(TypedDict):
    """Facts of n scenes, which docs/scenarios.md defines; -1 or NaN if unknown."""

    scene: A[U32, "n"]
    frames: A[U32, "n"]
    duration: A[F64, "n", "s"]
    ego_distance: A[F64, "n", "m"]
    ego_mean_speed: A[F64, "n", "m/s"]
    ego_max_speed: A[F64, "n", "m/s"]
    ego_hardest_brake: A[F64, "n", "m/s^2"]
    ego_hardest_brake_frame: A[I32, "n"]
    ego_strongest_acceleration: A[F64, "n", "m/s^2"]
    ego_strongest_acceleration_frame: A[I32, "n"]
    heading_change: A[F64, "n", "rad"]
    turn: A[Str, "n"]
    turn_frame: A[I32, "n"]
    stationary: A[F64, "n"]
    unprotected_left: A[Bool, "n"]
    tracks: A[U32, "n"]
    vehicles: A[U32, "n"]
    cyclists: A[U32, "n"]
    pedestrians: A[U32, "n"]
    others: A[U32, "n"]
    closest_vehicle: A[F64, "n", "m"]
    closest_vehicle_frame: A[I32, "n"]
    closest_vehicle_track: A[U64, "n"]
    closest_cyclist: A[F64, "n", "m"]
    closest_cyclist_frame: A[I32, "n"]
    closest_cyclist_track: A[U64, "n"]
    closest_pedestrian: A[F64, "n", "m"]
    closest_pedestrian_frame: A[I32, "n"]
    closest_pedestrian_track: A[U64, "n"]
    min_ttc: A[F64, "n", "s"]
    min_ttc_frame: A[I32, "n"]
    min_ttc_track: A[U64, "n"]
    cut_ins: A[U32, "n"]
    cut_in_frame: A[I32, "n"]
    light: A[Str, "n"]
    light_frame: A[I32, "n"]


TrackFacts = TypedDict(
    "TrackFacts",
    {
        "scene": A[U32, "n"],
        "track_id": A[U64, "n"],
        "label": A[Str, "n"],
        "class": A[Str, "n"],
        "frames": A[U32, "n"],
        "first_frame": A[I32, "n"],
        "duration": A[F64, "n", "s"],
        "distance": A[F64, "n", "m"],
        "mean_speed": A[F64, "n", "m/s"],
        "max_speed": A[F64, "n", "m/s"],
        "hardest_brake": A[F64, "n", "m/s^2"],
        "hardest_brake_frame": A[I32, "n"],
        "strongest_acceleration": A[F64, "n", "m/s^2"],
        "strongest_acceleration_frame": A[I32, "n"],
        "heading_change": A[F64, "n", "rad"],
        "turn": A[Str, "n"],
        "turn_frame": A[I32, "n"],
        "stationary": A[F64, "n"],
        "closest_ego": A[F64, "n", "m"],
        "closest_ego_frame": A[I32, "n"],
        "min_ttc": A[F64, "n", "s"],
        "min_ttc_frame": A[I32, "n"],
        "cut_in": A[Bool, "n"],
        "cut_in_frame": A[I32, "n"],
    },
)
"""Facts of n tracks, likewise."""


class Facts(TypedDict):
    """What `Dataset.facts` returns."""

    scenes: SceneFacts
    tracks: TrackFacts


class _SampleParts(TypedDict):
    frame_index: A[int, "", "", "of the scene"]
    target_positions: A[F32, "f, 2", "m", "in the agent's frame, as all below"]
    target_yaws: A[F32, "f, 1", "rad"]
    target_velocities: A[F32, "f, 2", "m/s"]
    target_availabilities: A[F32, "f", "", "1 if recorded"]
    history_positions: A[F32, "h + 1, 2", "m", "this frame first"]
    history_yaws: A[F32, "h + 1, 1", "rad"]
    history_velocities: A[F32, "h, 2", "m/s"]
    history_availabilities: A[F32, "h + 1", "", "1 if recorded"]
    world_to_image: A[F64, "3, 3", "", "as `raster_from_world`"]
    raster_from_agent: A[F64, "3, 3", "", "pixels from metres"]
    raster_from_world: A[F64, "3, 3", "", "pixels from metres"]
    agent_from_world: A[F64, "3, 3"]
    world_from_agent: A[F64, "3, 3"]
    centroid: A[F64, "2", "m", "in world"]
    yaw: A[float, "", "rad", "in world"]
    extent: A[F32 | F64, "3", "m", "float64 for the ego vehicle"]
    history_extents: A[F32, "h + 1, 2", "m", "length, width"]
    future_extents: A[F32, "f, 2", "m", "length, width"]
    scene_index: A[int, ""]
    host_id: A[U8, "70", "", "UTF-8, padded"]
    timestamp: A[np.int64, "", "ns"]
    track_id: A[np.int64, "", "", "-1 for the ego vehicle"]


class _SampleOptions(TypedDict, total=False):
    image: A[F32 | U8, "c, y, x", "", "unless `image` is none; uint8 for u8"]
    curr_speed: A[np.float32, "", "m/s", "unless there is no history"]


class Sample(_SampleParts, _SampleOptions):
    """A rasterized sample of `Samples`: h frames of history, f of future. In batches, each
    array has an axis more, for the samples."""


class _VectorParts(TypedDict):
    extent: A[F32 | F64, "3", "m", "float64 for the ego vehicle"]
    type: A[int, "", "", "a label; 3 for the ego vehicle"]
    agent_from_world: A[F64, "3, 3"]
    world_from_agent: A[F64, "3, 3"]
    target_positions: A[F32, "f, 2", "m", "in the agent's frame, as all below"]
    target_yaws: A[F32, "f, 1", "rad"]
    target_extents: A[F32, "f, 2", "m", "length, width"]
    target_availabilities: A[Bool, "f"]
    history_positions: A[F32, "h + 1, 2", "m", "this frame first"]
    history_yaws: A[F32, "h + 1, 1", "rad"]
    history_extents: A[F32, "h + 1, 2", "m", "length, width"]
    history_availabilities: A[Bool, "h + 1"]
    centroid: A[F64, "2", "m", "in world"]
    yaw: A[float, "", "rad", "in world"]
    speed: A[np.float32, "", "m/s"]
    all_other_agents_history_positions: A[F32, "a, h + 1, 2", "m"]
    all_other_agents_history_yaws: A[F32, "a, h + 1, 1", "rad"]
    all_other_agents_history_extents: A[F32, "a, h + 1, 2", "m"]
    all_other_agents_history_availability: A[Bool, "a, h + 1"]
    all_other_agents_future_positions: A[F32, "a, f, 2", "m"]
    all_other_agents_future_yaws: A[F32, "a, f, 1", "rad"]
    all_other_agents_future_extents: A[F32, "a, f, 2", "m"]
    all_other_agents_future_availability: A[Bool, "a, f"]
    all_other_agents_types: A[I64, "a", "", "labels"]
    all_other_agents_track_ids: A[I64, "a"]
    agent_trajectory_polyline: A[F32, "h + 1, 3", "m, rad", "x, y, yaw"]
    agent_polyline_availability: A[Bool, "h + 1"]
    other_agents_polyline: A[F32, "a, h + 1, 3", "m, rad", "x, y, yaw"]
    other_agents_polyline_availability: A[Bool, "a, h + 1"]
    lanes: A[F32, "2 * l, p, 3", "m", "x, y, 0: left and right boundaries"]
    lanes_availabilities: A[Bool, "2 * l, p"]
    lanes_mid: A[F32, "l, p, 3", "m", "x, y, light feature"]
    lanes_mid_availabilities: A[Bool, "l, p"]
    crosswalks: A[F32, "c, q, 3", "m", "x, y, 0"]
    crosswalks_availabilities: A[Bool, "c, q"]
    scene_index: A[int, ""]
    host_id: A[U8, "70", "", "UTF-8, padded"]
    timestamp: A[np.int64, "", "ns"]
    track_id: A[np.int64, "", "", "-1 for the ego vehicle"]


class _VectorOptions(TypedDict, total=False):
    all_valid_agents_track_ids: A[F64, "m", "", "kinds ego_agent and eval"]


class VectorizedSample(_VectorParts, _VectorOptions):
    """A vectorized sample of `Samples`: h frames of history, f of future, a other agents, l
    lanes with p points, c crosswalks with q points."""
