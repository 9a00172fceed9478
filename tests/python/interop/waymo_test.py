"""Conversion of Waymo scenarios."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import MapAPI

sys.path.insert(0, str(Path(__file__).parent))
import waymo_files as files

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
COLOURS = {1: "r", 2: "y", 3: "g", 4: "r", 5: "y", 6: "g", 7: "r", 8: "y"}
HALF_WIDTHS = {0: 1.65, 1: 1.85, 2: 1.65, 3: 0.75}


def contents(folder):
    """Returns the files below a folder by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def attributes(folder):
    return json.loads((folder / ".zattrs").read_text())["bevscope"]


def map_of(folder):
    meta = json.loads((folder / "meta.json").read_text())
    path = str(folder / "semantic_map/semantic_map.pb")
    return MapAPI(path, np.array(meta["world_to_ecef"]))


def array(points):
    return np.array([[p.get(axis, 0.0) for axis in "xyz"] for p in points])


def check_scene(dataset, scene, scenario, shift=(0, 0)):
    """Compares every state, time and light of a scene with a decoded scenario."""
    steps = len(scenario["timestamps_seconds"])
    begin, end = dataset.scenes["frame_index_interval"][scene]
    frames = dataset.frames[begin:end]
    assert len(frames) == steps
    times = np.round(np.array(scenario["timestamps_seconds"]) * 1e9).astype(np.int64)
    assert np.array_equal(frames["timestamp"], times)
    ego = scenario["tracks"][scenario["sdc_track_index"]]
    faces = dataset.tl_faces[:]
    for step, frame in enumerate(frames):
        state = ego["states"][step]
        if state["valid"]:
            expected = [
                state["center_x"] + shift[0],
                state["center_y"] + shift[1],
                state["center_z"],
            ]
            assert frame["ego_translation"].tolist() == expected
            angle = np.arctan2(frame["ego_rotation"][1, 0], frame["ego_rotation"][0, 0])
            assert (
                abs(angle - np.remainder(state["heading"] + np.pi, 2 * np.pi) + np.pi)
                < 1e-6
            )
        agents = dataset.agents[slice(*frame["agent_index_interval"])]
        expected = [
            (track, track["states"][step])
            for i, track in enumerate(scenario["tracks"])
            if i != scenario["sdc_track_index"] and track["states"][step].get("valid")
        ]
        assert len(agents) == len(expected)
        for agent, (track, state) in zip(agents, expected, strict=True):
            assert agent["track_id"] == track["id"]
            label = {1: 3, 2: 14, 3: 12, 4: 1, 0: 1}[track["object_type"]]
            assert agent["label_probabilities"].argmax() == label
            assert agent["centroid"].tolist() == [
                state["center_x"] + shift[0],
                state["center_y"] + shift[1],
            ]
            sizes = [state[name] for name in ("length", "width", "height")]
            assert agent["extent"].tolist() == sizes
            assert agent["yaw"] == np.float32(state["heading"])
            velocity = [state.get("velocity_x", 0), state.get("velocity_y", 0)]
            assert agent["velocity"].tolist() == velocity
        check_lights(
            faces[slice(*frame["traffic_light_faces_index_interval"])], scenario, step
        )


def check_lights(faces, scenario, step):
    states = scenario["dynamic_map_states"][step]["lane_states"]
    assert len(faces) == 3 * len(states)
    for i, state in enumerate(states):
        colour = COLOURS.get(state.get("state", 0))
        for face, letter in zip(faces[3 * i : 3 * i + 3], "ryg", strict=True):
            assert face["face_id"].split(":")[-1] == f"{state['lane']}/{letter}"
            status = (
                [0, 0, 1] if colour is None else [colour == letter, colour != letter, 0]
            )
            assert face["traffic_light_face_status"].tolist() == status


def distance_to(line, p):
    """Returns the distance of a point from a line in x and y."""
    a, b = line[:-1, :2], line[1:, :2]
    if len(line) == 1:
        return np.hypot(*(line[0, :2] - p[:2]))
    d = b - a
    length = (d**2).sum(1)
    t = np.clip(((p[:2] - a) * d).sum(1) / np.where(length == 0, 1, length), 0, 1)
    return np.hypot(*(a + t[:, None] * d - p[:2]).T).min()


def check_map(api, scenario, by_width, prefix=""):
    """Compares every lane, crosswalk and light with a decoded scenario, to a centimetre."""
    features = {one["id"]: one for one in scenario["map_features"]}
    lines = {
        id: array((one.get("road_line") or one["road_edge"])["polyline"])
        for id, one in features.items()
        if "road_line" in one or "road_edge" in one
    }
    lanes = 0
    for id, feature in features.items():
        if "lane" not in feature:
            continue
        lane = feature["lane"]
        centre = array(lane["polyline"])
        name = f"{prefix}{id}"
        if len(centre) < 2:
            assert name not in api
            continue
        lanes += 1
        found = api.get_lane_coords(name)
        proto = api[name].element.lane
        ahead = [one.id.decode() for one in proto.lanes_ahead]
        assert sorted(ahead) == sorted({f"{prefix}{one}" for one in lane["exit_lanes"]})
        assert (
            proto.access_restriction.type == {0: 0, 1: 1, 2: 1, 3: 4}[lane.get("type", 0)]
        )
        for side, sections in (("left", "left_boundaries"), ("right", "right_boundaries")):
            points = found[f"xyz_{side}"]
            assert len(points) == len(centre)
            on_line = 0
            for i, p in enumerate(points):
                beside = [
                    lines[one["boundary_feature_id"]]
                    for one in lane[sections]
                    if one.get("lane_start_index", 0) <= i <= one.get("lane_end_index", 0)
                ]
                is_on_line = any(distance_to(one, p) < 0.01 for one in beside)
                width = np.hypot(*(p - centre[i])[:2])
                is_at_width = abs(width - HALF_WIDTHS[lane.get("type", 0)]) < 0.02
                assert is_on_line or is_at_width
                on_line += is_on_line
            if f"{name}/{side}" not in by_width:
                assert on_line == len(points)
    assert lanes == sum(1 for one in api.elements if one.element.HasField("lane"))
    for id, feature in features.items():
        if "crosswalk" in feature:
            found = api.get_crosswalk_coords(f"{prefix}{id}")["xyz"]
            expected = array(feature["crosswalk"]["polygon"])
            assert np.abs(found - expected).max() < 0.00501
    signalled = {
        state["lane"]
        for step in scenario["dynamic_map_states"]
        for state in step["lane_states"]
    }
    for id in signalled:
        lane = api[f"{prefix}{id}"].element.lane
        controls = [one.id.decode() for one in lane.traffic_controls]
        assert controls == [f"{prefix}{id}/{letter}" for letter in "ryg"]
        for control, colour in zip(controls, ("red", "yellow", "green"), strict=True):
            assert api.is_traffic_face_color(control, colour)


def test_a_scenario_becomes_a_scene_with_map(tmp_path):
    scenario = files.scenario()
    source = files.write(tmp_path / "a.tfrecord", scenario)
    report = convert.waymo(source, tmp_path / "out.zarr", map=True)
    dataset = bevscope.open(tmp_path / "out.zarr")
    decoded = files.decode("Scenario", files.encode("Scenario", scenario))
    check_scene(dataset, 0, decoded)
    (scene,) = attributes(tmp_path / "out.zarr")["scenes"]
    assert scene["lane_sides_from_width"] == ["1/right", "2/left", "2/right"]
    check_map(map_of(tmp_path / "out.zarr"), decoded, set(scene["lane_sides_from_width"]))
    assert scene["scenario_id"] == "made-up"
    assert scene["file"] == "a.tfrecord"
    assert scene["record"] == 0
    assert scene["anchor_frame"] == 1
    assert scene["scored"] == [7, 8]
    assert scene["objects_of_interest"] == [7]
    (one,) = report["datasets"]
    assert one["roles"] == {"focal": 1, "scored": 1, "fragment": 1}
    assert one["lost"]["stop sign"] == 1
    assert one["map"]["lights"] == 1


@pytest.mark.parametrize(
    ("mask", "tracks"), [("focal", {7}), ("scored", {7, 8}), ("all", {7, 8, 9})]
)
def test_masks_select_by_role(tmp_path, mask, tracks):
    zarr = pytest.importorskip("zarr")
    source = files.write(tmp_path / "a.tfrecord", files.scenario())
    convert.waymo(source, tmp_path / "out.zarr", mask=mask)
    dataset = bevscope.open(tmp_path / "out.zarr")
    stored = zarr.open(str(tmp_path / "out.zarr/agents_mask/0.5"), mode="r")[:]
    ids = dataset.agents["track_id"]
    assert set(ids[stored.any(1)].tolist()) == tracks


def test_many_scenarios_have_a_cell_each(tmp_path):
    scenarios = [files.scenario(f"s{i}", 100.0 + i) for i in range(5)]
    files.write(tmp_path / "in/1.tfrecord", *scenarios[:3])
    files.write(tmp_path / "in/2.tfrecord", *scenarios[3:])
    report = convert.waymo(tmp_path / "in", tmp_path / "out.zarr", map=True)
    dataset = bevscope.open(tmp_path / "out.zarr")
    scenes = attributes(tmp_path / "out.zarr")["scenes"]
    assert [one["scenario_id"] for one in scenes] == [f"s{i}" for i in range(5)]
    assert [one["record"] for one in scenes] == [0, 1, 2, 0, 1]
    assert len({tuple(one["moved_by"]) for one in scenes}) == 5
    for i, scenario in enumerate(scenarios):
        decoded = files.decode("Scenario", files.encode("Scenario", scenario))
        check_scene(dataset, i, decoded, scenes[i]["moved_by"])
    assert report["datasets"][0]["map"]["lanes"] == 10
    # Without maps nothing is moved.
    convert.waymo(tmp_path / "in", tmp_path / "plain.zarr")
    plain = bevscope.open(tmp_path / "plain.zarr")
    for i, scenario in enumerate(scenarios):
        decoded = files.decode("Scenario", files.encode("Scenario", scenario))
        check_scene(plain, i, decoded)


def test_a_flipped_bit_anywhere_is_rejected(tmp_path):
    path = tmp_path / "a.tfrecord"
    content = files.write(path, files.scenario()).read_bytes()
    for place in [*range(24), *range(24, len(content), 97), len(content) - 1]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(bevscope.Error, match=r"a\.tfrecord: ") as caught:
            convert.waymo(path, tmp_path / f"{place}.zarr")
        assert caught.value.code == "corrupt_chunk"
        assert not (tmp_path / f"{place}.zarr").exists()


def test_errors_name_file_and_record(tmp_path):
    broken = files.scenario()
    broken["sdc_track_index"] = 9
    path = files.write(tmp_path / "a.tfrecord", files.scenario(), broken)
    expected = r"a\.tfrecord: record 1: scenario: sdc_track_index is outside"
    with pytest.raises(bevscope.Error, match=expected):
        convert.waymo(path, tmp_path / "out.zarr")
    with pytest.raises(bevscope.NotFound, match="absent: not found"):
        convert.waymo(tmp_path / "absent", tmp_path / "out.zarr")
    (tmp_path / "empty").mkdir()
    with pytest.raises(bevscope.NotFound, match="no TFRecord files"):
        convert.waymo(tmp_path / "empty", tmp_path / "out.zarr")
    (tmp_path / "empty.tfrecord").write_bytes(b"")
    with pytest.raises(bevscope.NotFound, match="no scenarios found"):
        convert.waymo(tmp_path / "empty.tfrecord", tmp_path / "out.zarr")


@pytest.fixture(params=[False, True], ids=["without_map", "with_map"])
def interrupted(tmp_path, monkeypatch, request):
    """A conversion of five scenarios, interrupted after the first checkpoint, at two."""
    monkeypatch.setattr(convert, "CHECKPOINT", 2)
    source = files.write(
        tmp_path / "a.tfrecord", *[files.scenario(f"s{i}", i) for i in range(5)]
    )
    convert.waymo(source, tmp_path / "whole.zarr", map=request.param)

    def interrupt(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert.waymo(source, tmp_path / "out.zarr", map=request.param, progress=interrupt)
    return source, request.param


def test_an_interrupted_conversion_continues_to_equal_files(tmp_path, interrupted):
    source, with_map = interrupted
    target, steps = tmp_path / "out.zarr", []
    convert.waymo(source, target, map=with_map, progress=lambda done, _: steps.append(done))
    assert steps == [3, 4, 5]
    assert contents(target) == contents(tmp_path / "whole.zarr")


def test_the_native_command_continues_a_conversion(tmp_path, interrupted):
    if not PROGRAM.exists():
        pytest.skip("build/release/bevscope is missing")
    source, with_map = interrupted
    target = tmp_path / "out.zarr"
    words = [PROGRAM, "convert", "waymo", source, "-o", target, "--quiet"]
    command = [str(word) for word in words] + ["--map"] * with_map
    other = subprocess.run([*command, "--mask", "all"], capture_output=True, text=True)
    assert other.returncode == 1
    assert "other sources or options" in other.stderr
    before = (tmp_path / "out.zarr.partial/.progress.json").read_bytes()
    assert json.loads(before)["done"] == 2
    subprocess.run(command, check=True, capture_output=True)
    assert contents(target) == contents(tmp_path / "whole.zarr")


@pytest.mark.parametrize("name", ["out.zip", "out.zarr.zip/", "s3://bucket/out.zarr"])
def test_only_folders_are_written(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    source = files.write(tmp_path / "a.tfrecord", files.scenario())
    with pytest.raises(bevscope.InvalidArgument, match="expected a folder"):
        convert.waymo(source, name)
    assert [path.name for path in tmp_path.iterdir()] == ["a.tfrecord"]


def test_the_native_command_writes_the_same_objects_to_a_zip(tmp_path):
    if not PROGRAM.exists():
        pytest.skip("build/release/bevscope is missing")
    source = files.write(
        tmp_path / "a.tfrecord", *[files.scenario(f"s{i}", i) for i in range(3)]
    )
    for name in ("out.zarr", "out.zip"):
        words = [PROGRAM, "convert", "waymo", source, "--map", "-o", tmp_path / name]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == contents(tmp_path / "out.zarr")
    assert len(bevscope.open(tmp_path / "out.zip").scenes) == 3


def test_a_partial_folder_without_a_checkpoint_is_emptied(tmp_path):
    source = files.write(tmp_path / "a.tfrecord", files.scenario())
    convert.waymo(source, tmp_path / "whole.zarr")
    stray = tmp_path / "out.zarr.partial/semantic_map"
    stray.mkdir(parents=True)
    (stray / "semantic_map.pb").write_text("left by another conversion")
    (stray.parent / "note").write_text("and a file")
    convert.waymo(source, tmp_path / "out.zarr")
    assert contents(tmp_path / "out.zarr") == contents(tmp_path / "whole.zarr")


def test_the_command_prints_a_report(tmp_path):
    source = files.write(tmp_path / "a.tfrecord", files.scenario())
    command = [sys.executable, "-m", "bevscope", "convert", "waymo", str(source), "--map"]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "out.zarr")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["datasets"][0]["scenes"] == 1
    again = subprocess.run(
        [*command, "-o", str(tmp_path / "out.zarr")], capture_output=True, text=True
    )
    assert again.returncode == 1
    assert "exists already" in again.stderr


@pytest.mark.skipif("WAYMO_TFRECORD" not in os.environ, reason="WAYMO_TFRECORD is not set")
def test_a_file_of_the_data_set_is_converted_without_differences(tmp_path):
    path = Path(os.environ["WAYMO_TFRECORD"])
    for i, content in enumerate(files.contents(path.read_bytes())):
        scenario = files.decode("Scenario", content)
        alone = tmp_path / f"{i}.tfrecord"
        alone.write_bytes(files.record(content))
        out = tmp_path / f"{i}.zarr"
        convert.waymo(alone, out, map=True)
        check_scene(bevscope.open(out), 0, scenario)
        (scene,) = attributes(out)["scenes"]
        check_map(map_of(out), scenario, set(scene["lane_sides_from_width"]))
