"""Made-up scenarios of ScenarioNet: the keys and types that its converters of nuScenes and
Waymo write, with content of our own."""

import pickle
from collections import defaultdict

import numpy as np

STEPS = 21
TIMES = np.arange(STEPS) / 10


def state(dtype, column, x, y, begin, end, speed=5.0, size=(4.5, 2.0, 1.5)):
    """A track along x, valid in steps [begin, end). `column`: shapes of (T, 1)."""
    valid = np.zeros(STEPS, bool if dtype == np.float32 else dtype)
    valid[begin:end] = 1
    steps = np.arange(STEPS)
    is_valid = valid.astype(bool)
    position = np.stack([x + speed / 10 * steps, y + 0.01 * steps**2, steps * 0 + 0.5], 1)
    velocity = np.zeros((STEPS, 2))
    velocity[:-1] = (position[1:] - position[:-1])[:, :2] / 0.1
    if column:  # as nuScenes' converter: 0 where there is no next state
        velocity[:-1][~is_valid[1:]] = 0
    heading = np.arctan2(velocity[:, 1], velocity[:, 0])

    def kept(values):
        shape = (STEPS,) + (1,) * (values.ndim - 1)
        return np.where(is_valid.reshape(shape), values, 0).astype(dtype)

    boxes = [kept(np.full((STEPS, 1) if column else STEPS, one)) for one in size]
    names = ("length", "width", "height")
    return {
        "position": kept(position),
        "heading": kept(heading),
        "velocity": kept(velocity),
        "valid": valid,
        **dict(zip(names, boxes, strict=True)),
    }


def track(name, kind, category, **about):
    return {
        "type": kind,
        "state": state(**about),
        "metadata": {"track_length": STEPS, "type": category, "object_id": name},
    }


def lane(x, y, angle, length, is_list, width=None):
    """A straight lane of points (x, y, heading), as nuScenes has them."""
    along = np.arange(0, length + 1.0)
    points = np.stack(
        [x + along * np.cos(angle), y + along * np.sin(angle), along * 0 + angle], 1
    )
    points = np.insert(points, 3, points[3], 0)  # the joint of two segments
    out = {
        "type": "LANE_SURFACE_STREET",
        "polyline": [tuple(p) for p in points.tolist()] if is_list else points,
    }
    if width is None:
        return {**out, "speed_limit_kmh": 100}
    across = np.array([-np.sin(angle), np.cos(angle)]) * width / 2
    left, right = points[:, :2] + across, points[:, :2] - across
    ring = np.concatenate([right, left[::-1], right[:1]])
    return {**out, "polygon": ring.tolist() if is_list else ring}


def nuscenes(name="scene-0001", shift=400.0):
    f8 = {"dtype": np.float64, "column": True}
    token = "{:032x}".format
    tracks = {
        token(11): ("VEHICLE", "vehicle.bus.rigid", dict(begin=0, end=STEPS)),
        token(12): ("PEDESTRIAN", "human.pedestrian.adult", dict(begin=3, end=9)),
        token(13): ("TRAFFIC_CONE", "movable_object.trafficcone", dict(begin=0, end=1)),
        token(14): ("CYCLIST", "vehicle.motorcycle", dict(begin=5, end=STEPS)),
    }
    made = {
        one: track(one, kind, category, **f8, x=shift + 5 * i, y=300 + i, **span)
        for i, (one, (kind, category, span)) in enumerate(tracks.items())
    }
    ego = dict(x=shift, y=298.0, begin=0, end=STEPS, size=(1.73, 4.08, 1.56))
    made["ego"] = track("ego", "VEHICLE", "vehicle.car", **f8, **ego)
    return {
        "id": name,
        "version": "nuscenesv1.0-mini",
        "length": STEPS,
        "metadata": {
            "dataset": "nuscenes",
            "map": "singapore-onenorth",
            "date": "2018-07-24",
            "coordinate": "right-handed",
            "scenario_token": token(1),
            "ts": TIMES,
            "sdc_id": "ego",
            "number_summary": {"object_types": {"VEHICLE", "CYCLIST"}},
        },
        "tracks": made,
        "dynamic_map_states": {},
        "map_features": {
            token(21): lane(shift, 298, 0.2, 20, True, 3.5),
            token(22): lane(
                shift + 20 * np.cos(0.2), 298 + 20 * np.sin(0.2), 0.2, 10, True
            ),
            token(23): lane(shift, 310, -1.0, 12, False, 3.0),
            "boundary_0": {
                "type": "ROAD_LINE_SOLID_SINGLE_WHITE",
                "polyline": np.array([[shift, 290.0], [shift + 9, 291.0]]),
            },
        },
    }


def waymo(name="eb00000000000001", shift=8300.0):
    f4 = {"dtype": np.float32, "column": False}
    made = {
        "7": ("VEHICLE", dict(begin=0, end=STEPS)),
        "8": ("PEDESTRIAN", dict(begin=2, end=9)),
        "51": ("VEHICLE", dict(begin=0, end=STEPS)),
        "9": ("CYCLIST", dict(begin=4, end=15)),
    }
    tracks = {
        one: track(one, kind, kind, **f4, x=shift + 5 * i, y=900.0 + i, **span)
        for i, (one, (kind, span)) in enumerate(made.items())
    }
    tracks["9"]["state"]["valid"][7:9] = False  # a gap
    states = ["LANE_STATE_STOP"] * 8 + [None] * 4 + ["LANE_STATE_GO"] * (STEPS - 12)

    def line(x, y, points=12):
        along = np.arange(points, dtype=np.float32)
        return np.stack([x + along * 2, along * 0 + y, along * 0 + 1], 1)

    def side(kind, feature):
        return [
            {
                "lane_start_index": "0",
                "lane_end_index": "9",
                "boundary_type": kind,
                "boundary_feature_id": feature,
            }
        ]

    counts = defaultdict(int)
    counts["VEHICLE"] += 2
    return {
        "id": name,
        "version": "v1.2",
        "length": STEPS,
        "tracks": tracks,
        "dynamic_map_states": {
            "1": {
                "type": "TRAFFIC_LIGHT",
                "state": {"object_state": states},
                "lane": 1,
                "stop_point": np.array([shift + 18, 900, 1], np.float32),
                "metadata": {"object_id": "1"},
            }
        },
        "map_features": {
            "1": {
                "type": "LANE_FREEWAY",
                "polyline": line(shift, 900, 10),
                "interpolating": False,
                "entry_lanes": [],
                "exit_lanes": [2],
                "left_boundaries": side("ROAD_LINE_BROKEN_SINGLE_WHITE", "3"),
                "right_boundaries": side("UNKNOWN", "4"),
                "left_neighbor": [],
                "right_neighbor": [],
                "speed_limit_mph": 65.0,
            },
            "2": {
                "type": "LANE_SURFACE_STREET",
                "polyline": line(shift + 18, 900, 6),
                "interpolating": True,
                "exit_lanes": [],
            },
            "3": {
                "type": "ROAD_LINE_BROKEN_SINGLE_WHITE",
                "polyline": line(shift - 2, 902),
            },
            "4": {"type": "ROAD_EDGE_BOUNDARY", "polyline": line(shift - 2, 898)},
            "5": {"type": "CROSSWALK", "polygon": line(shift + 4, 903, 4)},
        },
        "metadata": {
            "id": name,
            "coordinate": "waymo",
            "ts": TIMES.astype(np.float32),
            "sdc_id": "51",
            "dataset": "waymo",
            "scenario_id": name,
            "source_file": "training_20s.tfrecord-00000-of-01000",
            "current_time_index": 10,
            "objects_of_interest": ["7"],
            "tracks_to_predict": {
                "7": {"track_index": 0, "track_id": "7", "difficulty": 1},
                "8": {"track_index": 1, "track_id": "8", "difficulty": 0},
            },
            "number_summary": {"num_objects_each_type": counts},
        },
    }


def write(path, scenario, protocol=4):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(scenario, protocol))
    return path
