"""Readers of other programs for bench/formats. A reader returns frames and agents; one of a
package that is not installed is left out.

ScenarioNet and nuplan-devkit are not on PyPI. ScenarioNet's read_scenario() is metadrive's
(metadrive-simulator 0.4.3, which is); nuplan-devkit is read from a checkout in PYTHONPATH,
with geopandas and pyquaternion.
"""

import importlib
import pickle
import sqlite3

import numpy as np

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


def module(name):
    """Returns a module; None if it, or what it imports, is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def of_scenarionet(paths):
    def counted(read):
        frames = states = 0
        for path in paths:
            scenario = read(path)
            frames += scenario["length"]
            ego = scenario["metadata"]["sdc_id"]
            states += sum(
                int(np.count_nonzero(track["state"]["valid"]))
                for name, track in scenario["tracks"].items()
                if name != ego
            )
        return frames, states

    def unpickled(path):
        with open(path, "rb") as file:
            return pickle.load(file)

    out = {"pickle": lambda: counted(unpickled)}
    if utils := module("metadrive.scenario.utils"):
        out["metadrive"] = lambda: counted(utils.read_scenario_data)
    return out


def frame_tokens(path):
    """Returns the tokens of the frames of a log's scenes at 10 Hz."""
    database = sqlite3.connect(path)
    order = "SELECT token, scene_token FROM lidar_pc ORDER BY scene_token, timestamp"
    out, place, before = [], 0, None
    for token, scene in database.execute(order):
        place = place + 1 if scene == before else 0
        before = scene
        if place % 2 == 0:
            out.append(token)
    database.close()
    return out


def of_nuplan(path):
    def by_sql():
        tokens, boxes = frame_tokens(path), 0
        database = sqlite3.connect(path)
        database.row_factory = sqlite3.Row
        for token in tokens:
            database.execute(EGO, (token,)).fetchone()
            boxes += len(database.execute(BOXES, (token,)).fetchall())
            database.execute(LIGHTS, (token,)).fetchall()
        database.close()
        return len(tokens), boxes

    out = {"SQL of nuplan-devkit": by_sql}
    queries = module("nuplan.database.nuplan_db.nuplan_scenario_queries")
    if queries is None:
        return out

    def by_devkit():
        tokens, boxes = frame_tokens(path), 0
        for token in map(bytes.hex, tokens):
            queries.get_ego_state_for_lidarpc_token_from_db(path, token)
            objects = queries.get_tracked_objects_for_lidarpc_token_from_db(path, token)
            boxes += len(list(objects))
            list(queries.get_traffic_light_status_for_lidarpc_token_from_db(path, token))
        return len(tokens), boxes

    return out | {"nuplan-devkit": by_devkit}


def of_commonroad(paths):
    reader = module("commonroad.common.file_reader")
    if reader is None:
        return {}

    def read():
        frames = agents = 0
        for path in paths:
            scenario, _ = reader.CommonRoadFileReader(path).open()
            moving = [
                1 + len(one.prediction.trajectory.state_list)
                for one in scenario.dynamic_obstacles
            ]
            frames += max(moving)
            agents += sum(moving) + max(moving) * len(scenario.static_obstacles)
        return frames, agents

    return {"commonroad-io": read}
