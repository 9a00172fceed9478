"""Made-up versions of nuScenes: tables and fields of nuscenes-devkit's schema
(docs/schema_nuscenes.md), and maps of its expansion, with content of our own."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path

CATEGORIES = (
    "vehicle.car",
    "vehicle.bicycle",
    "human.pedestrian.adult",
    "movable_object.trafficcone",
)
ATTRIBUTES = ("vehicle.moving", "cycle.with_rider", "pedestrian.moving")
CHANNELS = ("CAM_FRONT", "LIDAR_TOP")
#: Microseconds of the first key frame.
START = 1_532_402_927_000_000


@dataclass
class Version:
    """What a version has."""

    scenes: int = 3
    samples: int = 8  #: key frames of a scene
    boxes: int = 6  #: instances of a scene
    locations: tuple[str, ...] = ("boston-seaport",)  #: of the scenes, in turn


def token(*of: object) -> str:
    return hashlib.md5("/".join(map(str, of)).encode()).hexdigest()


def quaternion(yaw: float) -> list[float]:
    return [math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)]


def chain(rows: list[dict]) -> list[dict]:
    """Links records of one thing."""
    for i, row in enumerate(rows):
        row["prev"] = rows[i - 1]["token"] if i > 0 else ""
        row["next"] = rows[i + 1]["token"] if i + 1 < len(rows) else ""
    return rows


def tables(of: Version | None = None) -> dict[str, list[dict]]:
    """Returns the tables by name."""
    of = of or Version()
    out: dict[str, list[dict]] = {
        "category": [{"token": token(one), "name": one} for one in CATEGORIES],
        "attribute": [{"token": token(one), "name": one} for one in ATTRIBUTES],
        "visibility": [{"token": "4", "level": "v80-100"}],
        "sensor": [{"token": token(one), "channel": one} for one in CHANNELS],
        "map": [],
    }
    for name in (
        "calibrated_sensor log scene sample instance sample_data ego_pose sample_annotation"
    ).split():
        out[name] = []
    for s in range(of.scenes):
        log, scene = token("log", s), token("scene", s)
        location = of.locations[s % len(of.locations)]
        out["log"].append(
            {"token": log, "vehicle": "n015", "date_captured": "2018-07-24"}
            | {"logfile": f"made-up-{s}", "location": location}
        )
        for channel in CHANNELS:
            out["calibrated_sensor"].append(
                {"token": token("calibrated", s, channel), "sensor_token": token(channel)}
                | {"translation": [0.9, 0, 1.8], "rotation": quaternion(0)}
                | {"camera_intrinsic": []}
            )
        samples = chain([_sample(s, i) for i in range(of.samples)])
        out["sample"] += samples
        out["scene"].append(
            {"token": scene, "log_token": log, "nbr_samples": of.samples}
            | {"first_sample_token": samples[0]["token"]}
            | {"last_sample_token": samples[-1]["token"]}
            | {"name": f"scene-{9000 + s}", "description": 'made up, "quoted" \u00e9'}
        )
        for i, sample in enumerate(samples):
            _add_data(out, s, i, sample)
        for k in range(of.boxes):
            _add_instance(out, s, k, samples)
    return out


def _sample(s: int, i: int) -> dict:
    time = START + s * 60_000_000 + i * 500_000 + i * 7919 % 13_000
    return {"token": token("sample", s, i), "timestamp": time} | {
        "scene_token": token("scene", s)
    }


def _add_data(out: dict[str, list[dict]], s: int, i: int, sample: dict) -> None:
    """Adds a key frame and a sweep of each sensor, with a pose each."""
    for channel in CHANNELS:
        for is_key in (True, False):
            name = token("data", s, i, channel, is_key)
            time = sample["timestamp"] + (0 if is_key else 50_000)
            out["sample_data"].append(
                {"token": name, "sample_token": sample["token"], "ego_pose_token": name}
                | {"calibrated_sensor_token": token("calibrated", s, channel)}
                | {"timestamp": time, "fileformat": "pcd", "is_key_frame": is_key}
                | {"height": 0, "width": 0, "filename": "x", "prev": "", "next": ""}
            )
            x = 402.0 + 2.25 * i + s + (0 if channel == "LIDAR_TOP" else 0.1)
            out["ego_pose"].append(
                {"token": name, "timestamp": time, "rotation": quaternion(0.01 * i)}
                | {"translation": [x + (0 if is_key else 0.2), 1100.5 + 0.01 * i, 0.0]}
            )


def _add_instance(out: dict[str, list[dict]], s: int, k: int, samples: list[dict]) -> None:
    instance = token("instance", s, k)
    seen = [(i, one) for i, one in enumerate(samples) if (i + k) % 7 != 3]
    rows = [
        {"token": token("box", s, k, i), "sample_token": sample["token"]}
        | {"instance_token": instance, "visibility_token": "4"}
        | {"attribute_tokens": [token(ATTRIBUTES[k % 4])] if k % 4 < 3 else []}
        | {"translation": [405 + k + (0.5 + k / 4) * i, 1095 + 2.125 * k, 0.75 + k]}
        | {"size": [1.75 + k / 8, 4.25 + k / 4, 1.5]}
        | {"rotation": quaternion(0.1 * k + 0.02 * i)}
        | {"num_lidar_pts": 5, "num_radar_pts": 0}
        for i, sample in seen
    ]
    out["sample_annotation"] += chain(rows)
    out["instance"].append(
        {"token": instance, "category_token": token(CATEGORIES[k % 4])}
        | {"nbr_annotations": len(rows)}
        | {"first_annotation_token": rows[0]["token"]}
        | {"last_annotation_token": rows[-1]["token"]}
    )


def prediction(of: Version | None = None) -> dict[str, list[str]]:
    """Returns prediction_scenes.json: boxes of the first two instances."""
    of = of or Version()
    return {
        f"scene-{9000 + s}": [
            f"{token('instance', s, k)}_{token('sample', s, i)}"
            for k in range(min(2, of.boxes))
            for i in range(of.samples)
            if (i + k) % 7 != 3 and i > 1
        ]
        for s in range(of.scenes)
    } | {"scene-0001": ["x_y"]}


def expansion(location: str) -> dict:
    """Returns a map: lane A leads by connector B to lane C; a crossing and a light."""
    out: dict = {"version": "1.3", "canvas_edge": [3000, 2000], "node": [], "polygon": []}

    def name(*of: object) -> str:
        return token(location, *of)

    def polygon(of: str, points: list[tuple[float, float]]) -> str:
        nodes = [name(of, i) for i in range(len(points))]
        for one, (x, y) in zip(nodes, points, strict=True):
            out["node"].append({"token": one, "x": x, "y": y})
        out["polygon"].append(
            {"token": name("polygon", of), "exterior_node_tokens": nodes, "holes": []}
        )
        return name("polygon", of)

    def path(start: list[float], lengths: list[float]) -> list[dict]:
        return [
            {"start_pose": start, "end_pose": [0, 0, 0], "shape": "LSL", "radius": 10.0}
            | {"segment_length": lengths}
        ]

    a = polygon("A", [(400, 1098), (420, 1098), (420, 1102), (400, 1102)])
    c = polygon("C", [(432, 1110), (432, 1130), (428, 1130), (428, 1110)])
    x = polygon("X", [(421, 1098), (424, 1098), (424, 1102), (421, 1102)])
    out["lane"] = [
        {"token": name("A"), "polygon_token": a, "lane_type": "CAR"},
        {"token": name("C"), "polygon_token": c, "lane_type": "CAR"},
    ]
    out["lane_connector"] = [{"token": name("B")}]
    out["arcline_path_3"] = {
        name("A"): path([400, 1100, 0], [0, 20, 0]),
        name("B"): path([420, 1100, 0], [10 * math.pi / 2, 0, 0]),
        name("C"): path([430, 1110, math.pi / 2], [0, 20, 0]),
    }
    out["connectivity"] = {
        name("A"): {"incoming": [], "outgoing": [name("B")]},
        name("B"): {"incoming": [name("A")], "outgoing": [name("C")]},
    }
    out["ped_crossing"] = [{"token": name("X"), "polygon_token": x}]
    out["traffic_light"] = [
        {"token": name("T"), "pose": {"tx": 425.0, "ty": 1095.0, "tz": 3.0}}
        | {"items": [{"color": "RED"}, {"color": "GREEN"}]}
    ]
    return out


def write(
    root: Path, of: Version | None = None, changed: dict[str, list[dict]] | None = None
) -> Path:
    """Writes a version and the maps beside it, as they are unpacked. Returns its folder."""
    of = of or Version()

    def put(path: Path, content: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1))

    for name, rows in (changed or tables(of)).items():
        put(root / "v1.0-mini" / f"{name}.json", rows)
    put(root / "maps/prediction/prediction_scenes.json", prediction(of))
    for location in of.locations:
        put(root / "maps/expansion" / f"{location}.json", expansion(location))
    return root / "v1.0-mini"
