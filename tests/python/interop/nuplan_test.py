"""nuPlan's logs and maps, compared with what Python's sqlite3 reads by SQL."""

import json
import math
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope.l5kit.data import PERCEPTION_LABELS

sys.path.insert(0, str(Path(__file__).parent))
import nuplan_files as files
from nuplan_files import Log, make_log, make_map

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
LABELS = {"vehicle": "CAR", "bicycle": "CYCLIST", "pedestrian": "PEDESTRIAN"}
VARIANTS = {
    "ordered": Log(),
    "indexed": Log(indexed=True),
    "shuffled": Log(ordered=False),
    "shuffled and indexed": Log(ordered=False, indexed=True),
    "small pages": Log(page_size=512, scenes=5),
    "slow": Log(interval_us=1_000_000, boxes=3),
    "empty": Log(boxes=0, lights=0),
}


def run(*words, check=True):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def inspect(path):
    return json.loads(run("inspect", path).stdout)


def plain(value):
    return {"blob": value.hex()} if isinstance(value, bytes) else value


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_equal_sql(tmp_path, name):
    path = make_log(tmp_path / "a.db", VARIANTS[name])
    database = sqlite3.connect(path)
    for table, columns in inspect(path)["tables"].items():
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        assert columns["columns"] == names
        expected = database.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()
        found = run("inspect", path, "--rows", table).stdout.splitlines()
        assert [json.loads(line) for line in found] == [
            [plain(value) for value in row] for row in expected
        ]


def test_rows_of_any_size_equal_sql(tmp_path):
    path = tmp_path / "a.db"
    database = sqlite3.connect(path)
    database.execute("PRAGMA page_size = 1024")
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b REAL, c TEXT)")
    for i in range(-40, 400):
        values = (None, 2**62 - i, i / 3, b"x" * (i * 37 % 9000), "\u00e9" * (i % 3000))
        row = (i * 1_000_003, values[i % 5], i, str(i) * (i % 500))
        database.execute("INSERT INTO t VALUES (?, ?, ?, ?)", row)
    database.execute("DELETE FROM t WHERE id % 7 = 0")
    database.execute("ALTER TABLE t ADD COLUMN d")
    database.commit()
    expected = database.execute("SELECT * FROM t ORDER BY id").fetchall()
    found = [
        json.loads(line) for line in run("inspect", path, "--rows", "t").stdout.splitlines()
    ]
    assert found == [[plain(value) for value in row] for row in expected]


def test_the_order_of_rows_is_told(tmp_path):
    def finding(name):
        path = make_log(tmp_path / f"{name}.db", VARIANTS[name])
        return inspect(path)["log"]["finding"]

    tables = ("lidar_box", "scenario_tag", "traffic_light_status")
    assert finding("ordered") == dict.fromkeys(tables, "order")
    assert finding("indexed") == dict.fromkeys(tables, "index")
    assert finding("shuffled") == dict.fromkeys(tables, "scan")
    empty = {"lidar_box": "absent", "traffic_light_status": "absent"}
    assert finding("empty") == {"scenario_tag": "order", **empty}


def sql_scene(database, scene, step):
    """Returns the kept sweeps of a scene, with their ego poses."""
    return database.execute(
        "SELECT l.token, l.timestamp, e.x, e.y, e.z, e.qw, e.qz FROM lidar_pc l "
        "JOIN ego_pose e ON e.token = l.ego_pose_token WHERE l.scene_token = ? "
        "ORDER BY l.timestamp",
        (scene,),
    ).fetchall()[::step]


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("all_sweeps", [False, True])
def test_a_converted_log_equals_sql(tmp_path, name, all_sweeps):
    log = VARIANTS[name]
    path = make_log(tmp_path / "a.db", log)
    out = tmp_path / "out.zarr"
    run("convert", "nuplan", path, "-o", out, *(["--all-sweeps"] if all_sweeps else []))
    step = 1 if all_sweeps or log.interval_us > 50_000 else 2
    database = sqlite3.connect(path)
    dataset = bevscope.open(out)
    scenes, frames, agents, faces = (
        np.asarray(dataset[key])
        for key in ("scenes", "frames", "agents", "traffic_light_faces")
    )
    details = json.loads((out / ".zattrs").read_text())["bevscope"]["scenes"]
    order = database.execute(
        "SELECT scene_token, min(timestamp) FROM lidar_pc GROUP BY scene_token ORDER BY 2"
    ).fetchall()
    assert len(scenes) == len(order) == log.scenes
    for scene, (token, _), detail in zip(scenes, order, details, strict=True):
        dx, dy = detail["moved_by"]
        assert detail["scenario_id"] == token.hex()
        assert dx == int(dx)
        assert dy == int(dy)
        begin, end = scene["frame_index_interval"]
        sweeps = sql_scene(database, token, step)
        assert end - begin == len(sweeps)
        for frame, sweep in zip(frames[begin:end], sweeps, strict=True):
            pc, stamp, x, y, z, qw, qz = sweep
            assert frame["timestamp"] == stamp * 1000
            np.testing.assert_array_equal(frame["ego_translation"], [x + dx, y + dy, z])
            rotation = frame["ego_rotation"]
            yaw = math.atan2(rotation[1][0], rotation[0][0])
            assert abs(yaw - 2 * math.atan2(qz, qw)) < 1e-12
            boxes = database.execute(
                "SELECT b.*, c.name FROM lidar_box b "
                "JOIN track t ON t.token = b.track_token "
                "JOIN category c ON c.token = t.category_token WHERE b.lidar_pc_token = ?",
                (pc,),
            ).fetchall()
            a, b = frame["agent_index_interval"]
            assert b - a == len(boxes)
            expected = {int.from_bytes(box[2], "big"): box for box in boxes}
            for agent in agents[a:b]:
                box = expected.pop(int(agent["track_id"]))
                np.testing.assert_array_equal(agent["centroid"], [box[5] + dx, box[6] + dy])
                np.testing.assert_array_equal(
                    agent["extent"], np.float32([box[9], box[8], box[10]])
                )
                np.testing.assert_array_equal(agent["velocity"], np.float32(box[11:13]))
                assert agent["yaw"] == np.float32(box[14])
                label = PERCEPTION_LABELS[int(agent["label_probabilities"].argmax())]
                assert label == f"PERCEPTION_LABEL_{LABELS.get(box[-1], 'UNKNOWN')}"
            lights = database.execute(
                "SELECT lane_connector_id, status FROM traffic_light_status "
                "WHERE lidar_pc_token = ?",
                (pc,),
            ).fetchall()
            a, b = frame["traffic_light_faces_index_interval"]
            active = {
                str(face["face_id"]): list(face["traffic_light_face_status"])
                for face in faces[a:b]
            }
            assert len(active) == 3 * len(lights)
            for connector, status in lights:
                for colour in ("red", "yellow", "green"):
                    state = active[f"{connector}/{colour[0]}"]
                    known = [1, 0, 0] if status == colour else [0, 1, 0]
                    assert state == ([0, 0, 1] if status == "unknown" else known)
        tags = {}
        all_tags = database.execute(
            "SELECT g.type, (SELECT count(*) FROM lidar_pc p WHERE p.scene_token = ? AND "
            "p.timestamp < l.timestamp) FROM scenario_tag g JOIN lidar_pc l ON "
            "l.token = g.lidar_pc_token WHERE l.scene_token = ?",
            (token, token),
        )
        for kind, sweep in all_tags:
            tags.setdefault(kind, set()).add(sweep // step)
        assert detail["tags"] == {kind: sorted(tags[kind]) for kind in sorted(tags)}


def test_a_map_is_converted(tmp_path):
    log = make_log(tmp_path / "a.db", Log(scenes=2))
    make_map(tmp_path / "maps/us-nv-las-vegas-strip/9.15/map.gpkg")
    out = tmp_path / "out.zarr"
    report = json.loads(
        run("convert", "nuplan", log, "--maps", tmp_path / "maps", "-o", out).stdout
    )["datasets"][0]
    assert report["map"]["lanes"] == 4
    assert report["map"]["crosswalks"] == 1
    assert report["map"]["lights"] == 4
    assert report["map"]["junctions"] == 1
    assert report["lost"]["stop polygon"] == 2
    assert report["lost"]["light of a lane that the map lacks"] == 6
    bevscope_map = bevscope.l5kit.data.MapAPI(
        str(out / "semantic_map/semantic_map.pb"),
        np.array(json.loads((out / "meta.json").read_text())["world_to_ecef"]),
    )
    dx, dy = json.loads((out / ".zattrs").read_text())["bevscope"]["scenes"][0]["moved_by"]
    lane = bevscope_map.get_lane_coords("11")
    left = np.add([[0, 3.5], [50, 3.5]], files.ORIGIN) + [dx, dy]
    np.testing.assert_allclose(lane["xyz_left"][:, :2], left, atol=0.0051)
    right = np.add([[0, 0], [50, 0]], files.ORIGIN) + [dx, dy]
    np.testing.assert_allclose(lane["xyz_right"][:, :2], right, atol=0.0051)
    ahead = bevscope_map["11"].element.lane.lanes_ahead
    assert [one.id.decode() for one in ahead] == ["c100"]
    ahead = bevscope_map["c100"].element.lane.lanes_ahead
    assert [one.id.decode() for one in ahead] == ["12"]
    change = bevscope_map["11"].element.lane.adjacent_lane_change_left.id
    assert change.decode() == "10"


def test_scenes_are_found_by_their_tags(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    path = make_log(tmp_path / "a.db", Log(scenes=5))
    database = sqlite3.connect(path)
    scenes = database.execute(
        "SELECT scene_token FROM lidar_pc GROUP BY scene_token ORDER BY min(timestamp)"
    ).fetchall()
    database.executemany(
        "DELETE FROM scenario_tag WHERE type = 'on_intersection' AND lidar_pc_token IN "
        "(SELECT token FROM lidar_pc WHERE scene_token = ?)",
        [scenes[0], scenes[3]],
    )
    database.commit()
    database.close()
    run("convert", "nuplan", path, "-o", tmp_path / "out.zarr")

    def found(source, *words):
        done = run("facts", source, "--quiet", "--format", "json", *words)
        return [row["scene"] for row in json.loads(done.stdout)]

    for source in (path, tmp_path / "out.zarr"):
        assert found(source, "--tag", "on_intersection") == [1, 2, 4]
        assert found(source, "--tag", "following_lane_with_lead") == [0, 1, 2, 3, 4]
        where = ("--where", "scene > 1")
        assert found(source, "--tag", "on_intersection", *where) == [2, 4]
        tracks = found(source, "--tag", "on_intersection", "--tracks")
        assert set(tracks) == {1, 2, 4}
        condition = 'has_tag("on_intersection")'
        assert found(source, "--where", condition) == [1, 2, 4]
        assert found(source, "--where", f"not {condition}") == [0, 3]
        where = ("--where", "scene == 1 or scene == 3")
        assert found(source, "--tag", "on_intersection", *where) == [1]
        dataset = bevscope.open(source)
        assert dataset.reader("frames", where=condition).count() == 30
        done = run("facts", source, "--tag", "stopping", check=False)
        assert done.returncode == 1
        assert "following_lane_with_lead, on_intersection" in done.stderr
    files.make_map(tmp_path / "map.gpkg")
    done = run("facts", path, "--maps", tmp_path / "map.gpkg", "--quiet")
    assert len(done.stdout.splitlines()) == 6


@pytest.mark.parametrize("indexed", [False, True])
def test_a_large_log_is_read_in_parts(tmp_path, indexed):
    """BEV_LARGE=1 makes a log of 1 GB."""
    is_large = bool(os.environ.get("BEV_LARGE"))
    size = {"scenes": 130, "boxes": 170} if is_large else {"scenes": 10, "boxes": 60}
    log = Log(sweeps=400, indexed=indexed, **size)
    path = make_log(tmp_path / "a.db", log)
    found = inspect(path)
    assert found["log"]["scenes"] == log.scenes
    assert found["bytes_read"] < min(20e6, path.stat().st_size / 2)


#: Runs a command; prints its highest memory. From a small process, whose memory counts as
#: that of its child.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


@pytest.mark.parametrize("indexed", [False, True])
def test_memory_does_not_grow_with_a_log(tmp_path, indexed):
    """Of a log that is converted, opened as it is, and listed, scene by scene."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    peaks, sizes = [], []
    for scenes in (8, 64):
        log = Log(scenes=scenes, sweeps=100, boxes=100, indexed=indexed)
        path = make_log(tmp_path / f"{scenes}.db", log)
        sizes.append(path.stat().st_size)
        commands = (
            ["convert", "nuplan", path, "-o", tmp_path / f"{scenes}.zarr", "--quiet"],
            ["info", path],
            ["inspect", path, "--scenes"],
        )
        peaks.append(
            [
                int(
                    subprocess.check_output(
                        [sys.executable, "-c", PEAK, PROGRAM, *map(str, words)],
                        env=environment,
                    )
                )
                for words in commands
            ]
        )
    grown = [b - a for a, b in zip(*peaks, strict=True)]
    assert max(grown) < (sizes[1] - sizes[0]) / 4, (peaks, sizes)


def test_two_thousand_scenes_are_listed_with_one_reading_of_each_page(tmp_path):
    path = make_log(tmp_path / "a.db", Log(scenes=2000, sweeps=20, boxes=1, lights=1))
    found = inspect(path)
    assert found["log"]["scenes"] == 2000
    assert found["bytes_read"] <= path.stat().st_size
    listed = [
        json.loads(line) for line in run("inspect", path, "--scenes").stdout.splitlines()
    ]
    assert [scene["name"] for scene in listed] == [f"scene-{i:04d}" for i in range(2000)]
    assert {scene["frames"] for scene in listed} == {10}
    both = ["following_lane_with_lead", "on_intersection"]
    assert all(scene["tags"] == both for scene in listed)


def test_what_cannot_be_read_is_named(tmp_path):
    def error(*words):
        done = run(*words, check=False)
        assert done.returncode == 1
        return done.stderr

    path = make_log(tmp_path / "a.db")
    out = tmp_path / "out.zarr"
    (tmp_path / "a.db-wal").write_bytes(b"x")
    assert "a.db-wal" in error("convert", "nuplan", path, "-o", out)
    (tmp_path / "a.db-wal").unlink()
    assert "us-nv-las-vegas-strip" in error(
        "convert", "nuplan", path, "--maps", tmp_path, "-o", out
    )
    database = sqlite3.connect(path)
    database.execute("UPDATE category SET name = 'tram' WHERE name = 'vehicle'")
    database.commit()
    assert "tram" in error("convert", "nuplan", path, "-o", out)
    database.execute("DROP TABLE lidar_box")
    database.commit()
    assert "lidar_box" in error("convert", "nuplan", path, "-o", out)
    text = tmp_path / "b.db"
    text.write_text("text" * 100)
    assert "no SQLite header" in error("inspect", text)
