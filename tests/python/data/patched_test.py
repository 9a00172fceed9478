"""Dataset.patched: edits of scenes, beside NumPy's version of each."""

import json
import pickle
import subprocess

import numpy as np
import pytest

import bevscope
from bevscope import InvalidArgument, OutOfRange

SCENE = 1
CONFIG = {
    "model_params": {
        "history_num_frames": 3,
        "future_num_frames": 5,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [64, 48],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5],
        "map_type": "box_debug",
        "set_origin_to_bottom": True,
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
    },
}


def patch(*edits, **more):
    edits = [{"scene": SCENE, **one} for one in edits]
    return {"format": "bevscope-patch", "version": 1, **more, "edits": edits}


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


@pytest.fixture(scope="module")
def track(dataset):
    """The track of the scene with the longest way."""
    agents = dataset.scene(SCENE)
    ids = agents["agents.track_id"]

    def way(one):
        path = agents["agents.centroid"][ids == one]
        return np.linalg.norm(path[-1] - path[0]) if len(path) > 100 else 0

    return int(max(np.unique(ids), key=way))


class Rows:
    """The rows of a track in a scene, with their frames and times in seconds."""

    def __init__(self, dataset, track):
        scene = dataset.scene(SCENE)
        self.rows = np.flatnonzero(scene["agents.track_id"] == track)
        ends = scene["frames.agent_index_interval"][:, 1]
        self.frames = np.searchsorted(ends, self.rows, side="right")
        self.at = scene["agents.centroid"][self.rows]
        self.yaw = scene["agents.yaw"][self.rows].astype(float)
        self.velocity = scene["agents.velocity"][self.rows]
        times = scene["frames.timestamp"][self.frames]
        self.times = (times - times[0]) * 1e-9


def wrapped(angle):
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def velocities(at, times):
    low = np.maximum(np.arange(len(at)) - 1, 0)
    high = np.minimum(np.arange(len(at)) + 1, len(at) - 1)
    return (at[high] - at[low]) / (times[high] - times[low])[:, None]


def along(before, first, keys, values):
    """Places the steps from `first` on where the path's keys have these values."""
    at, yaw = before.at[first:], np.unwrap(before.yaw[first:])
    x, y = (np.interp(values, keys, at[:, axis]) for axis in (0, 1))
    return np.stack([x, y], axis=1), np.interp(values, keys, yaw)


def compare(dataset, edited, track, first, at, yaw):
    """Compares a track with what NumPy computed for its steps from `first` on."""
    before, after = Rows(dataset, track), Rows(edited, track)
    assert (before.rows == after.rows).all()
    expected = np.concatenate([before.at[:first], at])
    np.testing.assert_allclose(after.at, expected, rtol=0, atol=1e-8)
    yaws = np.concatenate([before.yaw[:first], yaw])
    np.testing.assert_allclose(wrapped(after.yaw - yaws), 0, atol=1e-6)
    assert (after.yaw >= -np.float32(np.pi)).all() and (after.yaw < np.pi).all()
    changed = (after.at != before.at).any(axis=1) | (after.yaw != before.yaw)
    moved = velocities(after.at, after.times)
    np.testing.assert_allclose(after.velocity[changed], moved[changed], atol=1e-4)
    assert (after.velocity[~changed] == before.velocity[~changed]).all()
    scenes = [one.scene(SCENE) for one in (dataset, edited)]
    others = scenes[0]["agents.track_id"] != track
    for name, values in scenes[0].items():
        rows = others if name.startswith("agents.") else slice(None)
        assert values[rows].tobytes() == scenes[1][name][rows].tobytes(), name


def test_a_moved_track_is_that_of_numpy(dataset, track):
    before = Rows(dataset, track)
    first = 40
    move = {"op": "move", "track": track, "from": int(before.frames[first])}
    edited = dataset.patched(patch({**move, "by": [1.5, -2], "turn": 0.7, "in": "track"}))
    heading = before.yaw[first]
    turn = lambda a: np.array(  # noqa: E731
        [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    )
    pivot = before.at[first]
    at = (before.at[first:] - pivot) @ turn(0.7).T + pivot + turn(heading) @ [1.5, -2]
    compare(dataset, edited, track, first, at, before.yaw[first:] + 0.7)


def test_a_stopped_track_is_that_of_numpy(dataset, track):
    before = Rows(dataset, track)
    first = 30
    edit = {"op": "stop", "track": track, "from": int(before.frames[first])}
    edited = dataset.patched(patch({**edit, "deceleration": 2.5}))
    speed = np.linalg.norm(velocities(before.at, before.times)[first])
    steps = np.linalg.norm(np.diff(before.at[first:], axis=0), axis=1)
    time = np.minimum(before.times[first:] - before.times[first], speed / 2.5)
    keys = np.concatenate([[0], np.cumsum(steps)])
    at, yaw = along(before, first, keys, speed * time - 2.5 * time**2 / 2)
    compare(dataset, edited, track, first, at, yaw)


@pytest.mark.parametrize("factor", [0.6, 1.8])
def test_a_retimed_track_is_that_of_numpy(dataset, track, factor):
    before = Rows(dataset, track)
    first = 20
    edit = {"op": "retime", "track": track, "from": int(before.frames[first])}
    edited = dataset.patched(patch({**edit, "factor": factor}))
    keys = before.times[first:] - before.times[first]
    at, yaw = along(before, first, keys, np.minimum(factor * keys, keys[-1]))
    compare(dataset, edited, track, first, at, yaw)


EVERY = [
    {"op": "move", "track": "ego", "from": 5, "by": [0.5, 1], "turn": 0.1},
    {"op": "add", "track": 10**9, "label": "BUS", "extent": [12, 2.6, 3.2], "from": 3}
    | {"path": [[0, 690.0, -2200.0, 0.5], [60, 700.0, -2210.0, 0.6]]},
]


def test_answers_are_those_of_the_data_set_that_is_written(
    dataset, track, town, tmp_path, program
):
    edits = [*EVERY, {"op": "remove", "track": track, "from": 30}]
    edited = dataset.patched(patch(*edits))
    edited.copy(tmp_path / "a.zarr")
    written = bevscope.open(tmp_path / "a.zarr")
    assert len(written.agents) != len(dataset.agents)
    for name, values in edited.scene(SCENE).items():
        assert values.tobytes() == written.scene(SCENE)[name].tobytes(), name
    facts = [one.facts(slice(SCENE, SCENE + 1), compute=True) for one in (edited, written)]
    for table in ("scenes", "tracks"):
        for name, values in facts[0][table].items():
            assert values.tobytes() == facts[1][table][name].tobytes(), name
    samples = [bevscope.Samples(one, CONFIG) for one in (edited, written)]
    for state in (0, 29, 30, 100):
        a, b = (one.track(SCENE, state) for one in samples)
        assert a.keys() == b.keys()
        for name in a:
            assert np.asarray(a[name]).tobytes() == np.asarray(b[name]).tobytes(), name
    file = tmp_path / "patch.json"
    file.write_text(json.dumps(patch(*edits)))
    command = [program, "copy", town / "scenes/town.zarr", tmp_path / "b.zarr"]
    subprocess.run([*command, "--patch", file, "--quiet"], check=True)
    for one in (tmp_path / "a.zarr").rglob("*"):
        if one.is_file():
            other = tmp_path / "b.zarr" / one.relative_to(tmp_path / "a.zarr")
            assert one.read_bytes() == other.read_bytes(), one


def test_an_empty_patch_is_the_identity(dataset, tmp_path):
    dataset.copy(tmp_path / "a.zarr", scenes=slice(2))
    dataset.patched(patch()).copy(tmp_path / "b.zarr", scenes=slice(2))
    for one in (tmp_path / "a.zarr").rglob("*"):
        if one.is_file():
            other = tmp_path / "b.zarr" / one.relative_to(tmp_path / "a.zarr")
            assert one.read_bytes() == other.read_bytes(), one


def test_a_patched_data_set_pickles_and_outlives_the_other(town, tmp_path):
    file = tmp_path / "patch.json"
    file.write_text(json.dumps(patch(*EVERY)))
    with bevscope.open(town / "scenes/town.zarr") as dataset:
        edited = dataset.patched(file)
    again = pickle.loads(pickle.dumps(edited))
    assert 10**9 in again.scene(SCENE)["agents.track_id"]
    assert again.frame(SCENE, 9)["ego.centroid"].tobytes() == (
        edited.frame(SCENE, 9)["ego.centroid"].tobytes()
    )


def test_what_is_wrong_is_refused(dataset, tmp_path):
    refused = pytest.raises(InvalidArgument, match="edits\\[0\\].by: wrong length")
    with refused:
        dataset.patched(patch({"op": "move", "track": 1, "by": [1]}))
    with pytest.raises(InvalidArgument, match="made for another data set"):
        dataset.patched(patch(data={"frames": 7}))
    with pytest.raises(OutOfRange, match="track 987654321 not found"):
        dataset.patched(patch({"op": "stop", "track": 987654321}))
    with pytest.raises(InvalidArgument, match="patched: patch: Object of type set"):
        dataset.patched(patch(name={1}))
    with pytest.raises(InvalidArgument, match="patched: patch"):
        dataset.patched(7)
    with pytest.raises(OSError):
        dataset.patched(tmp_path / "none.json")
    edited = dataset.patched(patch())
    with pytest.raises(InvalidArgument, match="edits already"):
        edited.patched(patch())
    with pytest.raises(InvalidArgument):
        edited.agents[:3]
