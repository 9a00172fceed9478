"""bevscope.results: files of other challenges, and pickles of results."""

import json
import os
import pickle
import subprocess
import zipfile

import numpy as np
import pytest

from bevscope import Error
from bevscope.results import open_submission


def joint(steps=81):
    """What PufferDrive collects, of two scenarios."""
    random = np.random.default_rng(1)
    out = {name: random.normal(0, 9, (3, 2, steps)).astype("f4") for name in "xyz"}
    out["heading"] = random.normal(0, 1, (3, 2, steps)).astype("f4")
    out["id"] = np.broadcast_to(np.array([7, 8, 9], "i4")[:, None, None], out["x"].shape)
    out["scenario_id"] = np.array([["b1"], ["a1"], ["b1"]])
    return out


def predictions():
    """What MTR's generate_prediction_dicts returns, of two scenes."""
    random = np.random.default_rng(2)
    return [
        [
            {
                "scenario_id": np.array([scenario])[0],
                "pred_trajs": random.normal(0, 9, (6, 80, 2)).astype(np.float32),
                "pred_scores": random.random(6).astype(np.float32),
                "object_id": np.array([agent])[0],
                "object_type": "TYPE_VEHICLE",
                "gt_trajs": np.zeros((91, 10)),
                "track_index_to_predict": np.array(agent),
            }
            for agent in agents
        ]
        for scenario, agents in (("a", [7, 9]), ("b", [1]))
    ]


def saved(path, value, protocol=4):
    path.write_bytes(pickle.dumps(value, protocol))
    return path


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_results_of_pufferdrive_are_joint_futures(tmp_path, protocol):
    made = joint()
    submission = open_submission(saved(tmp_path / "m.pkl", made, protocol))
    assert (submission.kind, list(submission)) == ("joint futures", ["b1", "a1"])
    [futures] = submission["b1"]
    assert futures.ids.tolist() == [7, 9]
    assert (futures.first_step, futures.is_joint) == (10, True)
    for value, name in enumerate(("x", "y", "z", "heading")):
        expected = made[name][[0, 2]].transpose(1, 0, 2)
        np.testing.assert_array_equal(futures.poses[:, :, value], expected)
    assert futures.names is futures.valid is None


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_predictions_of_mtr_are_modes_of_single_agents(tmp_path, protocol):
    made = predictions()
    submission = open_submission(saved(tmp_path / "m.pkl", made, protocol))
    assert (submission.kind, list(submission)) == ("predictions", ["a", "b"])
    [futures] = submission["a"]
    assert (futures.first_step, futures.is_joint) == (11, False)
    for agent, one in enumerate(made[0]):
        expected = one["pred_trajs"].transpose(0, 2, 1)
        np.testing.assert_array_equal(futures.poses[:, agent], expected)
        np.testing.assert_array_equal(futures.scores[:, agent], one["pred_scores"])


class Called:
    def __reduce__(self):
        return os.system, ("touch called",)


def test_pickles_call_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for made in (Called(), [Called()], joint() | {"z": Called()}, [[Called()]]):
        with pytest.raises(Error, match=r"posix\.system") as caught:
            open_submission(saved(tmp_path / "m.pkl", made))
        assert caught.value.code == "unsupported"
    assert not (tmp_path / "called").exists()
    assert isinstance(joint()["x"], np.ndarray)


def test_objects_and_pickles_of_other_things_are_refused_by_name(tmp_path):
    for made, message in (
        (joint() | {"x": np.array([None])}, "objects"),
        ({"a": 1}, "a pickle of something else"),
        ([{"scenario_id": "a"}], "expected MTR's dicts"),
        ({k: v for k, v in joint().items() if k != "scenario_id"}, "scenario_id: missing"),
    ):
        with pytest.raises(Error, match=message):
            open_submission(saved(tmp_path / "m.pkl", made))


def test_cases_of_interpret_have_the_names_of_their_tracks(tmp_path):
    path = tmp_path / "DR_A_sub.csv"
    path.write_text(
        "case_id,track_id,frame_id,timestamp_ms,x1,y1,psi_rad1\n"
        "1.0,P1,11,1100,1,2,0.5\n1.0,3,11,1100,3,4,0\n"
    )
    submission = open_submission(path)
    assert (submission.kind, list(submission)) == ("INTERPRET prediction", ["DR_A/1"])
    [futures] = submission["DR_A/1"]
    assert futures.names == ["P1", "3"]
    assert futures.poses.tolist() == [[[[1], [2], [0], [0.5]], [[3], [4], [0], [0]]]]
    assert (futures.first_step, futures.is_joint) == (10, True)


def test_predictions_for_nuscenes_are_scenarios(tmp_path, program):
    path = tmp_path / "p.json"
    made = {
        "instance": "i",
        "sample": "s",
        "prediction": np.arange(2 * 12 * 2).reshape(2, 12, 2).tolist(),
        "probabilities": [0.25, 0.5],
    }
    path.write_text(json.dumps([made]))
    with open_submission(path) as submission:
        assert submission.kind == "nuScenes prediction"
        [futures] = submission["i_s"]
    assert futures.names == ["i"]
    assert futures.poses.shape == (2, 1, 2, 12)
    assert futures.poses[1, 0, :, 0].tolist() == [24, 25]
    assert futures.scores.ravel().tolist() == [0.25, 0.5]
    described = [program, "futures", path, "--scenario", "i_s"]
    ran = subprocess.run(described, capture_output=True, text=True)
    assert json.loads(ran.stdout)[0]["steps"] == 12


def test_submissions_are_read_from_the_zip_that_is_sent(tmp_path, program):
    path = tmp_path / "interpret.zip"
    header = "case_id,track_id,frame_id,x1,y1\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("DR_A_sub.csv", header + "1,3,11,1,2\n")
        made.writestr("DR_B_sub.csv", header + "1,4,11,3,4\n2,5,11,5,6\n")
        made.writestr("notes.txt", "ignored")
    with open_submission(path) as submission:
        assert submission.kind == "INTERPRET prediction"
        assert list(submission) == ["DR_A/1", "DR_B/1", "DR_B/2"]
        [futures] = submission["DR_B/2"]
        assert futures.ids.tolist() == [5]
        assert futures.poses.tolist() == [[[[5], [6]]]]
    ran = subprocess.run([program, "futures", path], capture_output=True, check=True)
    assert len(json.loads(ran.stdout)["scenarios"]) == 3
    prediction = {
        "instance": "i",
        "sample": "s",
        "prediction": [[[1, 2], [3, 4]]],
        "probabilities": [1],
    }
    path = tmp_path / "nuscenes.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("submission.json", json.dumps([prediction]))
    assert list(open_submission(path)) == ["i_s"]
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("notes.txt", "nothing else")
    with pytest.raises(Error, match=r"nuscenes\.zip: an archive without results"):
        open_submission(path)
