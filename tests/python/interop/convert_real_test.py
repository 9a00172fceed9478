"""The conversion of a published Argoverse 2 scenario, compared with its files."""

import collections
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import ChunkedDataset, LocalDataManager, MapAPI
from bevscope.l5kit.dataset import AgentDataset, EgoDataset
from bevscope.l5kit.rasterization import build_rasterizer

pq = pytest.importorskip("pyarrow.parquet")

ANCHOR = 49
SIDES = ("left", "right")
HERE = Path(__file__).resolve().parent
# The environment that scripts/build wheel gives L5Kit's requirements.
L5KIT_PYTHON = HERE.parents[2] / "build/python/debian/bin/python"


@pytest.fixture(scope="module")
def source(goldens):
    folder = goldens / "argoverse2"
    if not folder.exists():
        pytest.skip("the scenario is missing")
    return folder


@pytest.fixture(scope="module")
def rows(source):
    (file,) = source.glob("scenario_*.parquet")
    return pq.read_table(file).to_pydict()


@pytest.fixture(scope="module")
def lanes(source):
    (file,) = source.glob("log_map_archive_*.json")
    return json.loads(file.read_text())


@pytest.fixture(scope="module")
def root(source, tmp_path_factory):
    """A folder with real.zarr."""
    folder = tmp_path_factory.mktemp("real")
    report = convert.argoverse2(source, folder / "real.zarr", map=True, mask="focal")
    (folder / "report.json").write_text(json.dumps(report))
    return folder


@pytest.fixture(scope="module")
def config():
    return {
        "format_version": 4,
        "model_params": {
            "history_num_frames": ANCHOR,
            "future_num_frames": 60,
            "step_time": 0.1,
            "render_ego_history": True,
        },
        "raster_params": {
            "raster_size": [224, 224],
            "pixel_size": [0.5, 0.5],
            "ego_center": [0.25, 0.5],
            "map_type": "py_semantic",
            "semantic_map_key": "real.zarr/semantic_map/semantic_map.pb",
            "dataset_meta_key": "real.zarr/meta.json",
            "filter_agents_threshold": 0.5,
            "disable_traffic_light_faces": False,
            "set_origin_to_bottom": True,
        },
    }


def track(rows, name, column):
    at = [i for i, one in enumerate(rows["track_id"]) if one == name]
    return np.array([rows[column][i] for i in at])


def test_scene_frames_and_agents_are_counted(root, rows):
    dataset = bevscope.open(root / "real.zarr")
    assert len(dataset.scenes) == 1
    assert len(dataset.frames) == 110
    assert len(dataset.agents) == 2324
    assert len(dataset.tl_faces) == 0
    intervals = dataset.frames["agent_index_interval"]
    counts = intervals[:, 1] - intervals[:, 0]
    assert [counts[0], counts[49], counts[109]] == [18, 24, 18]
    assert [counts.min(), counts.max()] == [18, 25]
    (report,) = json.loads((root / "report.json").read_text())["datasets"]
    # The ego vehicle is the 32nd vehicle and the fifth unscored track.
    assert report["tracks"] == {
        "vehicle": 31,
        "pedestrian": 12,
        "static": 8,
        "riderless_bicycle": 4,
        "background": 2,
    }
    assert report["roles"] == {"fragment": 51, "unscored": 4, "scored": 1, "focal": 1}
    assert report["map"] == {
        "lanes": 71,
        "lights": 0,
        "crosswalks": 6,
        "junctions": report["map"]["junctions"],
        "duplicates": 0,
        "renamed": 0,
        "max_rounding_m": report["map"]["max_rounding_m"],
    }
    assert report["map"]["max_rounding_m"] < 1e-9


def test_every_state_equals_the_file(root, rows):
    dataset = bevscope.open(root / "real.zarr")
    agents = dataset.agents[:]
    intervals = dataset.frames["agent_index_interval"]
    steps = np.repeat(np.arange(110), intervals[:, 1] - intervals[:, 0])
    found = {(int(one["track_id"]), int(step)): one for one, step in zip(agents, steps)}
    labels = {
        "vehicle": 3,
        "pedestrian": 14,
        "static": 1,
        "riderless_bicycle": 10,
        "background": 1,
    }
    compared = 0
    for i, name in enumerate(rows["track_id"]):
        if name == "AV":
            continue
        agent = found[int(name), rows["timestep"][i]]
        position = [rows["position_x"][i], rows["position_y"][i]]
        assert agent["centroid"].tolist() == position
        assert agent["yaw"] == np.float32(rows["heading"][i])
        assert agent["velocity"][0] == np.float32(rows["velocity_x"][i])
        assert agent["velocity"][1] == np.float32(rows["velocity_y"][i])
        assert agent["label_probabilities"][labels[rows["object_type"][i]]] == 1
        compared += 1
    assert compared == len(agents) == len(found)


def test_ego_vehicle_and_stamps_equal_the_file(root, rows):
    frames = bevscope.open(root / "real.zarr").frames[:]
    for axis, column in enumerate(("position_x", "position_y")):
        assert np.array_equal(frames["ego_translation"][:, axis], track(rows, "AV", column))
    heading = track(rows, "AV", "heading")
    rotation = frames["ego_rotation"]
    assert np.abs(rotation[:, 0, 0] - np.cos(heading)).max() < 1e-15
    assert np.abs(rotation[:, 1, 0] - np.sin(heading)).max() < 1e-15
    start, end = (int(rows[name][0]) for name in ("start_timestamp", "end_timestamp"))
    assert frames["timestamp"][0] == start
    assert frames["timestamp"][-1] == end
    assert (np.diff(frames["timestamp"]) == 100_000_000).all()


def points(line):
    return np.array([[point[axis] for axis in "xyz"] for point in line])


def test_every_lane_and_crossing_equals_the_file(root, lanes):
    meta = json.loads((root / "real.zarr/meta.json").read_text())
    path = str(root / "real.zarr/semantic_map/semantic_map.pb")
    api = MapAPI(path, np.array(meta["world_to_ecef"]))
    assert len(lanes["lane_segments"]) == 71
    for id, lane in lanes["lane_segments"].items():
        found = api.get_lane_coords(id)
        for side in ("left", "right"):
            expected = points(lane[f"{side}_lane_boundary"])
            assert found[f"xyz_{side}"].shape == expected.shape
            assert np.abs(found[f"xyz_{side}"] - expected).max() < 1e-8
    for id, crossing in lanes["pedestrian_crossings"].items():
        first, second = points(crossing["edge1"]), points(crossing["edge2"])
        expected = np.concatenate([first, second[::-1]])
        found = api.get_crosswalk_coords(id)["xyz"]
        assert np.abs(found - expected).max() < 1e-8


def test_oncoming_lanes_are_no_lane_change(root, lanes):
    map_path = str(root / "real.zarr/semantic_map/semantic_map.pb")
    meta = (root / "real.zarr/meta.json").read_bytes()
    arrays = bevscope.SemanticMap(map_path, meta).core.arrays()
    changes = collections.Counter()
    for side in ("left", "right"):
        changes[side] = int((arrays[f"lanes.adjacent_{side}"] >= 0).sum())
    neighbours = [one["left_neighbor_id"] for one in lanes["lane_segments"].values()]
    assert sum(one is not None for one in neighbours) == 35
    assert 0 < changes["left"] <= 7
    assert changes["right"] <= 7


def test_samples_at_the_anchor_have_the_focal_future(root, rows, config, monkeypatch):
    monkeypatch.setenv("L5KIT_DATA_FOLDER", str(root))
    manager = LocalDataManager(str(root))
    dataset = ChunkedDataset(str(root / "real.zarr")).open()
    rasterizer = build_rasterizer(config, manager)
    focal = int(rows["focal_track_id"][0])
    x, y = (track(rows, str(focal), f"position_{axis}") for axis in "xy")
    future = np.stack([x, y], 1)[ANCHOR + 1 :]
    assert len(future) == 60

    agents = AgentDataset(
        config, dataset, rasterizer, min_frame_history=ANCHOR, min_frame_future=60
    )
    assert len(agents) == 1
    ego = EgoDataset(config, dataset, rasterizer)
    for sample in (agents[0], ego.get_frame(0, ANCHOR, track_id=focal)):
        assert sample["track_id"] == focal
        assert sample["target_availabilities"].sum() == 60
        assert sample["history_availabilities"].sum() == ANCHOR + 1
        matrix = sample["world_from_agent"]
        targets = sample["target_positions"] @ matrix[:2, :2].T + matrix[:2, 2]
        assert np.abs(targets - future).max() < 1e-4
        assert sample["image"].max() > 0
        assert len(np.unique(sample["image"][-3:])) > 1  # the map

    sample = ego[ANCHOR]
    matrix = sample["world_from_agent"]
    targets = sample["target_positions"] @ matrix[:2, :2].T + matrix[:2, 2]
    x, y = (track(rows, "AV", f"position_{axis}") for axis in "xy")
    assert np.abs(targets - np.stack([x, y], 1)[ANCHOR + 1 :]).max() < 1e-4


def test_l5kit_itself_reads_the_data_set_alike(root, rows, lanes, config, tmp_path):
    if "L5KIT" not in os.environ or not L5KIT_PYTHON.exists():
        pytest.skip("L5KIT is not set")
    focal = rows["focal_track_id"][0]
    expected = {
        "config": config,
        "anchor": ANCHOR,
        "focal": int(focal),
        "lanes": {
            id: {side: points(one[f"{side}_lane_boundary"]).tolist() for side in SIDES}
            for id, one in lanes["lane_segments"].items()
        },
        "crossings": {
            id: np.concatenate([points(one["edge1"]), points(one["edge2"])[::-1]]).tolist()
            for id, one in lanes["pedestrian_crossings"].items()
        },
        "futures": {
            name: np.stack([track(rows, name, f"position_{axis}") for axis in "xy"], 1)[
                ANCHOR + 1 :
            ].tolist()
            for name in (focal, "AV")
        },
    }
    (tmp_path / "expected.json").write_text(json.dumps(expected))
    scripts = HERE.parent / "l5kit"
    words = [L5KIT_PYTHON, scripts / "with_l5kit.py", scripts / "read_converted.py"]
    words += [root, tmp_path / "expected.json"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"lanes": 71, "crossings": 6, "futures": 3}
