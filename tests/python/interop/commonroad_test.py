"""Conversion of CommonRoad's scenarios, compared with the elements of their files, and with
commonroad-io where that is installed."""

import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import PERCEPTION_LABELS, MapAPI

sys.path.insert(0, str(Path(__file__).parent))
import commonroad_files as files

REAL = os.environ.get("BEV_COMMONROAD")
LABELS = {
    "car": "CAR",
    "taxi": "CAR",
    "parkedVehicle": "CAR",
    "truck": "TRUCK",
    "bus": "BUS",
    "train": "TRAM",
    "priorityVehicle": "EMERGENCY_VEHICLE",
    "motorcycle": "MOTORCYCLIST",
    "bicycle": "CYCLIST",
    "pedestrian": "PEDESTRIAN",
}
LIT = {"red": "r", "yellow": "y", "green": "g", "redYellow": "ry", "inactive": ""}
#: Lanelets, sum of their centre lines, obstacles, states without initial ones.
REAL_COUNTS = {
    "USA_Lanker-1_1_T-1": (91, 1689.403, 24, 914),
    "USA_US101-4_1_T-1": (12, 732.135, 22, 1249),
    "FRA_Anglet-1_1_T-1": (20, 913.610, 8, 264),
    "ARG_Carcarana-4_5_T-1": (368, 15741.072, 8, 264),
}


def number(element, path):
    return float(element.find(path).text)


def states_of(obstacle):
    """Returns (step, x, y, heading, velocity) of each state."""
    for one in [obstacle.find("initialState"), *obstacle.findall("trajectory/state")]:
        x, y = number(one, "position/point/x"), number(one, "position/point/y")
        velocity = one.find("velocity/exact")
        yield (
            int(number(one, "time/exact")),
            (x, y),
            number(one, "orientation/exact"),
            0.0 if velocity is None else float(velocity.text),
        )


def is_static(obstacle):
    return obstacle.tag == "staticObstacle" or obstacle.findtext("role") == "static"


def check_obstacles(dataset, scene, root, shift):
    """Compares every state of a scene with the file's; returns the number of states."""
    begin, end = dataset.scenes[scene]["frame_index_interval"]
    frames = dataset.frames[begin:end]
    size = float(root.get("timeStepSize"))
    steps = np.arange(end - begin) * size * 1e9
    assert frames["timestamp"].tolist() == np.floor(steps + 0.5).tolist()
    first, last = frames["agent_index_interval"][[0, -1], [0, 1]]
    agents = dataset.agents[first:last]
    at = np.repeat(np.arange(len(frames)), np.diff(frames["agent_index_interval"]).ravel())
    count = 0
    for obstacle in root:
        if obstacle.tag not in ("obstacle", "staticObstacle", "dynamicObstacle"):
            continue
        mine = agents["track_id"] == int(obstacle.get("id"))
        found = dict(zip(at[mine].tolist(), agents[mine], strict=True))
        states = [*states_of(obstacle)]
        if is_static(obstacle):
            states = [(i, *states[0][1:]) for i in range(end - begin)]
        assert sorted(found) == sorted(step for step, *_ in states)
        label = LABELS.get(obstacle.findtext("type"), "UNKNOWN")
        box = [number(obstacle, f"shape/rectangle/{one}") for one in ("length", "width")]
        for step, position, heading, velocity in states:
            agent = found[step]
            tolerance = 1e-9 if any(shift) else 0
            assert np.abs(agent["centroid"] - position - shift).max() <= tolerance
            assert agent["yaw"] == np.float32(heading)
            assert agent["extent"][:2].tolist() == np.float32(box).tolist()
            along = velocity * np.array([math.cos(heading), math.sin(heading)])
            np.testing.assert_allclose(agent["velocity"], along, rtol=1e-6, atol=1e-6)
            shown = PERCEPTION_LABELS[int(agent["label_probabilities"].argmax())]
            assert shown == f"PERCEPTION_LABEL_{label}"
        count += len(states)
    assert count == len(agents)
    return count


def line(bound):
    return np.array([[number(p, "x"), number(p, "y")] for p in bound.findall("point")])


def map_of(folder):
    meta = json.loads((folder / "meta.json").read_text())
    path = str(folder / "semantic_map/semantic_map.pb")
    return MapAPI(path, np.array(meta["world_to_ecef"]))


def check_map(folder, root, shift=(0, 0), prefix=""):
    """Compares lanes and crosswalks with the file's lanelets, to a centimetre."""
    semantic = map_of(folder)
    for one in root.findall("lanelet"):
        name = prefix + one.get("id")
        left, right = (line(one.find(side)) + shift for side in ("leftBound", "rightBound"))
        if "crosswalk" in [kind.text for kind in one.findall("laneletType")]:
            found = semantic.get_crosswalk_coords(name)["xyz"][:, :2]
            assert np.abs(found - np.concatenate([left, right[::-1]])).max() < 0.00501
            continue
        found = semantic.get_lane_coords(name)
        assert np.abs(found["xyz_left"][:, :2] - left).max() < 0.00501
        assert np.abs(found["xyz_right"][:, :2] - right).max() < 0.00501
        ahead = {prefix + other.get("ref") for other in one.findall("successor")}
        lane = semantic[name].element.lane
        assert {other.id.decode() for other in lane.lanes_ahead} == ahead


def attributes(folder):
    return json.loads((folder / ".zattrs").read_text())["bevscope"]


def lit_faces(dataset, frame):
    begin, end = dataset.frames[frame]["traffic_light_faces_index_interval"]
    faces = dataset.tl_faces[begin:end]
    is_lit = faces["traffic_light_face_status"][:, 0] == 1
    return sorted(faces["face_id"][is_lit].tolist())


@pytest.mark.parametrize("version", ["2018b", "2020a"])
def test_a_scenario_becomes_a_scene_with_map(tmp_path, version):
    source = files.write(tmp_path / "a.xml", version=version)
    root = ElementTree.parse(source).getroot()
    out = tmp_path / "out.zarr"
    (report,) = convert.commonroad(source, out, map=True)["datasets"]
    dataset = bevscope.open(out)
    assert check_obstacles(dataset, 0, root, (0, 0)) == files.STEPS * 2 + 6
    check_map(out, root)
    (scene,) = attributes(out)["scenes"]
    assert (scene["scenario_id"], scene["file"]) == ("ZAM_Made-1_1_T-1", "a.xml")
    assert scene["ego"] == "planning problem 900"
    assert report["lost"]["repeated ego poses"] == files.STEPS - 1
    ego = dataset.frames[5]
    assert ego["ego_translation"].tolist() == [1, 2, 0]
    assert ego["ego_rotation"][1][0] == pytest.approx(math.sin(0.25), abs=1e-12)


def test_lights_follow_their_cycle(tmp_path):
    source = files.write(tmp_path / "a.xml")
    convert.commonroad(source, tmp_path / "out.zarr")
    dataset = bevscope.open(tmp_path / "out.zarr")
    colours = [colour for colour, steps in files.CYCLE for _ in range(steps)]
    for step in range(files.STEPS):
        colour = colours[(step - files.OFFSET) % len(colours)]
        assert lit_faces(dataset, step) == [f"501/{one}" for one in LIT[colour]], step


def test_an_obstacle_is_the_ego_vehicle_if_it_is_named(tmp_path):
    source = files.write(tmp_path / "a.xml")
    convert.commonroad(source, tmp_path / "out.zarr", ego="11")
    dataset = bevscope.open(tmp_path / "out.zarr")
    assert dataset.frames[5]["ego_translation"].tolist() == [10, 1.75, 0]
    assert 11 not in dataset.agents[:]["track_id"]
    with pytest.raises(bevscope.NotFound, match=r"a\.xml: no obstacle 7"):
        convert.commonroad(source, tmp_path / "b.zarr", ego="7")


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("with_map", [False, True])
def test_the_commands_write_the_same(tmp_path, with_map, program):
    for i, version in enumerate(("2018b", "2020a", "2020a")):
        files.write(tmp_path / f"in/{i}.xml", version=version, x=100.0 * i)
    (tmp_path / "in/pom.xml").write_text("<project/>")
    report = convert.commonroad(tmp_path / "in", tmp_path / "a.zarr", map=with_map)
    words = [program, "convert", "commonroad", tmp_path / "in", "-o", tmp_path / "b.zarr"]
    done = subprocess.run(
        [str(word) for word in words] + ["--map"] * with_map,
        check=True,
        capture_output=True,
    )
    assert contents(tmp_path / "a.zarr") == contents(tmp_path / "b.zarr")
    (one,) = json.loads(done.stdout)["datasets"]
    assert {**one, "path": ""} == {**report["datasets"][0], "path": ""}
    dataset = bevscope.open(tmp_path / "a.zarr")
    for i, scene in enumerate(attributes(tmp_path / "a.zarr")["scenes"]):
        root = ElementTree.parse(tmp_path / f"in/{i}.xml").getroot()
        shift = scene.get("moved_by", (0, 0))
        check_obstacles(dataset, i, root, shift)
        if with_map:
            check_map(tmp_path / "a.zarr", root, shift, f"{i}:")


def check_with_commonroad_io(path, folder):
    """Compares states, vertices and lights with commonroad-io's."""
    reader = pytest.importorskip("commonroad.common.file_reader")
    scenario, problems = reader.CommonRoadFileReader(str(path)).open()
    convert.commonroad(path, folder, map=True)
    dataset, semantic = bevscope.open(folder), map_of(folder)
    frames, agents = dataset.frames[:], dataset.agents[:]
    (problem,) = problems.planning_problem_dict.values()
    start = problem.initial_state
    assert frames[0]["ego_translation"][:2].tolist() == start.position.tolist()
    count, length = 0, 0.0
    for step, frame in enumerate(frames):
        of_frame = agents[slice(*frame["agent_index_interval"])]
        by_id = {int(one["track_id"]): one for one in of_frame}
        for obstacle in scenario.obstacles:
            state = obstacle.state_at_time(step)
            if state is None:
                assert obstacle.obstacle_id not in by_id
                continue
            found = by_id.pop(obstacle.obstacle_id)
            assert found["centroid"].tolist() == state.position.tolist()
            assert found["yaw"] == np.float32(state.orientation)
            along = state.velocity * np.array(
                [math.cos(state.orientation), math.sin(state.orientation)]
            )
            np.testing.assert_allclose(found["velocity"], along, rtol=1e-6, atol=1e-6)
            count += 1
        assert by_id == {}
        lit = []
        for light in scenario.lanelet_network.traffic_lights:
            colour = light.get_state_at_time_step(step).value
            lit += [f"{light.traffic_light_id}/{one}" for one in LIT[colour]]
        assert lit_faces(dataset, step) == sorted(lit)
    for one in scenario.lanelet_network.lanelets:
        length += one.distance[-1]
        if "crosswalk" in {kind.value for kind in one.lanelet_type}:
            continue
        found = semantic.get_lane_coords(str(one.lanelet_id))
        assert np.abs(found["xyz_left"][:, :2] - one.left_vertices[:, :2]).max() < 0.00501
        assert np.abs(found["xyz_right"][:, :2] - one.right_vertices[:, :2]).max() < 0.00501
    return len(scenario.lanelet_network.lanelets), length, len(scenario.obstacles), count


@pytest.mark.parametrize("version", ["2018b", "2020a"])
def test_a_scenario_is_that_of_commonroad_io(tmp_path, version):
    path = files.write(tmp_path / "a.xml", version=version)
    lanelets, _, obstacles, states = check_with_commonroad_io(path, tmp_path / "out.zarr")
    assert (lanelets, obstacles) == (3 + (version == "2020a"), 3)
    assert states == files.STEPS * 2 + 6


@pytest.mark.parametrize("name", REAL_COUNTS)
def test_public_scenarios_are_those_of_commonroad_io(tmp_path, name):
    if REAL is None:
        pytest.skip("BEV_COMMONROAD is not set")
    found = check_with_commonroad_io(Path(REAL) / f"{name}.xml", tmp_path / "out.zarr")
    lanelets, length, obstacles, states = REAL_COUNTS[name]
    assert found[::2] == (lanelets, obstacles)
    assert found[1] == pytest.approx(length, abs=0.001)
    assert found[3] == states + obstacles
