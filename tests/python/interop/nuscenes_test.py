"""Versions of nuScenes, compared with their tables."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import PERCEPTION_LABELS, MapAPI

sys.path.insert(0, str(Path(__file__).parent))
import nuscenes_files as files
from nuscenes_files import Version

LABELS = {"vehicle.car": "CAR", "vehicle.bicycle": "CYCLIST"}
LABELS |= {"human.pedestrian.adult": "PEDESTRIAN", "movable_object.trafficcone": "UNKNOWN"}
TWO = Version(scenes=3, locations=("boston-seaport", "singapore-onenorth"))


def velocity(boxes, i):
    """As the devkit's box_velocity(): `boxes` are (microseconds, translation)."""
    (t0, a), (t1, b) = boxes[max(i - 1, 0)], boxes[min(i + 1, len(boxes) - 1)]
    limit = 3 if 0 < i < len(boxes) - 1 else 1.5
    seconds = 1e-6 * (t1 - t0)
    if seconds == 0 or seconds > limit:
        return [0, 0]
    return [(b[0] - a[0]) / seconds, (b[1] - a[1]) / seconds]


def expected_agents(tables, scene):
    """Returns what is expected of each box, by key frame and instance."""
    samples = {one["token"]: one for one in tables["sample"]}
    categories = {one["token"]: one["name"] for one in tables["category"]}
    instances = {
        one["token"]: categories[one["category_token"]] for one in tables["instance"]
    }
    tracks = {}
    for box in tables["sample_annotation"]:
        if samples[box["sample_token"]]["scene_token"] == scene:
            tracks.setdefault(box["instance_token"], []).append(box)
    out = {}
    for instance, boxes in tracks.items():
        boxes.sort(key=lambda box: samples[box["sample_token"]]["timestamp"])
        places = [
            (samples[box["sample_token"]]["timestamp"], box["translation"]) for box in boxes
        ]
        for i, box in enumerate(boxes):
            w, _, _, z = box["rotation"]
            width, length, height = box["size"]
            out[box["sample_token"], instance] = {
                "centroid": box["translation"][:2],
                "extent": [length, width, height],
                "velocity": velocity(places, i),
                "yaw": 2 * math.atan2(z, w),
                "label": LABELS[instances[instance]],
            }
    return out


@pytest.mark.parametrize("name", ["one location", "two locations"])
def test_a_converted_version_equals_its_tables(tmp_path, name):
    of = TWO if name == "two locations" else Version()
    source, out = files.write(tmp_path, of), tmp_path / "out.zarr"
    report = convert.nuscenes(source, out, map=True)["datasets"][0]
    assert report["scenes"] == of.scenes
    assert report["roles"]["scored"] == 2 * of.scenes
    dataset, tables = bevscope.open(out), files.tables(of)
    frames, agents = (dataset[key][:] for key in ("frames", "agents"))
    poses = {one["token"]: one for one in tables["ego_pose"]}
    details = dataset.attrs["bevscope"]["scenes"]
    cities = sorted({*of.locations})
    for s, (scene, detail) in enumerate(zip(tables["scene"], details, strict=True)):
        location = of.locations[s % len(of.locations)]
        moved = [100_000 * cities.index(location), 0] if len(cities) > 1 else [0, 0]
        assert (detail["scenario_id"], detail["scene"]) == (scene["token"], scene["name"])
        assert (detail["city"], detail["file"]) == (location, "v1.0-mini")
        assert detail.get("moved_by", [0, 0]) == moved
        expected = expected_agents(tables, scene["token"])
        samples = [one for one in tables["sample"] if one["scene_token"] == scene["token"]]
        begin, end = dataset.scenes[s]["frame_index_interval"]
        assert end - begin == of.samples
        for i, (frame, sample) in enumerate(zip(frames[begin:end], samples, strict=True)):
            assert frame["timestamp"] == sample["timestamp"] * 1000
            pose = poses[files.token("data", s, i, "LIDAR_TOP", True)]
            x, y, z = pose["translation"]
            np.testing.assert_array_equal(frame["ego_translation"], [x + moved[0], y, z])
            turned = frame["ego_rotation"]
            yaw = math.atan2(turned[1][0], turned[0][0])
            assert yaw == pytest.approx(0.01 * i, abs=1e-12)
            for agent in agents[slice(*frame["agent_index_interval"])]:
                instance = detail["track_names"][str(agent["track_id"])]
                box = expected.pop((sample["token"], instance))
                np.testing.assert_array_equal(
                    agent["centroid"], np.add(box["centroid"], moved)
                )
                np.testing.assert_array_equal(agent["extent"], np.float32(box["extent"]))
                np.testing.assert_allclose(
                    agent["velocity"], np.float32(box["velocity"]), rtol=1e-6, atol=1e-6
                )
                assert agent["yaw"] == pytest.approx(box["yaw"], abs=1e-6)
                label = PERCEPTION_LABELS[int(agent["label_probabilities"].argmax())]
                assert label == f"PERCEPTION_LABEL_{box['label']}"
        assert expected == {}


def test_what_the_challenge_asks_for_is_selected(tmp_path):
    zarr = pytest.importorskip("zarr")
    source = files.write(tmp_path)
    convert.nuscenes(source, tmp_path / "out.zarr", mask="scored")
    dataset = bevscope.open(tmp_path / "out.zarr")
    mask = zarr.open(str(tmp_path / "out.zarr/agents_mask/0.5"), mode="r")[:]
    detail = dataset.attrs["bevscope"]["scenes"]
    wanted = files.prediction()
    agents = dataset.agents[:]
    frames = dataset.frames[:]
    found = {}
    for s, scene in enumerate(dataset.scenes[:]):
        for i, frame in enumerate(frames[slice(*scene["frame_index_interval"])]):
            for row in range(*frame["agent_index_interval"]):
                name = detail[s]["track_names"][str(agents[row]["track_id"])]
                if mask[row].any():
                    item = f"{name}_{files.token('sample', s, i)}"
                    found.setdefault(detail[s]["scene"], []).append(item)
    # The first and last boxes of a track have no past or no future.
    for name, items in found.items():
        assert {*items} <= {*wanted[name]}
        assert len(items) >= len(wanted[name]) - 2


def test_the_map_beside_the_version_is_converted(tmp_path):
    source = files.write(tmp_path / "in")
    (tmp_path / "in/maps").rename(tmp_path / "maps")
    with pytest.raises(bevscope.NotFound, match=r"boston-seaport\.json: no map"):
        convert.nuscenes(source, tmp_path / "out.zarr", map=True)
    out = tmp_path / "out.zarr"
    report = convert.nuscenes(source, out, maps=tmp_path / "maps")["datasets"][0]
    counts = {name: report["map"][name] for name in ("lanes", "crosswalks", "lights")}
    assert counts == {"lanes": 3, "crosswalks": 1, "lights": 1}
    world = json.loads((out / "meta.json").read_text())["world_to_ecef"]
    path = str(out / "semantic_map/semantic_map.pb")
    semantic = MapAPI(path, np.array(world))
    lane = semantic.get_lane_coords(files.token("boston-seaport", "A"))
    for side, y in (("xyz_left", 1102), ("xyz_right", 1098)):
        np.testing.assert_allclose(lane[side][:, :2], [[400, y], [420, y]], atol=0.0051)


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_commands_write_the_same(tmp_path, program):
    files.write(tmp_path / "in", TWO)
    for out, command in (
        ("a.zarr", [program]),
        ("b.zarr", [sys.executable, "-m", "bevscope"]),
    ):
        words = ["convert", "nuscenes", tmp_path / "in", "-o", tmp_path / out]
        subprocess.run(
            [*command, *words, "--map", "--quiet"], check=True, stdout=subprocess.PIPE
        )
    convert.nuscenes([tmp_path / "in/v1.0-mini"], tmp_path / "c.zarr", map=True)
    written = [contents(tmp_path / name) for name in ("a.zarr", "b.zarr", "c.zarr")]
    assert written[0] == written[1] == written[2]


def test_an_interrupted_conversion_continues(tmp_path, monkeypatch):
    source = files.write(tmp_path / "in", TWO)
    convert.nuscenes(source, tmp_path / "whole.zarr", map=True)
    monkeypatch.setattr(convert, "CHECKPOINT", 1)

    def stop(done, _all):
        if done == 2:
            raise KeyboardInterrupt

    out = tmp_path / "out.zarr"
    with pytest.raises(KeyboardInterrupt):
        convert.nuscenes(source, out, map=True, progress=stop)
    convert.nuscenes(source, out, map=True)
    assert contents(out) == contents(tmp_path / "whole.zarr")


def test_what_cannot_be_read_is_named(tmp_path):
    def refusal(change):
        tables = files.tables()
        change(tables)
        source = files.write(tmp_path / "in", changed=tables)
        with pytest.raises(bevscope.Error) as raised:
            convert.nuscenes(source, tmp_path / "out.zarr")
        return str(raised.value).removeprefix(f"{source}")

    def unknown(tables):
        tables["sample_annotation"][3]["instance_token"] = "x"

    expected = ": sample_annotation.json: record 3: instance_token: not in table instance"
    assert refusal(unknown) == expected

    def boat(tables):
        tables["category"][0]["name"] = "vehicle.boat"

    assert "unknown category (found vehicle.boat)" in refusal(boat)
    source = files.write(tmp_path / "in")
    (source / "ego_pose.json").unlink()
    with pytest.raises(bevscope.NotFound, match=r"ego_pose\.json: not found"):
        convert.nuscenes(source, tmp_path / "out.zarr")
    with pytest.raises(bevscope.NotFound, match="no versions"):
        convert.nuscenes(tmp_path / "in/maps", tmp_path / "out.zarr")
