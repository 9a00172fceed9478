"""bevscope.simulations: logs and scenes of nuPlan, beside NumPy's version of measures."""

import json
import lzma
import os
import pickle
import tracemalloc

import numpy as np
import pytest
from made_simulation import comfort, log_bytes, times_to_collision

import bevscope
from bevscope.simulations import open_simulation


def driven(seed, count=40, ahead=30.0):
    """Frames of a turning ego vehicle with a vehicle ahead, one aside, and a cone."""
    random = np.random.default_rng(seed)
    frames, x, y, heading = [], 664_000.0, 3_999_000.0, 3.0
    for i in range(count):
        motion = [8 + random.normal(), 0, *random.normal(0, 1, 2), 0.2, 0]
        motion[5] = random.normal(0, 0.1)
        x, y = x + 0.8 * np.cos(heading), y + 0.8 * np.sin(heading)
        heading = (heading + 0.02 + np.pi) % (2 * np.pi) - np.pi
        at = lambda d, s, h=heading: (  # noqa: E731
            x + d * np.cos(h) - s * np.sin(h),
            y + d * np.sin(h) + s * np.cos(h),
        )
        boxes = [
            ("0a", 0, *at(ahead - 0.4 * i, 0.5), heading, 4.5, 1.9, 3.0, 0.0),
            ("0b", 1, *at(-8, 20), 1.0, 0.7, 0.7, 1.0, 0.5),
            ("0c", 3, *at(60, -9), 0.0, 0.5, 0.5, None),
        ]
        plan = [(i * 100_000 + k * 500_000, x + 4 * k, y, heading) for k in range(3)]
        time_us = 1_600_000_000_000_000 + i * 100_000
        frames.append(
            dict(
                time_us=time_us, ego=(x, y, heading), motion=motion, boxes=boxes, plan=plan
            )
        )
    return frames


@pytest.fixture
def save(tmp_path):
    def write(data, name="ab12.pkl.xz"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize("msgpack", [False, True])
def test_a_log_has_poses_boxes_plans_and_names(save, msgpack):
    frames = driven(1)
    name = "ab12.msgpack.xz" if msgpack else "ab12.pkl.xz"
    found = open_simulation(save(log_bytes(frames, msgpack=msgpack), name))
    assert (found.planner, found.type, found.log) == ("idm", "following", "log1")
    assert found.scenario == "ab12"
    assert found.centre_ahead == pytest.approx(1.461)
    np.testing.assert_array_equal(found.ego, [one["ego"] for one in frames])
    np.testing.assert_array_equal(found.times_us, [one["time_us"] for one in frames])
    np.testing.assert_array_equal(found.motion, [one["motion"] for one in frames])
    boxes = [box[2:7] for one in frames for box in one["boxes"]]
    np.testing.assert_array_equal(found.boxes[:, :5], boxes)
    assert found.boxes[1, 5] == pytest.approx(np.hypot(1, 0.5))
    assert found.tracks == ["0a", "0b", "0c"]
    np.testing.assert_array_equal(found.box_type[:3], [0, 1, 3])
    np.testing.assert_array_equal(found.plan, [p[1:] for f in frames for p in f["plan"]])
    assert found.plan_us is not None and len(found.plan_us) == len(found.plan)
    assert found.expert is None


@pytest.mark.parametrize("seed", range(4))
def test_comfort_and_time_to_collision_are_those_of_numpy(save, seed):
    frames = driven(seed)
    found = open_simulation(save(log_bytes(frames))).measures
    assert len(found.collision_frame) == 0
    expected = comfort(frames)
    np.testing.assert_allclose(found.comfort, expected, atol=2e-8)
    bounds = [(-4.05, 2.40), (-4.89, 4.89), (-4.13, 4.13), (-8.37, 8.37)]
    bounds += [(-0.95, 0.95), (-1.93, 1.93)]
    within = [
        ((low < one) & (one < high)).all()
        for one, (low, high) in zip(expected, bounds, strict=True)
    ]
    assert found.ego_is_comfortable == all(within)
    times = times_to_collision(frames)
    assert np.isfinite(times).any() and not np.isfinite(times).all()
    np.testing.assert_allclose(found.time_to_collision_ahead, times)


@pytest.mark.parametrize("count", [3, 4, 5, 7, 8, 9, 15, 16])
def test_short_simulations_have_shorter_windows(save, count):
    frames = driven(7, count)
    found = open_simulation(save(log_bytes(frames))).measures
    if count < 4:
        assert found.comfort is None and found.ego_is_comfortable is None
    else:
        np.testing.assert_allclose(found.comfort, comfort(frames), atol=2e-8)


def test_collisions_have_types_and_scores(save):
    frames = driven(2, 60, ahead=18.0)
    found = open_simulation(save(log_bytes(frames))).measures
    assert found.collision_track.tolist() == [0]
    assert found.collision_type.tolist() == [2]  # ACTIVE_FRONT_COLLISION
    assert found.no_ego_at_fault_collisions == 0
    assert found.time_to_collision_within_bound is False
    assert found.time_to_collision_ahead[found.collision_frame[0]] == 0


class Touch:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def test_nothing_in_a_log_is_called(save, tmp_path):
    trace = tmp_path / "trace"
    data = pickle.dumps(Touch(trace))
    pickle.loads(data)
    assert trace.exists()  # as a loader would
    trace.unlink()
    found = open_simulation(save(log_bytes(driven(3, 5), planner=Touch(trace))))
    assert len(found.times_us) == 5
    with pytest.raises(bevscope.Error, match="simulation_history"):
        open_simulation(save(lzma.compress(data)))
    assert not trace.exists()


def test_cut_files_and_bombs_are_refused(save):
    data = log_bytes(driven(4, 3))
    for size in range(0, len(data), max(1, len(data) // 200)):
        with pytest.raises(bevscope.Error):
            open_simulation(save(data[:size]))
    with pytest.raises(bevscope.Error, match="bytes after the end"):
        open_simulation(save(data + b"x"))
    bomb = save(lzma.compress(bytes(2**28)), "bomb.msgpack.xz")
    tracemalloc.start()
    with pytest.raises(bevscope.Error, match="inflates too much") as refused:
        open_simulation(bomb)
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()
    assert refused.value.code == "limit_exceeded"


def scene(time_us, x):
    """A scene as the devkit's serialization_callback.py writes it."""
    states = [
        {"pose": [x + k, 5.0, 0.0], "speed": 3.0, "lateral": [0, 0]} for k in range(2)
    ]
    box = {"pose": [x + 20, 5.0, 0.5], "size": [2.0, 4.5]}
    car = {"id": "0a", "type": "vehicle", "speed": 2.0, "box": box}
    return {
        "timestamp_us": time_us,
        "goal": None,
        "ego": {"pose": [x, 5.0, 0.0], "speed": 0.0, "acceleration": 0.0},
        "map_name": "us-nv-las-vegas-strip",
        "world": {"vehicles": [car]},
        "trajectories": {
            "ego_predicted_trajectory": {"states": states},
            "ego_expert_trajectory": {"states": states},
        },
        "traffic_light_status": [{"status": "GREEN", "lane_connector_id": 1}],
    }


def test_scenes_are_read_from_one_file_or_many(save, tmp_path):
    scenes = [scene(100_000 * i, float(i)) for i in range(5)]
    for one in scenes:
        data = json.dumps(one).encode()
        save(data, f"many/{one['timestamp_us']}.json")
    whole = save(json.dumps(scenes).encode(), "one/ab12.json")
    pickled = save(lzma.compress(pickle.dumps(scenes)), "pickled/ab12.pkl.xz")
    for path in (tmp_path / "many", whole, pickled):
        found = open_simulation(path)
        np.testing.assert_allclose(found.ego[:, 0], np.arange(5) + 1.461)
        np.testing.assert_allclose(found.boxes[0], [20, 5, 0.5, 4.5, 2, 2])
        assert found.motion is None and found.plan_us is None
        assert found.map == "us-nv-las-vegas-strip"
        np.testing.assert_allclose(found.expert[:, 0], [1.461, 2.461])
        assert found.measures.ego_is_comfortable is None
        assert found.measures.no_ego_at_fault_collisions is None


def test_wrong_paths_are_named(tmp_path):
    with pytest.raises(bevscope.NotFound, match="not found"):
        open_simulation(tmp_path / "none")
    with pytest.raises(bevscope.NotFound, match="no files"):
        open_simulation(tmp_path)
