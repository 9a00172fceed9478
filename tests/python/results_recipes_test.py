"""The recipes of docs/results.md run on arrays of the shapes that other codes have."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bevscope import results

PAGE = Path(__file__).resolve().parents[2] / "docs/results.md"
random = np.random.default_rng(7)


class Tensor(np.ndarray):
    """An array with the methods of a tensor of PyTorch that the recipes use."""

    def cpu(self):
        return self

    def numpy(self):
        return np.asarray(self)

    def to_torch(self):
        return self


def tensor(values) -> Tensor:
    return np.asarray(values).view(Tensor)


def normal(*shape: int) -> Tensor:
    return tensor(random.normal(size=shape).astype(np.float32))


def recipe(headline: str) -> str:
    section = re.search(rf"^### {headline}\n(.*?)^##", PAGE.read_text(), re.S | re.M)
    [code] = re.findall(r"^```python\n(.*?)^```", section[1], re.S | re.M)
    assert len(code.splitlines()) <= 12
    return code


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a recipe; returns what it saved."""
    monkeypatch.chdir(tmp_path)

    def run(headline: str, file: str, **names) -> results.Submission:
        names |= {"np": np, "results": results}
        exec(compile(recipe(headline), str(PAGE), "exec"), names)
        return results.open_submission(file)

    return run


def test_the_first_example_saves_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text().partition("## From your own arrays")[2]
    code = re.search(r"^```python\n(.*?)^```", text, re.S | re.M)[1]
    exec(compile(code, str(PAGE), "exec"), {})
    [futures] = results.open_submission("mine.npz")["637f20cafde22ff8"]
    assert futures.poses.shape == (32, 2, 4, 80)
    assert futures.ids.tolist() == [1580, 2**64 - 1]


def test_smart(run):
    xy, yaw = normal(32, 5, 80, 2), normal(32, 5, 80)
    calls = iter(range(32))

    def inference(data):
        r = next(calls)
        return {"pred_traj": xy[r], "pred_head": yaw[r]}

    agent = {"id": [[7, 9, 11], ["3", "4"]], "ptr": tensor([0, 3, 5])}
    batch = {"agent": agent, "scenario_id": ["a", "b"]}
    model = SimpleNamespace(inference=inference)
    saved = run("SMART", "smart.npz", model=model, batches=[batch])
    assert (saved.kind, saved.card["method"]) == ("joint futures", "SMART")
    [first], [second] = saved["a"], saved["b"]
    assert (first.ids.tolist(), second.ids.tolist()) == ([7, 9, 11], [3, 4])
    np.testing.assert_array_equal(second.poses[:, 1, 1], xy[:, 4, :, 1])
    np.testing.assert_array_equal(first.poses[5, 2, 3], yaw[5, 2])
    assert first.first_step == 11


def test_catk(run):
    xy, z, yaw = normal(5, 32, 80, 2), normal(5, 32, 80), normal(5, 32, 80)
    agent = {"id": tensor([7, 9, 11, 3, 4]), "batch": tensor([0, 0, 0, 1, 1])}
    data = {"agent": agent, "scenario_id": ["a", "b"]}
    saved = run("CAT-K", "catk.npz", data=data, pred_traj=xy, pred_z=z, pred_head=yaw)
    [second] = saved["b"]
    assert second.ids.tolist() == [3, 4]
    assert second.poses.shape == (32, 2, 4, 80)
    np.testing.assert_array_equal(second.poses[6, 0, 2], z[3, 6])
    np.testing.assert_array_equal(second.poses[6, 1, 3], yaw[4, 6])


def test_mtr(run):
    def prediction(scenario, agent):
        return {
            "scenario_id": scenario,
            "object_id": agent,
            "pred_trajs": np.asarray(normal(6, 80, 2)),
            "pred_scores": np.asarray(normal(6)),
        }

    predictions = [
        [prediction("a", 7), prediction("a", np.int64(9))],
        [prediction("b", 3)],
    ]
    saved = run("MTR", "mtr.npz", predictions=predictions)
    assert saved.kind == "predictions"
    [first], [second] = saved["a"], saved["b"]
    assert (first.ids.tolist(), second.ids.tolist()) == ([7, 9], [3])
    assert not first.is_joint
    one = predictions[0][1]
    np.testing.assert_array_equal(first.poses[2, 1, 1], one["pred_trajs"][2, :, 1])
    np.testing.assert_array_equal(first.scores[:, 1], one["pred_scores"])
    assert second.scores.shape == (6,)


def test_waymax(run):
    known = np.array([True, False, True])
    states = [
        SimpleNamespace(
            object_metadata=SimpleNamespace(ids=np.array([7, 8, 9]), is_valid=known),
            sim_trajectory=SimpleNamespace(
                xyz=normal(3, 91, 3), yaw=normal(3, 91), valid=np.ones((3, 91), bool)
            ),
        )
        for _ in range(4)
    ]
    states[1].sim_trajectory.valid[2, 50] = False
    saved = run("Waymax", "waymax.npz", states=states, scenario_id="a")
    [futures] = saved["a"]
    assert futures.ids.tolist() == [7, 9]
    assert futures.poses.shape == (4, 2, 4, 80)
    path = states[3].sim_trajectory
    np.testing.assert_array_equal(futures.poses[3, 1, :3], path.xyz[2, 11:].T)
    np.testing.assert_array_equal(futures.poses[3, 1, 3], path.yaw[2, 11:])
    assert np.argwhere(~futures.valid).tolist() == [[1, 1, 39]]


def test_gpudrive(run):
    ids = tensor(np.array([[7, 8, 9], [3, 4, -1]], np.float32))
    names = ("pos_x", "pos_y", "pos_z", "rotation_angle")
    steps = [
        SimpleNamespace(id=ids, **{name: normal(2, 3) for name in names}) for _ in range(80)
    ]
    means = normal(2, 3)
    env = SimpleNamespace(
        sim=SimpleNamespace(world_means_tensor=lambda: means),
        cont_agent_mask=tensor([[True, False, True], [True, True, False]]),
        get_scenario_ids=lambda: {0: "a", 1: "b"},
    )
    saved = run("GPUDrive", "gpudrive.npz", steps=steps, env=env)
    [first], [second] = saved["a"], saved["b"]
    assert (first.ids.tolist(), second.ids.tolist()) == ([7, 9], [3, 4])
    assert first.poses.shape == (1, 2, 4, 80)
    y = np.array([one.pos_y[1, 1] + means[1, 1] for one in steps])
    np.testing.assert_array_equal(second.poses[0, 1, 1], y)
    yaw = np.array([one.rotation_angle[0, 2] for one in steps])
    np.testing.assert_array_equal(first.poses[0, 1, 3], yaw)
