"""Tracks of INTERACTION, compared with the rows of their files."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import PERCEPTION_LABELS

sys.path.insert(0, str(Path(__file__).parent))
import interaction_files as files

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    files.write_all(tmp_path / "data")
    return tmp_path / "data"


def objects_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_agents_are_the_rows_of_each_scene(folder, tmp_path):
    report = convert.interaction(folder, tmp_path / "out.zarr")
    dataset = bevscope.open(tmp_path / "out.zarr")
    scenes = files.scenes_of(folder)
    assert len(dataset.scenes[:]) == len(scenes) == 5
    for index, rows in enumerate(scenes):
        first = min(int(row["timestamp_ms"]) for row in rows)
        mean = np.mean([[float(row["x"]), float(row["y"])] for row in rows], axis=0)
        begin, end = dataset.scenes[index]["frame_index_interval"]
        frames = dataset.frames[int(begin) : int(end)]
        assert len(frames) == (max(int(r["timestamp_ms"]) for r in rows) - first) // 100 + 1
        assert np.abs(frames["ego_translation"][:, :2] - mean).max() < 1e-9
        wanted = {(int(r["timestamp_ms"]) * 10**6, int(r["track_id"])): r for r in rows}
        for frame in frames:
            a, b = frame["agent_index_interval"]
            for agent in dataset.agents[int(a) : int(b)]:
                row = wanted.pop((int(frame["timestamp"]), int(agent["track_id"])))
                assert agent["centroid"].tolist() == [float(row["x"]), float(row["y"])]
                velocity = np.float32([float(row["vx"]), float(row["vy"])])
                assert (agent["velocity"] == velocity).all()
                is_car = row["agent_type"] == "car"
                yaw = float(row["psi_rad"]) if is_car else math.atan2(*velocity[::-1])
                assert agent["yaw"] == pytest.approx(yaw, abs=1e-6)
                size = [float(row["length"]), 1.75] if is_car else [0.7, 0.7]
                np.testing.assert_allclose(agent["extent"][:2], size, rtol=1e-6)
                label = PERCEPTION_LABELS[int(agent["label_probabilities"].argmax())]
                assert label.endswith("CAR" if is_car else "PEDESTRIAN")
        assert not wanted
    assert report["datasets"][0]["lost"]["ego vehicle (fixed at the centroid)"] == 5


def test_the_program_writes_the_same(folder, tmp_path):
    words = [PROGRAM, "convert", "interaction", folder, "--map", "--quiet"]
    subprocess.run([*words, "-o", tmp_path / "a.zarr"], check=True, capture_output=True)
    convert.interaction([folder], tmp_path / "b.zarr", map=True)
    assert objects_of(tmp_path / "a.zarr") == objects_of(tmp_path / "b.zarr")


@pytest.mark.parametrize("with_map", [False, True])
def test_what_is_opened_is_what_is_converted(folder, tmp_path, with_map):
    convert.interaction(folder, tmp_path / "out.zarr", map=with_map)
    expected = bevscope.open(tmp_path / "out.zarr")
    opened = bevscope.open(folder, map=with_map)
    for name in ("scenes", "frames", "agents", "traffic_light_faces"):
        assert opened[name][:].tobytes() == expected[name][:].tobytes()
    assert opened.attrs == expected.attrs
    if with_map:
        made, wanted = (Path(one.semantic_map().map_path) for one in (opened, expected))
        assert made.read_bytes() == wanted.read_bytes()


def test_a_track_can_be_the_ego_vehicle(folder, tmp_path):
    convert.interaction(folder, tmp_path / "out.zarr", ego="1")
    dataset = bevscope.open(tmp_path / "out.zarr")
    assert 1 not in dataset.agents[:]["track_id"]
    rows = [row for row in files.scenes_of(folder)[0] if row["track_id"] == "1"]
    stamps = [int(row["timestamp_ms"]) * 10**6 for row in rows]
    begin, end = dataset.scenes[0]["frame_index_interval"]
    for frame in dataset.frames[int(begin) : int(end)]:
        nearest = min(range(len(rows)), key=lambda i: abs(stamps[i] - frame["timestamp"]))
        assert frame["ego_translation"][0] == float(rows[nearest]["x"])
    with pytest.raises(bevscope.NotFound, match="no track 99"):
        convert.interaction(folder, tmp_path / "b.zarr", ego="99")
    scenes = json.loads(json.dumps(dataset.attrs))["bevscope"]["scenes"]
    assert {scene["ego"] for scene in scenes} == {"track 1"}
    opened = bevscope.open(folder, ego="1")
    assert opened.attrs == dataset.attrs
    for array in ("frames", "agents"):
        assert opened[array][:].tobytes() == dataset[array][:].tobytes()
    with pytest.raises(bevscope.NotFound, match="no track 99"):
        bevscope.open(folder, ego="99")
    with pytest.raises(bevscope.InvalidArgument, match="open: ego"):
        bevscope.open(tmp_path / "out.zarr", ego="1")


def test_without_a_track_for_it_there_is_no_ego_vehicle(folder):
    dataset = bevscope.open(folder)
    frame = dataset.frame(0, 0)
    assert frame["ego.is_virtual"].all()
    assert np.isfinite(frame["ego.centroid"]).all()
    assert np.isnan(frame["ego.corners"]).all()
    assert np.isnan(frame["agents.distance"]).all()
    assert np.isnan(dataset.facts()["scenes"]["min_ttc"]).all()
    near = dataset.reader("agents", where="distance_to_ego < 1e9", fields=["track_id"])
    assert sum(len(batch["track_id"]) for batch in near) == 0
    assert not bevscope.open(folder, ego="1").frame(0, 0)["ego.is_virtual"].any()


def test_the_module_converts_as_the_program(folder, tmp_path):
    words = [sys.executable, "-m", "bevscope", "convert", "interaction", folder]
    words += ["-o", tmp_path / "out.zarr", "--maps", folder / "maps", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["datasets"][0]["map"]["lanes"] == 4
