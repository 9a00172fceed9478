"""Conversion of ScenarioNet's scenarios, compared with what Python's pickle reads."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import PERCEPTION_LABELS, MapAPI

sys.path.insert(0, str(Path(__file__).parent))
import scenarionet_files as files

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
REAL = os.environ.get("BEV_SCENARIONET")
LABELS = {
    "VEHICLE": "CAR",
    "PEDESTRIAN": "PEDESTRIAN",
    "CYCLIST": "CYCLIST",
    "vehicle.bus": "BUS",
    "vehicle.truck": "TRUCK",
    "vehicle.trailer": "OTHER_VEHICLE",
    "vehicle.construction": "OTHER_VEHICLE",
    "vehicle.motorcycle": "MOTORCYCLE",
    "vehicle.bicycle": "BICYCLE",
    "vehicle.car": "CAR",
    "human": "PEDESTRIAN",
}
FACES = {"STOP": "r", "CAUTION": "y", "GO": "g"}


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def attributes(folder):
    return json.loads((folder / ".zattrs").read_text())["bevscope"]


def label_of(track, is_nuscenes):
    kind = track["metadata"]["type"] if is_nuscenes else track["type"]
    for prefix, label in LABELS.items():
        if kind.startswith(prefix):
            return f"PERCEPTION_LABEL_{label}"
    return "PERCEPTION_LABEL_UNKNOWN"


def check_scene(dataset, scene, scenario, shift=(0, 0)):
    """Compares every time, state and light of a scene with a scenario."""
    is_nuscenes = scenario["metadata"]["dataset"] == "nuscenes"
    begin, end = dataset.scenes[scene]["frame_index_interval"]
    frames = dataset.frames[begin:end]
    times = np.asarray(scenario["metadata"]["ts"], float)
    assert frames["timestamp"].tolist() == np.floor(times * 1e9 + 0.5).tolist()
    tracks = dict(scenario["tracks"])
    ego = tracks.pop(scenario["metadata"]["sdc_id"])["state"]
    assert ego["valid"].all()
    moved = ego["position"] + [*shift, 0]
    assert np.abs(frames["ego_translation"] - moved).max() <= (1e-9 if any(shift) else 0)
    heading = ego["heading"].astype(float)
    rotation = frames["ego_rotation"]
    assert np.abs(rotation[:, 0, 0] - np.cos(heading)).max() < 1e-12
    assert np.abs(rotation[:, 1, 0] - np.sin(heading)).max() < 1e-12
    first, last = frames["agent_index_interval"][[0, -1], [0, 1]]
    agents = dataset.agents[first:last]
    at = np.repeat(np.arange(len(frames)), np.diff(frames["agent_index_interval"]).ravel())
    named = [name for name in scenario["tracks"] if not name.isdecimal()]
    numbers = {str(2**63 + i): name for i, name in enumerate(named)}
    for name, track in tracks.items():
        state = track["state"]
        valid = state["valid"].astype(bool)
        number = int(name) if name.isdecimal() else 2**63 + named.index(name)
        rows = agents[agents["track_id"] == number]
        assert (at[agents["track_id"] == number] == np.flatnonzero(valid)).all(), name
        assert np.abs(rows["centroid"] - state["position"][valid, :2] - shift).max() <= (
            1e-9 if any(shift) else 0
        )
        assert (rows["yaw"] == state["heading"][valid].astype(np.float32)).all()
        box = np.stack([state[k].reshape(-1) for k in ("length", "width", "height")], 1)
        assert (rows["extent"] == box[valid].astype(np.float32)).all()
        velocity = state["velocity"].copy()
        if is_nuscenes:  # the last of consecutive states has that of the one before
            for i in np.flatnonzero(valid & ~np.append(valid[1:], False)):
                assert (velocity[i] == 0).all()
                if i and valid[i - 1]:
                    velocity[i] = velocity[i - 1]
        assert (rows["velocity"] == velocity[valid].astype(np.float32)).all()
        labels = rows["label_probabilities"].argmax(1)
        label = PERCEPTION_LABELS.index(label_of(track, is_nuscenes))
        assert (labels == label).all(), track["metadata"]["type"]
    assert len(agents) == sum(int(t["state"]["valid"].sum()) for t in tracks.values())
    check_faces(dataset, frames, scenario["dynamic_map_states"])
    return numbers


def check_faces(dataset, frames, lights):
    for step, frame in enumerate(frames):
        begin, end = frame["traffic_light_faces_index_interval"]
        faces = {
            face["face_id"].split(":")[-1]: face["traffic_light_face_status"].tolist()
            for face in dataset.tl_faces[begin:end]
        }
        expected = {}
        for light in lights.values():
            state = light["state"]["object_state"][step]
            if state is None:
                continue
            lit = FACES.get(state.split("_")[-1])
            for colour in "ryg":
                on = [float(colour == lit), float(colour != lit), 0.0]
                expected[f"{light['lane']}/{colour}"] = on if lit else [0.0, 0.0, 1.0]
        assert faces == expected


def unrepeated(points):
    keep = np.append(True, (np.diff(points[:, :2], axis=0) != 0).any(1))
    return points[keep]


def check_map(folder, scenario, shift=(0, 0), prefix=""):
    """Compares the map's lanes and crosswalks with a scenario's, to a centimetre."""
    is_nuscenes = scenario["metadata"]["dataset"] == "nuscenes"
    meta = json.loads((folder / "meta.json").read_text())
    path = str(folder / "semantic_map/semantic_map.pb")
    api = MapAPI(path, np.array(meta["world_to_ecef"]))
    features = scenario["map_features"]
    divided = 0
    for name, feature in features.items():
        if feature["type"] == "CROSSWALK":
            found = api.get_crosswalk_coords(prefix + name)["xyz"]
            expected = np.asarray(feature["polygon"]) + [*shift, 0][: found.shape[1]]
            assert np.abs(found - expected).max() < 0.00501
        if not feature["type"].startswith("LANE"):
            continue
        if len(np.unique(np.asarray(feature["polyline"])[:, :2], axis=0)) < 2:
            assert prefix + name not in api
            continue
        lane = api[prefix + name].element.lane
        points = np.asarray(feature["polyline"], float)
        points = unrepeated(points) if is_nuscenes else points
        found = api.get_lane_coords(prefix + name)
        left, right = found["xyz_left"], found["xyz_right"]
        if is_nuscenes:
            assert (left[:, 2] == 0).all()
        if "polygon" not in feature:
            assert len(left) == len(right) == len(points)
            ahead = {prefix + str(one) for one in feature.get("exit_lanes", [])}
            if not is_nuscenes:
                assert {one.id.decode() for one in lane.lanes_ahead} == ahead
            continue
        divided += 1
        ring = np.asarray(feature["polygon"])[:-1] + shift
        both = np.concatenate([left, right])[:, :2]
        distances = np.hypot(*(ring[:, None] - both[None]).transpose(2, 0, 1))
        assert len(both) == len(ring)
        assert distances.min(1).max() < 0.0072
        # Left is on the left of the centre line's first step, right on the right.
        a, b = points[0, :2] + shift, points[1, :2] + shift
        for side, sign in ((left, 1), (right, -1)):
            dx, dy = b - a
            assert sign * (dx * (side[0, 1] - a[1]) - dy * (side[0, 0] - a[0])) > 0
    return divided


def converted(tmp_path, scenario, **options):
    source = files.write(tmp_path / "in/a.pkl", scenario)
    report = convert.scenarionet(source, tmp_path / "out.zarr", **options)
    return bevscope.open(tmp_path / "out.zarr"), report["datasets"][0]


@pytest.mark.parametrize("make", [files.nuscenes, files.waymo])
def test_a_scenario_becomes_a_scene_with_map(tmp_path, make):
    scenario = make()
    dataset, report = converted(tmp_path, scenario, map=True)
    names = check_scene(dataset, 0, scenario)
    check_map(tmp_path / "out.zarr", scenario)
    (scene,) = attributes(tmp_path / "out.zarr")["scenes"]
    assert scene["scenario_id"] == scenario["id"]
    assert scene["file"] == "a.pkl"
    assert scene["dataset"] == scenario["metadata"]["dataset"]
    assert scene.get("track_names", {}) == names
    assert report["scenes"] == 1


def test_corrections_of_nuscenes_are_reported_and_kept(tmp_path):
    _, report = converted(tmp_path, files.nuscenes(), map=True)
    corrected = {
        "exchanged length and width of the ego vehicle": 1,
        "heading in place of the height of a centre line": 3,
        "lane ahead by position": 1,
        "repeated point of a centre line": 3,
        "zero velocity of a last state": 3,
    }
    assert report["corrected"] == corrected
    kept = attributes(tmp_path / "out.zarr")
    assert kept["corrected"] == corrected
    assert np.allclose(kept["scenes"][0]["ego_extent"], [4.08, 1.73, 1.56])
    assert report["lost"]["velocity of a single state"] == 1
    _, plain = converted(tmp_path / "waymo", files.waymo(), map=True)
    assert "corrected" not in plain


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_all_protocols_give_equal_data_sets(tmp_path, protocol):
    for make in (files.nuscenes, files.waymo):
        for name, version in (("a", 4), ("b", protocol)):
            source = files.write(tmp_path / name / "s.pkl", make(), version)
            convert.scenarionet(source, tmp_path / f"{name}.zarr", map=True)
        assert contents(tmp_path / "a.zarr") == contents(tmp_path / "b.zarr")
        for name in "ab":
            subprocess.run(["rm", "-r", str(tmp_path / f"{name}.zarr")], check=True)


def test_roles_and_anchor_are_those_of_tracks_to_predict(tmp_path):
    _, report = converted(tmp_path, files.waymo())
    (scene,) = attributes(tmp_path / "out.zarr")["scenes"]
    assert scene["anchor_frame"] == 10
    assert scene["scored"] == [7, 8]
    assert scene["objects_of_interest"] == [7]
    assert report["roles"] == {"focal": 1, "scored": 1, "fragment": 1}


def test_scenarios_of_a_folder_have_a_cell_each(tmp_path):
    scenarios = [files.nuscenes("a"), files.waymo(), files.nuscenes("c", 900.0)]
    for i, scenario in enumerate(scenarios):
        files.write(tmp_path / f"in/{i}.pkl", scenario)
    convert.scenarionet(tmp_path / "in", tmp_path / "out.zarr", map=True)
    dataset = bevscope.open(tmp_path / "out.zarr")
    scenes = attributes(tmp_path / "out.zarr")["scenes"]
    assert len({tuple(one["moved_by"]) for one in scenes}) == 3
    for i, scenario in enumerate(scenarios):
        shift = scenes[i]["moved_by"]
        check_scene(dataset, i, scenario, shift)
        check_map(tmp_path / "out.zarr", scenario, shift, f"{i}:")


def test_a_folder_lists_its_scenarios(tmp_path):
    for name in ("b.pkl", "part/a.pkl", "c.pkl"):
        files.write(tmp_path / "in" / name, files.nuscenes(name))

    def ids():
        out = tmp_path / "out.zarr"
        convert.scenarionet(tmp_path / "in", out)
        found = [one["scenario_id"] for one in attributes(out)["scenes"]]
        subprocess.run(["rm", "-r", str(out)], check=True)
        return found

    assert ids() == ["b.pkl", "c.pkl", "part/a.pkl"]
    files.write(tmp_path / "in/dataset_mapping.pkl", {"a.pkl": "part", "b.pkl": ""})
    assert ids() == ["part/a.pkl", "b.pkl"]
    files.write(tmp_path / "in/dataset_summary.pkl", {"a.pkl": {"sdc_id": "ego"}})
    assert ids() == ["part/a.pkl"]
    files.write(tmp_path / "in/dataset_mapping.pkl", {"a.pkl": "../in/part"})
    with pytest.raises(bevscope.Error, match="outside the folder") as caught:
        ids()
    assert caught.value.code == "invalid_metadata"


class Evil:
    def __reduce__(self):
        return (os.system, ("touch called",))


def test_nothing_in_a_pickle_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in ("metadata", "tracks", "map_features"):
        scenario = files.nuscenes()
        scenario[place]["evil"] = Evil()
        source = files.write(tmp_path / f"{place}.pkl", scenario)
        with pytest.raises(bevscope.Error, match=r"system is not admitted") as caught:
            convert.scenarionet(source, tmp_path / "out.zarr")
        assert caught.value.code == "unsupported"
        assert str(source) in str(caught.value)
    assert not (tmp_path / "called").exists()
    assert not (tmp_path / "out.zarr").exists()


@pytest.mark.parametrize("with_map", [False, True])
def test_the_native_command_writes_the_same_files(tmp_path, with_map):
    if not PROGRAM.exists():
        pytest.skip("build/release/bevscope is missing")
    for i, scenario in enumerate([files.nuscenes(), files.waymo()]):
        files.write(tmp_path / f"in/{i}.pkl", scenario)
    report = convert.scenarionet(tmp_path / "in", tmp_path / "a.zarr", map=with_map)
    words = [PROGRAM, "convert", "scenarionet", tmp_path / "in", "-o", tmp_path / "b.zarr"]
    done = subprocess.run(
        [str(word) for word in words] + ["--map"] * with_map,
        check=True,
        capture_output=True,
    )
    assert contents(tmp_path / "a.zarr") == contents(tmp_path / "b.zarr")
    (one,) = json.loads(done.stdout)["datasets"]
    assert {**one, "path": ""} == {**report["datasets"][0], "path": ""}


def command(*words):
    done = subprocess.run(
        [str(word) for word in (PROGRAM, "convert", "scenarionet", *words, "--quiet")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_structure(scenario, metadata):
    """What MetaDrive's ScenarioDescription.sanity_check() asks for, and the summary."""
    keys = {"id", "version", "length", "metadata", "tracks"}
    assert set(scenario) == keys | {"dynamic_map_states", "map_features"}
    steps = scenario["length"]
    about = scenario["metadata"]
    assert {"metadrive_processed", "coordinate", "ts", "sdc_id"} <= set(about)
    assert about["ts"].shape == (steps,)
    assert about["sdc_id"] in scenario["tracks"]
    for name, track in scenario["tracks"].items():
        assert track["metadata"]["object_id"] == name
        assert track["type"] in ("VEHICLE", "PEDESTRIAN", "CYCLIST", "OTHER")
        assert all(len(values) == steps for values in track["state"].values())
        assert track["state"]["position"].shape == (steps, 3)
        assert track["state"]["valid"].dtype == bool
        valid = track["state"]["valid"]
        assert (track["state"]["position"][~valid] == 0).all()
        assert about["object_summary"][name]["valid_length"] == valid.sum()
    for name, light in scenario["dynamic_map_states"].items():
        assert light["type"] == "TRAFFIC_LIGHT"
        assert len(light["state"]["object_state"]) == steps
        assert light["metadata"]["object_id"] == name
    for feature in scenario["map_features"].values():
        if feature["type"].startswith("LANE"):
            assert feature["polyline"].shape[1] == 3
            assert (feature["polygon"][0] == feature["polygon"][-1]).all()
    assert {**about, "ts": about["ts"].tolist()} == metadata


def agents_by_frame(dataset):
    """The agents, sorted by frame and position: numbers of named tracks may differ."""
    agents = dataset.agents[:]
    counts = np.diff(dataset.frames[:]["agent_index_interval"]).ravel()
    at = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((agents["extent"][:, 2], *agents["centroid"].T, at))
    names = [name for name in agents.dtype.names if name != "track_id"]
    return at[order], {name: agents[name][order] for name in names}


def check_round_trip(source, tmp_path, count=1):
    """Converts, exports, reads the files with Python's pickle, and converts them again."""
    tmp_path.mkdir(exist_ok=True)
    command(source, "-o", tmp_path / "a.zarr", "--map")
    made = tmp_path / "made"
    report = command("--export", tmp_path / "a.zarr", "-o", made)
    assert report["scenes"] == count
    summary = pickle.loads((made / "dataset_summary.pkl").read_bytes())
    mapping = pickle.loads((made / "dataset_mapping.pkl").read_bytes())
    assert set(mapping.values()) == {""}
    assert set(summary) == set(mapping) == {one.name for one in made.glob("sd_*.pkl")}
    for name, metadata in summary.items():
        check_structure(pickle.loads((made / name).read_bytes()), metadata)
    command(made, "-o", tmp_path / "b.zarr", "--map")
    first, second = (bevscope.open(tmp_path / f"{name}.zarr") for name in "ab")
    for name in ("timestamp", "ego_translation"):
        a, b = (one.frames[:][name] for one in (first, second))
        assert np.abs(a - b).max() <= (1e-9 if count > 1 else 0)
    (at, a), (at_again, b) = agents_by_frame(first), agents_by_frame(second)
    assert (at == at_again).all()
    for name in a:
        assert np.abs(a[name] - b[name]).max() <= (1e-9 if count > 1 else 0), name
    lost = report["lost"].get("face of no lane of the map", 0)
    assert len(first.tl_faces) - lost == len(second.tl_faces)


@pytest.mark.skipif(not PROGRAM.exists(), reason="build/release/bevscope is missing")
@pytest.mark.parametrize("make", [files.nuscenes, files.waymo])
def test_exported_files_have_the_structure_and_are_read_back(tmp_path, make):
    check_round_trip(files.write(tmp_path / "a.pkl", make()), tmp_path)


@pytest.mark.skipif(not PROGRAM.exists(), reason="build/release/bevscope is missing")
def test_scenes_that_were_moved_are_exported_where_they_were(tmp_path):
    scenarios = [files.nuscenes("a"), files.waymo()]
    for i, scenario in enumerate(scenarios):
        files.write(tmp_path / f"in/{i}.pkl", scenario)
    check_round_trip(tmp_path / "in", tmp_path, 2)
    for scenario in scenarios:
        (path,) = (tmp_path / "made").glob(f"sd_*_{scenario['id']}.pkl")
        made = pickle.loads(path.read_bytes())
        sdc = scenario["metadata"]["sdc_id"]
        assert made["metadata"]["sdc_id"] == sdc
        a, b = (one["tracks"][sdc]["state"]["position"] for one in (scenario, made))
        assert np.abs(a - b).max() < 1e-6
        lanes = [k for k, v in scenario["map_features"].items() if "LANE" in v["type"]]
        assert set(lanes) <= set(made["map_features"])


@pytest.mark.skipif(not PROGRAM.exists(), reason="build/release/bevscope is missing")
@pytest.mark.skipif(REAL is None, reason="BEV_SCENARIONET is not set")
def test_scenes_of_scenarionet_are_exported_and_read_back(tmp_path):
    for i, path in enumerate(real_files()):
        if not path.name.startswith("dataset_"):
            check_round_trip(path, tmp_path / str(i))


def real_files():
    return sorted(Path(REAL).rglob("*.pkl")) if REAL else []


@pytest.mark.skipif(REAL is None, reason="BEV_SCENARIONET is not set")
def test_scenes_of_scenarionet_are_converted_without_differences(tmp_path):
    checked = 0
    for path in real_files():
        scenario = pickle.loads(path.read_bytes())  # the project's own files
        if "tracks" not in scenario:
            continue
        out = tmp_path / f"{checked}.zarr"
        report = convert.scenarionet(path, out, map=True)["datasets"][0]
        check_scene(bevscope.open(out), 0, scenario)
        outlines = sum(
            "polygon" in one and one["type"].startswith("LANE")
            for one in scenario["map_features"].values()
        )
        assert check_map(out, scenario) == outlines
        assert "outline of a lane" not in report["lost"]
        checked += 1
    assert checked >= 9


@pytest.mark.skipif(REAL is None, reason="BEV_SCENARIONET is not set")
def test_folders_of_scenarionet_list_their_scenes(tmp_path):
    for folder in sorted(one for one in Path(REAL).iterdir() if one.is_dir()):
        names = {one.name for one in folder.glob("*.pkl")} - {
            "dataset_summary.pkl",
            "dataset_mapping.pkl",
        }
        listed = names
        for name in ("dataset_mapping.pkl", "dataset_summary.pkl"):
            if (folder / name).exists():
                listed = set(pickle.loads((folder / name).read_bytes()))
        if listed != names:
            continue  # files were taken out
        out = tmp_path / f"{folder.name}.zarr"
        convert.scenarionet(folder, out)
        assert {one["file"] for one in attributes(out)["scenes"]} == names
