"""Made-up logs and maps of nuPlan, with the tables of nuplan-devkit's generator
(database/nuplan_db/test/minimal_db_test_utils.py) and the layers of its maps."""

from __future__ import annotations

import math
import random
import sqlite3
import struct
from dataclasses import dataclass
from pathlib import Path

CATEGORIES = (
    "vehicle",
    "bicycle",
    "pedestrian",
    "traffic_cone",
    "barrier",
    "czone_sign",
    "generic_object",
)
STATES = ("green", "red", "yellow", "unknown")
#: Las Vegas, zone 11.
EPSG, ORIGIN = 32611, (664432.0, 3998249.0)

SCHEMA = """
CREATE TABLE log (token BLOB NOT NULL, vehicle_name VARCHAR(64), date VARCHAR(64),
  timestamp INTEGER, logfile VARCHAR(64), location VARCHAR(64), map_version VARCHAR(64),
  PRIMARY KEY (token));
CREATE TABLE lidar (token BLOB NOT NULL, log_token BLOB, channel VARCHAR(64),
  model VARCHAR(64), translation BLOB, rotation BLOB, PRIMARY KEY (token));
CREATE TABLE lidar_pc (token BLOB NOT NULL, next_token BLOB, prev_token BLOB,
  ego_pose_token BLOB, lidar_token BLOB, scene_token BLOB, filename VARCHAR(128),
  timestamp INTEGER, PRIMARY KEY (token));
CREATE TABLE ego_pose (token BLOB NOT NULL, timestamp INTEGER, x FLOAT, y FLOAT, z FLOAT,
  qw FLOAT, qx FLOAT, qy FLOAT, qz FLOAT, vx FLOAT, vy FLOAT, vz FLOAT,
  acceleration_x FLOAT, acceleration_y FLOAT, acceleration_z FLOAT, angular_rate_x FLOAT,
  angular_rate_y FLOAT, angular_rate_z FLOAT, epsg INTEGER, log_token BLOB,
  PRIMARY KEY (token));
CREATE TABLE lidar_box (token BLOB NOT NULL, lidar_pc_token BLOB, track_token BLOB,
  next_token BLOB, prev_token BLOB, x FLOAT, y FLOAT, z FLOAT, width FLOAT, length FLOAT,
  height FLOAT, vx FLOAT, vy FLOAT, vz FLOAT, yaw FLOAT, confidence FLOAT,
  PRIMARY KEY (token));
CREATE TABLE track (token BLOB NOT NULL, category_token BLOB, width FLOAT, length FLOAT,
  height FLOAT, PRIMARY KEY (token));
CREATE TABLE category (token BLOB NOT NULL, name VARCHAR(64), description TEXT,
  PRIMARY KEY (token));
CREATE TABLE scene (token BLOB NOT NULL, log_token BLOB, name TEXT,
  goal_ego_pose_token BLOB, roadblock_ids TEXT, PRIMARY KEY (token));
CREATE TABLE scenario_tag (token BLOB NOT NULL, lidar_pc_token BLOB, type TEXT,
  agent_track_token BLOB, PRIMARY KEY (token));
CREATE TABLE traffic_light_status (token BLOB NOT NULL, lidar_pc_token BLOB,
  lane_connector_id INTEGER, status VARCHAR(8), PRIMARY KEY (token));
"""


@dataclass
class Log:
    """What a log has."""

    scenes: int = 3
    sweeps: int = 20  #: of a scene
    boxes: int = 6  #: of a sweep
    lights: int = 4
    interval_us: int = 50_000
    indexed: bool = False
    ordered: bool = True
    location: str = "us-nv-las-vegas-strip"
    page_size: int = 4096


def make_log(path: Path, log: Log | None = None, seed: int = 1) -> Path:
    """Writes a log."""
    log = log or Log()
    random_ = random.Random(seed)

    def token() -> bytes:
        return random_.randbytes(8)

    database = sqlite3.connect(path)
    database.execute(f"PRAGMA page_size = {log.page_size}")
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.executescript(SCHEMA)
    if log.indexed:
        for table in ("lidar_box", "traffic_light_status", "scenario_tag"):
            database.execute(f"CREATE INDEX {table}_pc ON {table} (lidar_pc_token)")

    def insert(table: str, rows: list[tuple]) -> None:
        if not log.ordered:
            random_.shuffle(rows)
        if not rows:
            return
        marks = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    log_token, lidar = token(), token()
    insert("log", [(log_token, "veh-1", "2021-05-12", 1, "made-up", log.location, "v1")])
    insert("lidar", [(lidar, log_token, "MergedPointCloud", "m", b"\x80pickle", b"")])
    categories = [(token(), name, name) for name in CATEGORIES]
    insert("category", categories)
    tracks = [(token(), categories[i % 7][0], 2, 4, 1.5) for i in range(log.boxes)]
    insert("track", list(tracks))
    poses, sweeps, boxes, lights, tags, scenes = [], [], [], [], [], []
    for s in range(log.scenes):
        scene = token()
        scenes.append((scene, log_token, f"scene-{s:04d}", token(), "12 13 14"))
        for i in range(log.sweeps):
            at = s * log.sweeps + i
            time = 1_620_000_000_000_000 + at * log.interval_us
            angle = at * 0.01
            x, y = ORIGIN[0] + 200 * math.sin(angle), ORIGIN[1] + 200 * math.cos(angle)
            for k in range(5):  # 100 Hz
                pose = (
                    token(),
                    time + 1234 + k * log.interval_us // 5,
                    x + k * 0.1,
                    y,
                    600,
                )
                turn = (math.cos(angle / 2), 0, 0, -math.sin(angle / 2))
                poses.append((*pose, *turn, 5, 0, *[0] * 7, EPSG, log_token))
            sweep = token()
            ego = poses[-5][0]
            sweeps.append((sweep, None, None, ego, lidar, scene, f"{at}.pcd", time))
            for k, track in enumerate(tracks):
                if (at + k) % 11 == 0:
                    continue  # not seen
                size = (2, 4 + k / 8, 1.5)
                place = (x + 5 * k, y - k, 601.5)
                motion = (k, -0.5, 0, (angle + k) % 3)
                boxes.append(
                    (token(), sweep, track[0], None, None, *place, *size, *motion, 1)
                )
            for k in range(log.lights):
                lights.append((token(), sweep, 100 + k, STATES[(at // 7 + k) % 4]))
            if i % 5 == 0:
                tags.append((token(), sweep, "on_intersection", None))
            if i % 7 == 3 and tracks:
                tags.append((token(), sweep, "following_lane_with_lead", tracks[0][0]))
    insert("scene", scenes)
    insert("lidar_pc", sweeps)
    insert("ego_pose", poses)
    insert("lidar_box", boxes)
    insert("traffic_light_status", lights)
    insert("scenario_tag", tags)
    database.commit()
    database.close()
    return path


def geometry(lines: list[list[tuple[float, float]]], srs: int, polygon: bool) -> bytes:
    """Returns a GeoPackage's geometry with an envelope."""
    xs = [x for line in lines for x, _ in line]
    ys = [y for line in lines for _, y in line]
    head = b"GP\x00\x03" + struct.pack("<i4d", srs, min(xs), max(xs), min(ys), max(ys))

    def points(line: list[tuple[float, float]]) -> bytes:
        return struct.pack("<I", len(line)) + b"".join(struct.pack("<2d", *p) for p in line)

    if polygon:
        body = struct.pack("<BII", 1, 3, len(lines)) + b"".join(map(points, lines))
    else:
        body = struct.pack("<BI", 1, 2) + points(lines[0])
    return head + body


def make_map(path: Path) -> Path:
    """Writes a map in metres: two lanes side by side, a connector from the right one to a
    third lane, a crosswalk and a stop polygon."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.executescript("""
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER NOT NULL PRIMARY KEY,
  organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT,
  geometry_type_name TEXT, srs_id INTEGER, z TINYINT, m TINYINT);
CREATE TABLE boundaries (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB,
  boundary_type_fid INTEGER);
CREATE TABLE baseline_paths (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB,
  lane_fid REAL, lane_connector_fid TEXT);
CREATE TABLE lanes_polygons (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB,
  lane_group_fid INTEGER, lane_index INTEGER, left_boundary_fid INTEGER,
  right_boundary_fid INTEGER, speed_limit_mps REAL);
CREATE TABLE lane_connectors (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB,
  exit_lane_fid INTEGER, entry_lane_fid INTEGER, traffic_light_stop_line_fids TEXT);
CREATE TABLE gen_lane_connectors_scaled_width_polygons (fid INTEGER PRIMARY KEY, geom BLOB,
  lane_connector_fid INTEGER, left_boundary_fid INTEGER, right_boundary_fid INTEGER);
CREATE TABLE crosswalks (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB);
CREATE TABLE stop_polygons (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB,
  stop_polygon_type_fid INTEGER);
""")
    x, y = ORIGIN

    def line(*points: tuple[float, float]) -> bytes:
        return geometry([[(x + a, y + b) for a, b in points]], EPSG, False)

    def area(*points: tuple[float, float]) -> bytes:
        ring = [(x + a, y + b) for a, b in points]
        return geometry([[*ring, ring[0]]], EPSG, True)

    def insert(table: str, *rows: tuple) -> None:
        for row in rows:
            marks = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO {table} VALUES ({marks})", row)

    insert("gpkg_spatial_ref_sys", ("WGS 84 / UTM 11N", EPSG, "EPSG", EPSG, ""))
    for table in ("boundaries", "baseline_paths", "crosswalks", "stop_polygons"):
        insert("gpkg_geometry_columns", (table, "geom", "GEOMETRY", EPSG, 0, 0))
    insert(
        "boundaries",
        (1, line((0, 7), (50, 7)), 2),
        (2, line((50, 3.5), (0, 3.5)), 0),  # against the lanes
        (3, line((0, 0), (50, 0)), 2),
        (4, line((50, 3.5), (80, 3.5)), 3),
    )
    insert(
        "baseline_paths",
        (1, line((0, 5.25), (50, 5.25)), 10.0, None),
        (2, line((0, 1.75), (50, 1.75)), 11.0, "nan"),
        (3, line((50, 1.75), (80, 1.75)), float("nan"), "100"),
        (4, line((80, 1.75), (130, 1.75)), 12.0, None),
        (5, line((90_000, 0), (90_050, 0)), 13.0, None),  # far away
    )
    insert(
        "lanes_polygons",
        (10, None, 7, 0, 1, 2, 11.2),
        (11, None, 7, 1, 2, 3, 11.2),
        (12, None, 8, 0, 98, 99, None),  # boundaries that are absent
        (13, None, 9, 0, None, None, None),
    )
    insert("lane_connectors", (100, None, 11, 12, "5"))
    insert("gen_lane_connectors_scaled_width_polygons", (1, None, 100, 4, 99))
    insert("crosswalks", (5, area((60, -3), (64, -3), (64, 10), (60, 10))))
    insert("stop_polygons", (6, area((48, 0), (50, 0), (50, 3), (48, 3)), 2))
    database.commit()
    database.close()
    return path
