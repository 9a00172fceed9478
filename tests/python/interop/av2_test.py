"""Argoverse 2's package av2 reads the same tracks and maps, and computes equal scores.

Runs in an environment of its own: scripts/test --only av2.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.forecasts import Forecasts, read_argoverse2, recorded, write_argoverse2
from bevscope.l5kit.data import MapAPI
from bevscope.l5kit.data.map_api import InterpolationMethod

reason = "av2's environment is absent: run scripts/build wheel av2"
pytest.importorskip("av2", reason=reason)
sys.path.insert(0, str(Path(__file__).parent))

import argoverse2_files as files  # noqa: E402
from av2.datasets.motion_forecasting import data_schema, scenario_serialization  # noqa: E402
from av2.datasets.motion_forecasting.eval import metrics, submission  # noqa: E402
from av2.map.map_api import ArgoverseStaticMap  # noqa: E402

LABELS = {
    "vehicle": 3,
    "bus": 6,
    "riderless_bicycle": 10,
    "cyclist": 12,
    "motorcyclist": 13,
    "pedestrian": 14,
}
UNKNOWN = 1


def made_up(root):
    """Writes a scenario of all types and returns its folder."""
    every = range(files.STEPS)
    kinds = [one.value for one in data_schema.ObjectType]
    random = np.random.default_rng(2)
    rows = [
        files.track(str(10 + i), kind, i % 4, sorted(random.choice(60, 9 + i, False)), i, 5)
        for i, kind in enumerate(kinds)
    ]
    rows.append(files.track("7", "vehicle", 3, every, 100, -5))
    rows.append(files.track("AV", "vehicle", 1, every, 0, 0))
    columns = {
        name: np.concatenate([np.asarray(one[name]) for one in rows]) for name in rows[0]
    }
    count = len(columns["timestep"])
    for name in ("position_x", "position_y", "heading", "velocity_x", "velocity_y"):
        columns[name] = columns[name] + random.normal(0, 1, count)
    for name, values in files.rows(id="s0").items():
        columns.setdefault(name, np.repeat(values[:1], count))
    lanes = [files.lane(1, 0, 0), files.lane(2, 20, 0), files.lane(3, 0, 3)]
    lanes[0] |= {"successors": [2], "left_neighbor_id": 3, "is_intersection": True}
    lanes[0] |= {"left_lane_mark_type": "DASHED_WHITE", "lane_type": "BIKE"}
    lanes[2] |= {"right_neighbor_id": 1, "lane_type": "BUS"}
    return files.write(root, "s0", columns, lanes)


@pytest.fixture(scope="module", params=["made up", "published"])
def source(request, tmp_path_factory):
    """A scenario's folder."""
    if request.param == "made up":
        return made_up(tmp_path_factory.mktemp("made"))
    folder = request.getfixturevalue("goldens") / "argoverse2"
    if not folder.exists():
        pytest.skip("the scenario is missing")
    return folder


@pytest.fixture(scope="module")
def target(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("target") / "out.zarr"
    convert.argoverse2(source, out, map=True)
    return out


@pytest.fixture(scope="module")
def theirs(source):
    (file,) = source.glob("scenario_*.parquet")
    return scenario_serialization.load_argoverse_scenario_parquet(file)


@pytest.fixture(scope="module")
def their_map(source):
    (file,) = source.glob("log_map_archive_*.json")
    return ArgoverseStaticMap.from_json(file)


@pytest.fixture(scope="module")
def map_api(target):
    meta = json.loads((target / "meta.json").read_text())
    path = str(target / "semantic_map/semantic_map.pb")
    return MapAPI(path, np.array(meta["world_to_ecef"]))


def check_tracks(target, theirs):
    """Compares every state of a data set with av2's objects."""
    dataset = bevscope.open(target)
    intervals = dataset.frames["agent_index_interval"]
    agents = dataset.agents[:]
    steps = np.repeat(np.arange(len(intervals)), intervals[:, 1] - intervals[:, 0])
    ours = {(int(one["track_id"]), int(s)): one for one, s in zip(agents, steps)}
    compared = 0
    for track in theirs.tracks:
        if track.track_id == "AV":
            continue
        label = LABELS.get(track.object_type.value, UNKNOWN)
        for state in track.object_states:
            agent = ours[int(track.track_id), state.timestep]
            assert tuple(agent["centroid"]) == state.position
            assert agent["yaw"] == np.float32(state.heading)
            assert tuple(agent["velocity"]) == tuple(np.float32(state.velocity))
            assert agent["label_probabilities"].argmax() == label
            assert state.observed == (state.timestep < 50)
            compared += 1
    assert compared == len(agents) == len(ours)


def test_tracks_are_those_of_av2(target, theirs):
    check_tracks(target, theirs)


def test_the_ego_vehicle_and_stamps_are_those_of_av2(target, theirs):
    frames = bevscope.open(target).frames[:]
    (ego,) = [track for track in theirs.tracks if track.track_id == "AV"]
    assert [state.timestep for state in ego.object_states] == list(range(len(frames)))
    position = [state.position for state in ego.object_states]
    assert np.array_equal(frames["ego_translation"][:, :2], position)
    heading = np.array([state.heading for state in ego.object_states])
    found = np.arctan2(frames["ego_rotation"][:, 1, 0], frames["ego_rotation"][:, 0, 0])
    np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * heading), rtol=1e-14)
    # av2 has the stamps as float64.
    assert np.array_equal(frames["timestamp"].astype(np.float64), theirs.timestamps_ns)


def test_roles_are_those_of_av2(target, theirs):
    attributes = json.loads((target / ".zattrs").read_text())["bevscope"]
    (scene,) = attributes["scenes"]
    categories = data_schema.TrackCategory
    found = {role: [] for role in categories}
    for track in theirs.tracks:
        if track.track_id != "AV":
            found[track.category].append(int(track.track_id))
    assert scene["focal"] == int(theirs.focal_track_id)
    assert scene["scenario_id"] == theirs.scenario_id
    assert scene["city"] == theirs.city_name
    assert scene["map_id"] == theirs.map_id
    assert sorted(scene["scored"]) == sorted(found[categories.SCORED_TRACK])
    assert sorted(scene["unscored"]) == sorted(found[categories.UNSCORED_TRACK])
    assert int(theirs.focal_track_id) in found[categories.FOCAL_TRACK]


def test_lanes_are_those_of_av2(map_api, their_map):
    lanes = their_map.vector_lane_segments
    ids = {one.id.id.decode() for one in map_api if one.element.HasField("lane")}
    assert ids == {str(id) for id in lanes}
    access = {"VEHICLE": 1, "BUS": 3, "BIKE": 4}
    for id, theirs in lanes.items():
        coords = map_api.get_lane_coords(str(id))
        left, right = theirs.left_lane_boundary.xyz, theirs.right_lane_boundary.xyz
        assert coords["xyz_left"].shape == left.shape
        assert coords["xyz_right"].shape == right.shape
        assert np.abs(coords["xyz_left"] - left).max() < 1e-8
        assert np.abs(coords["xyz_right"] - right).max() < 1e-8
        lane = map_api[str(id)].element.lane
        ahead = [one.id.decode() for one in lane.lanes_ahead]
        assert ahead == [str(one) for one in their_map.get_lane_segment_successor_ids(id)]
        parent = map_api[lane.parent_segment_or_junction.id].element
        assert parent.HasField("junction") == their_map.lane_is_in_intersection(id)
        assert lane.access_restriction.type == access[theirs.lane_type.value]
        for side in ("left", "right"):
            change = getattr(lane, f"adjacent_lane_change_{side}").id.decode()
            assert change in ("", str(getattr(theirs, f"{side}_neighbor_id")))


def test_centre_lines_are_those_of_av2(map_api, their_map):
    for id in their_map.get_scenario_lane_segment_ids():
        expected = their_map.get_lane_segment_centerline(id)
        method = InterpolationMethod.INTER_ENSURE_LEN
        found = map_api.get_lane_as_interpolation(str(id), len(expected), method)
        # L5Kit also spaces the middle evenly.
        middle = (found["xyz_left"] + found["xyz_right"]) / 2
        assert np.abs(middle - expected).max() < 1e-8


def test_crossings_are_those_of_av2(map_api, their_map):
    crossings = their_map.vector_pedestrian_crossings
    assert crossings
    for id, crossing in crossings.items():
        found = map_api.get_crosswalk_coords(str(id))["xyz"]
        # av2 repeats the first corner.
        assert np.abs(found - crossing.polygon[:-1]).max() < 1e-8


def test_scenarios_that_av2_writes_are_converted(tmp_path, source, target, theirs):
    file = tmp_path / "scenario_s0.parquet"
    scenario_serialization.serialize_argoverse_scenario_parquet(file, theirs)
    convert.argoverse2(file, tmp_path / "out.zarr")
    check_tracks(tmp_path / "out.zarr", theirs)
    (original,) = source.glob("scenario_*.parquet")
    ((key, path),) = recorded(original).items()
    ((again, same),) = recorded(file).items()
    assert key == again == (theirs.scenario_id, theirs.focal_track_id)
    assert np.array_equal(path, same)
    focal = next(one for one in theirs.tracks if one.track_id == theirs.focal_track_id)
    future = [one.position for one in focal.object_states if not one.observed]
    assert np.array_equal(path, future)


def test_scores_are_those_of_av2():
    random = np.random.default_rng(0)
    for _ in range(300):
        modes = int(random.integers(1, 9))
        p = -np.sort(-random.random(modes))
        p /= p.sum()
        paths = random.normal(0, 1.5, (modes, 60, 2))
        truth = random.normal(0, 1, (60, 2))
        forecast = Forecasts([("s", "t")], np.array([0, modes]), p, paths)
        ade, fde = metrics.compute_ade(paths, truth), metrics.compute_fde(paths, truth)
        brier_ade = metrics.compute_brier_ade(paths, truth, p, normalize=True)
        brier_fde = metrics.compute_brier_fde(paths, truth, p, normalize=True)
        missed = metrics.compute_is_missed_prediction(paths, truth)
        for k in (1, 6):
            scores = forecast.scores({("s", "t"): truth}, k=k)
            i, j = fde[:k].argmin(), ade[:k].argmin()
            expected = [ade[j], fde[i], brier_ade[j], brier_fde[i]]
            found = [float(values[0]) for values in scores.values()]
            # Sums differ in their order.
            np.testing.assert_allclose(found[:4], expected, rtol=1e-13)
            assert found[4] == missed[i] == missed[:k].all()


def submitted():
    """Returns forecasts of one track in each of three scenarios, in descending order of
    probability, and the same as av2's object."""
    random = np.random.default_rng(5)
    keys, parts, theirs = [], [], {}
    for i in range(3):
        p = np.array([0.5, 0.3, 0.2][: i + 1])
        p /= p.sum()
        paths = random.normal(0, 9, (len(p), 60, 2))
        keys.append((f"scenario-{i}", f"{7 * i}"))
        parts.append((p, paths))
        theirs[f"scenario-{i}"] = (p, {f"{7 * i}": paths})
    counts = [len(p) for p, _ in parts]
    ours = Forecasts(
        keys,
        np.concatenate([[0], np.cumsum(counts)]),
        np.concatenate([p for p, _ in parts]),
        np.concatenate([paths for _, paths in parts]),
    )
    return ours, submission.ChallengeSubmission(theirs)


def test_av2_reads_written_submissions(tmp_path):
    ours, theirs = submitted()
    write_argoverse2(tmp_path / "a.parquet", ours)
    back = submission.ChallengeSubmission.from_parquet(tmp_path / "a.parquet")
    assert set(back.predictions) == set(theirs.predictions)
    for scenario, (p, tracks) in theirs.predictions.items():
        found_p, found_tracks = back.predictions[scenario]
        assert np.array_equal(found_p, p)
        assert set(found_tracks) == set(tracks)
        for track, paths in tracks.items():
            assert np.array_equal(found_tracks[track], paths)


def test_submissions_of_av2_are_read(tmp_path):
    ours, theirs = submitted()
    theirs.to_parquet(tmp_path / "a.parquet")
    back = read_argoverse2(tmp_path / "a.parquet")
    assert back.keys == ours.keys
    assert np.array_equal(back.offsets, ours.offsets)
    assert np.array_equal(back.probabilities, ours.probabilities)
    assert np.array_equal(back.paths, ours.paths)
