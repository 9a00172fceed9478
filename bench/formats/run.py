"""Scenarios of other data sets that one core reads per second: tracks and lights, without
maps, from files that are in the system's cache.

Usage: python run.py FOLDER, with the interpreter that has bevscope and pyarrow. FOLDER
keeps the made-up files. Of ScenarioNet, BEV_SCENARIONET names a folder of published
pickles instead. Peers are Python's pickle, with which ScenarioNet's read_scenario() reads,
and the SQL of nuplan-devkit's nuplan_scenario_queries.py. Readers take turns, after their
results are compared; times are processor time.
"""

import os
import pickle
import sqlite3
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/python/interop"))

import argoverse2_city
import nuplan_files
import nuscenes_files
import scenarionet_files
import waymo_files

import bevscope
from bevscope import _core
from bevscope._convert import argoverse2, nuplan, scenarionet, waymo

ROUNDS = 5
#: Scenarios of each format, and tracks of each.
COUNT, TRACKS = 20, 60

BOXES = """
SELECT c.name AS category_name, lb.x, lb.y, lb.z, lb.yaw, lb.width, lb.length, lb.height,
  lb.vx, lb.vy, lb.token, lb.track_token, lp.timestamp
FROM lidar_box AS lb
INNER JOIN track AS t ON t.token = lb.track_token
INNER JOIN category AS c ON c.token = t.category_token
INNER JOIN lidar_pc AS lp ON lp.token = lb.lidar_pc_token
WHERE lp.token = ?
"""
EGO = """
SELECT ep.x, ep.y, ep.qw, ep.qx, ep.qy, ep.qz, lp.timestamp, ep.vx, ep.vy,
  ep.acceleration_x, ep.acceleration_y
FROM ego_pose AS ep INNER JOIN lidar_pc AS lp ON lp.ego_pose_token = ep.token
WHERE lp.token = ?
"""
LIGHTS = """
SELECT CASE WHEN tl.status == "green" THEN 0 WHEN tl.status == "yellow" THEN 1
  WHEN tl.status == "red" THEN 2 ELSE 3 END AS status, tl.lane_connector_id,
  lp.timestamp AS timestamp
FROM lidar_pc AS lp INNER JOIN traffic_light_status AS tl ON lp.token = tl.lidar_pc_token
WHERE lp.token = ?
"""


def make(folder):
    """Writes the files once; returns the folder of ScenarioNet's pickles."""
    published = os.environ.get("BEV_SCENARIONET")
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        log = nuplan_files.Log(COUNT, 400, TRACKS, indexed=True)
        (folder / "log.db").unlink(missing_ok=True)
        nuplan_files.make_log(folder / "log.db", log)
        version = nuscenes_files.Version(scenes=COUNT, samples=40, boxes=TRACKS)
        nuscenes_files.write(folder / "nuscenes", version)
        make_waymo(folder / "waymo.tfrecord")
        if not (folder / "argoverse2").exists():
            (folder / "argoverse2").mkdir()
            argoverse2_city.write(folder / "argoverse2", COUNT, COUNT)
        make_scenarionet(folder / "scenarionet")
        (folder / "done").touch()
    return Path(published) if published else folder / "scenarionet"


def make_waymo(path):
    waymo_files.STEPS = 91
    scenarios = []
    for k in range(COUNT):
        one = waymo_files.scenario(f"s{k}", 100.0 * k)
        one["tracks"] += [
            waymo_files.track(100 + i, 1 + i % 3, 100.0 * k + i, i, range(91))
            for i in range(TRACKS)
        ]
        one["dynamic_map_states"] = [one["dynamic_map_states"][0]] * 91
        scenarios.append(one)
    waymo_files.write(path, *scenarios)


def make_scenarionet(folder):
    scenarionet_files.STEPS, scenarionet_files.TIMES = 200, np.arange(200) / 10
    for k in range(COUNT):
        one = scenarionet_files.nuscenes(f"scene-{k:04d}")
        for i in range(TRACKS):
            about = {"dtype": np.float64, "column": True, "begin": 0, "end": 200}
            place = {"x": 400.0 + i, "y": 300.0 + i}
            name = f"{i + 100:032x}"
            one["tracks"][name] = scenarionet_files.track(
                name, "VEHICLE", "vehicle.car", **about, **place
            )
        path = folder / f"sd_nuscenes_v1.0-mini_scene-{k:04d}.pkl"
        scenarionet_files.write(path, one)


def unpickled(paths):
    """Returns frames and states, other than the ego vehicle's, as ScenarioNet reads."""
    frames = states = 0
    for path in paths:
        with open(path, "rb") as file:
            scenario = pickle.load(file)
        frames += scenario["length"]
        ego = scenario["metadata"]["sdc_id"]
        states += sum(
            int(np.count_nonzero(track["state"]["valid"]))
            for name, track in scenario["tracks"].items()
            if name != ego
        )
    return frames, states


def queried(path):
    """Returns frames and boxes of a log's scenes at 10 Hz, as nuplan-devkit queries."""
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    frames = boxes = 0
    order = "SELECT token, scene_token FROM lidar_pc ORDER BY scene_token, timestamp"
    place, before = 0, None
    for token, scene in database.execute(order).fetchall():
        place = place + 1 if scene == before else 0
        before = scene
        if place % 2:
            continue
        frames += 1
        database.execute(EGO, (token,)).fetchone()
        boxes += len(database.execute(BOXES, (token,)).fetchall())
        database.execute(LIGHTS, (token,)).fetchall()
    database.close()
    return frames, boxes


def counted(scenarios):
    """Returns frames and agents."""
    found = [(one.frame_count, one.agent_count) for one in scenarios]
    return tuple(map(sum, zip(*found, strict=True)))


def check_centroids(path):
    """Compares the first frame's centroids of a log with SQL."""
    dataset = bevscope.open(path)
    move = dataset.attrs["bevscope"]["scenes"][0]["moved_by"]
    begin, end = dataset.frames[0:1]["agent_index_interval"][0]
    found = np.sort(dataset.agents[int(begin) : int(end)]["centroid"] - move, axis=0)
    database = sqlite3.connect(path)
    first = "SELECT token FROM lidar_pc ORDER BY timestamp LIMIT 1"
    (token,) = database.execute(first).fetchone()
    rows = database.execute(BOXES, (token,)).fetchall()
    expected = np.sort(np.array([row[1:3] for row in rows]), axis=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def readers(folder, pickles):
    """Returns by format the number of scenarios, bevscope's reader, a peer's and its
    name. Readers return frames and agents."""
    log, records = str(folder / "log.db"), str(folder / "waymo.tfrecord")
    version = str(folder / "nuscenes/v1.0-mini")
    of_scenarionet = _core.ScenarionetImporter("")
    of_waymo, of_argoverse2 = _core.WaymoImporter(""), _core.Argoverse2Importer("")

    def read_log():
        logs = nuplan.Logs("", None, False)
        return counted(logs.read(one, False, None) for one in logs.scenes(log))

    def read_version():
        versions = _core.NuscenesVersions([version], "", "")
        return counted(versions.read(0, i, False) for i in range(versions.scene_count(0)))

    def read_pickles():
        return counted(scenarionet.read(of_scenarionet, p, False, None) for p in pickles)

    def read_waymo():
        found = waymo.find_records(records)
        return counted(waymo.read(of_waymo, one, False, None) for one in found)

    def read_argoverse2():
        found = argoverse2.find([folder / "argoverse2"])
        return counted(argoverse2.read(of_argoverse2, one, False) for one in found)

    return {
        "ScenarioNet": (len(pickles), read_pickles, lambda: unpickled(pickles), "pickle"),
        "nuPlan": (COUNT, read_log, lambda: queried(log), "SQL"),
        "nuScenes": (COUNT, read_version, None, ""),
        "Waymo": (COUNT, read_waymo, None, ""),
        "Argoverse 2": (COUNT, read_argoverse2, None, ""),
    }


def timed(read):
    begin = time.process_time()
    read()
    return time.process_time() - begin


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    folder = Path(sys.argv[1])
    os.environ["XDG_CACHE_HOME"] = str(folder / "caches")
    source = make(folder)
    found = sorted(str(path) for path in source.glob("**/*.pkl"))
    pickles = [path for path in found if not Path(path).name.startswith("dataset_")]
    check_centroids(folder / "log.db")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{'':<12} {'agents':>8} {'bevscope':>9} {'peer':>9}  ratio")
    for name, (count, ours, peer, what) in readers(folder, pickles).items():
        frames, agents = ours()
        if peer:
            assert (frames, agents) == peer(), f"{name}: {(frames, agents)} != {peer()}"
        assert frames > 0 and agents > frames
        turns = [(timed(ours), timed(peer) if peer else 0.0) for _ in range(ROUNDS)]
        rate = count / statistics.median(a for a, _ in turns)
        line = f"{name:<12} {agents / count:8.0f} {rate:9.1f}"
        if peer:
            ratio = statistics.median(b / a for a, b in turns)
            line += f" {count / statistics.median(b for _, b in turns):9.1f}"
            line += f"  {ratio:.2f}x {what}"
        print(line)
    print("scenarios/s a core; agents of a scenario")


main()
