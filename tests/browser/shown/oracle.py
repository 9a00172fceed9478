"""Values that the viewer displays, computed from the files alone, as JSON on stdout.

Usage: oracle.py FRAMES GOLDENS TOWN CROWD, or oracle.py --argoverse2 FOLDER (with pyarrow)

FRAMES are places and tracks such as `single:0:80:26`, separated by commas. If GOLDENS is
empty, only towns are read. CROWD is a town of short scenes, in which pedestrians and
cyclists come close. No code of bevscope is used. Unknown numbers are null.
"""

import json
import sys
from pathlib import Path

import numpy as np
import predictions
import road_map
from records import Scene
from searches import searches


def plain(value):
    """Converts NumPy's types, and unknown numbers to null."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(one) for one in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def open_scenes(path, road):
    import zarr

    group = zarr.open(str(path), "r")
    labels, count = group.attrs["labels"], len(group["scenes"])
    return [Scene(group, k, road, labels) for k in range(count)]


FRAME = [("timestamp", "i8"), ("agent_index_interval", "i8", 2)]
FRAME += [("traffic_light_faces_index_interval", "i8", 2), ("ego_translation", "f8", 3)]
FRAME += [("ego_rotation", "f8", (3, 3))]
AGENT = [("centroid", "f8", 2), ("extent", "f4", 3), ("yaw", "f4"), ("velocity", "f4", 2)]
AGENT += [("track_id", "u8"), ("label_probabilities", "f4", 17)]
SCENE = [("frame_index_interval", "i8", 2), ("host", "U16"), ("start_time", "i8")]


def argoverse2(folder):
    """Returns what is displayed of two frames of a scenario of Argoverse 2."""
    from pyarrow import parquet

    kinds = {"vehicle": 3, "bus": 6, "riderless_bicycle": 10, "cyclist": 12}
    kinds |= {"motorcyclist": 13, "pedestrian": 14}
    rows = parquet.read_table(next(Path(folder).glob("scenario_*.parquet"))).to_pylist()
    rows.sort(key=lambda row: row["timestep"])
    steps = 1 + rows[-1]["timestep"]
    start, end = (int(rows[0][name]) for name in ("start_timestamp", "end_timestamp"))
    frames = np.zeros(steps, FRAME)
    step = (end - start) / (steps - 1)
    frames["timestamp"] = [start + round(k * step) for k in range(steps)]
    agents = np.zeros(sum(row["track_id"] != "AV" for row in rows), AGENT)
    free = iter(agents)
    for row in rows:
        at, frame = (row["position_x"], row["position_y"]), row["timestep"]
        yaw = row["heading"]
        if row["track_id"] == "AV":
            frames["ego_translation"][frame, :2] = at
            frames["ego_rotation"][frame, :2, 0] = np.cos(yaw), np.sin(yaw)
            frames["ego_rotation"][frame, :2, 1] = -np.sin(yaw), np.cos(yaw)
            frames["ego_rotation"][frame, 2, 2] = 1
            continue
        frames["agent_index_interval"][frame:, 1] += 1
        frames["agent_index_interval"][frame + 1 :, 0] += 1
        agent = next(free)
        agent["centroid"], agent["yaw"], agent["track_id"] = at, yaw, int(row["track_id"])
        agent["label_probabilities"][kinds.get(row["object_type"], 1)] = 1
    road = json.loads(next(Path(folder).glob("log_map_*.json")).read_text())
    lanes, crossings = road["lane_segments"], road["pedestrian_crossings"]
    info = np.array([((0, steps), rows[0]["city"], start)], SCENE)
    group = {"scenes": info, "frames": frames, "agents": agents, "traffic_light_faces": []}
    labels = dict.fromkeys(range(17), "") | {v: k.split("_")[-1] for k, v in kinds.items()}
    labels[3], shapes = "CAR", road_map.RoadMap(lanes, crosswalks=len(crossings))
    scene = Scene(group, 0, shapes, labels)
    name = {"scene": [f"{rows[0]['city']} · {rows[0]['scenario_id']}"]}
    return {f"argoverse2:0:{k}": scene.frame(k, []) | name for k in (0, 49)}


def recorded(scene, other, road):
    """Returns what is displayed of the goldens, beside their frames."""
    rows = np.arange(other.begin[80], other.end[80])
    of = other.agents[rows]
    on = {f"track {track}": at for track, at in zip(of["track_id"], of["centroid"])}
    on = {"ego": other.ego[80]} | on
    active, lights = other.active_faces(80), {}
    for face in other.faces[80]:
        name = str(face["face_id"])
        lights.setdefault(str(face["traffic_light_id"]), set()).add((name, name in active))
    lane = road_map.lane_record(road, "6169", lights, on)
    out = {f"track {track}" for track in of["track_id"][~other.kept[rows]]}
    here = [who for who in lane["On it now"] if who not in out]
    dropped = len(lane["On it now"]) - len(here)
    here += [f"+ {dropped} filtered out"] if dropped else []
    lane["On it now"] = here
    return {
        "tables": {"all": scene.table(), "26": other.table(26)},
        "plots": {"ego": other.plots(), "26": other.plots(26)},
        "lane": lane,
        "rollout": other.rollout(100, 0.02),
        "models": predictions.compared(other, (20, 120, 190, 230)),
    }


def main(places, goldens, town, crowd):
    road = road_map.read(f"{town}/semantic_map/semantic_map.pb")
    sets = {"town": open_scenes(f"{town}/scenes/town.zarr", road)}
    found = {"town": searches(sets["town"])}
    found["crowd"] = searches(open_scenes(f"{crowd}/scenes/town.zarr", road))
    hits = [
        [f"scene {scene.index} · frame {k}", f"agent count {count} agents"]
        + [["time ", [scene.seconds[k], 1], " s"]]
        for scene in sets["town"]
        for k, count in enumerate(scene.end - scene.begin)
        if count > 80
    ]
    found["town"].append(["frames", "agent_count > 80", hits])
    if goldens:
        inputs = Path(goldens, "inputs")
        own = road_map.read(inputs / "town_map.pb")
        for name in ("single", "multi"):
            sets[name] = open_scenes(inputs / f"{name}_scene.zarr", own)
        found |= recorded(sets["multi"][1], sets["single"][0], own)
    found["frames"] = {}
    for place in places.split(","):
        name, scene, frame, *tracks = place.split(":")
        if name in sets:
            of = sets[name][int(scene)]
            found["frames"][place] = of.frame(int(frame), [int(track) for track in tracks])
    return found


if __name__ == "__main__":
    one, *others = sys.argv[1:]
    found = argoverse2(*others) if one == "--argoverse2" else main(one, *others)
    json.dump(plain(found), sys.stdout, allow_nan=False)
