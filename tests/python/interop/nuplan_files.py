"""Made-up logs and maps of nuPlan, with the tables of nuplan-devkit's generator
(database/nuplan_db/test/minimal_db_test_utils.py) and the layers of its maps.

Usage: python nuplan_files.py LOG.db [--scenes N] [--sweeps N] [--boxes N] [--indexed]
[--shuffled]. 100 scenes of 400 sweeps with 170 boxes take 0.8 GB."""

from __future__ import annotations

import argparse
import math
import random
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
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

#: Boxes are most of a log: SQLite makes them. Tokens are a permutation of their numbers.
BOXES = """
INSERT INTO lidar_box
SELECT CAST(printf('%08x', (s.at * (SELECT count(*) FROM temp.seen) + t.k) * 2654435761
    % 4294967296) AS BLOB), s.token, t.token, NULL, NULL,
  s.x + 5 * t.k, s.y - t.k, 601.5, 2, 4 + t.k / 8.0, 1.5, t.k, -0.5, 0,
  s.angle + t.k - 3 * CAST((s.angle + t.k) / 3 AS INTEGER), 1
FROM temp.sweep AS s CROSS JOIN temp.seen AS t WHERE (s.at + t.k) % 11 != 0
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
    """Writes a log, table by table; the memory does not depend on its size unless rows
    are shuffled."""
    log = log or Log()

    def token(kind: str, *place: int) -> bytes:
        return blake2b(f"{seed} {kind} {place}".encode(), digest_size=8).digest()

    database = sqlite3.connect(path)
    database.execute(f"PRAGMA page_size = {log.page_size}")
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -400000")  # kB
    database.executescript(SCHEMA)
    database.execute("CREATE TEMP TABLE sweep (at, token, x, y, angle)")
    database.execute("CREATE TEMP TABLE seen (k, token)")

    def insert(table: str, rows: Iterable[tuple]) -> None:
        if not log.ordered:
            rows = list(rows)
            random.Random(seed).shuffle(rows)
        columns = database.execute(f"PRAGMA table_info({table})").fetchall()
        marks = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    log_token, lidar = token("log"), token("lidar")
    insert("log", [(log_token, "veh-1", "2021-05-12", 1, "made-up", log.location, "v1")])
    insert("lidar", [(lidar, log_token, "MergedPointCloud", "m", b"\x80pickle", b"")])
    insert("category", [(token("category", i), n, n) for i, n in enumerate(CATEGORIES)])
    tracks = [token("track", i) for i in range(log.boxes)]
    kinds = [token("category", i % len(CATEGORIES)) for i in range(log.boxes)]
    insert(
        "track", [(one, kind, 2, 4, 1.5) for one, kind in zip(tracks, kinds, strict=True)]
    )
    insert(
        "scene",
        (
            (token("scene", s), log_token, f"scene-{s:04d}", token("goal", s), "12 13 14")
            for s in range(log.scenes)
        ),
    )
    count = log.scenes * log.sweeps
    times = [1_620_000_000_000_000 + at * log.interval_us for at in range(count)]
    angles = [at * 0.01 for at in range(count)]
    places = [
        (ORIGIN[0] + 200 * math.sin(angle), ORIGIN[1] + 200 * math.cos(angle))
        for angle in angles
    ]
    sweeps = [token("sweep", at) for at in range(count)]
    insert(
        "lidar_pc",
        (
            (
                *(sweeps[at], None, None, token("pose", at, 0), lidar),
                *(token("scene", at // log.sweeps), f"{at}.pcd", times[at]),
            )
            for at in range(count)
        ),
    )

    def poses() -> Iterator[tuple]:
        for at in range(count):
            x, y = places[at]
            turn = (math.cos(angles[at] / 2), 0, 0, -math.sin(angles[at] / 2))
            for k in range(5):  # 100 Hz
                time = times[at] + 1234 + k * log.interval_us // 5
                pose = (token("pose", at, k), time, x + k * 0.1, y, 600)
                yield (*pose, *turn, 5, 0, *[0] * 7, EPSG, log_token)

    def lights() -> Iterator[tuple]:
        for at in range(count):
            for k in range(log.lights):
                state = STATES[(at // 7 + k) % 4]
                yield token("light", at, k), sweeps[at], 100 + k, state

    def tags() -> Iterator[tuple]:
        for at in range(count):
            i = at % log.sweeps
            if i % 5 == 0:
                yield token("tag", at, 0), sweeps[at], "on_intersection", None
            if i % 7 == 3 and tracks:
                yield token("tag", at, 1), sweeps[at], "following_lane_with_lead", tracks[0]

    insert("ego_pose", poses())
    places_of_boxes = zip(sweeps, places, angles, strict=True)
    rows = (
        (at, one, *place, angle) for at, (one, place, angle) in enumerate(places_of_boxes)
    )
    database.executemany("INSERT INTO temp.sweep VALUES (?, ?, ?, ?, ?)", rows)
    database.executemany("INSERT INTO temp.seen VALUES (?, ?)", enumerate(tracks))
    database.execute(BOXES + ("ORDER BY s.at, t.k" if log.ordered else "ORDER BY 1"))
    insert("traffic_light_status", lights())
    insert("scenario_tag", tags())
    if log.indexed:
        for table in ("lidar_box", "traffic_light_status", "scenario_tag"):
            database.execute(f"CREATE INDEX {table}_pc ON {table} (lidar_pc_token)")
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a made-up log of nuPlan.")
    parser.add_argument("log", type=Path)
    for name in ("scenes", "sweeps", "boxes", "lights"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Log, name))
    parser.add_argument("--indexed", action="store_true")
    parser.add_argument("--shuffled", action="store_true")
    given = vars(parser.parse_args())
    path = given.pop("log")
    make_log(path, Log(ordered=not given.pop("shuffled"), **given))


if __name__ == "__main__":
    main()
