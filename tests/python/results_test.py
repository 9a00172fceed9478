"""bevscope.results: submissions to challenges as arrays, and their scores."""

import hashlib
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
from protobuf import field, varint

from bevscope import Error, NotFound
from bevscope.results import COLUMNS, open_submission, score

WAYMO = os.environ.get("BEV_WAYMO")
needs_waymo = pytest.mark.skipif(WAYMO is None, reason="BEV_WAYMO is not set")


def waymo(name: str) -> pathlib.Path:
    return pathlib.Path(WAYMO or "") / name


SUBMISSION = "sim_agents/testdata/test_submission.binproto"
SCENARIO = "637f20cafde22ff8"


def made(scenario: str, rollouts: int = 2, method: str = "made") -> bytes:
    """A submission of agents 7 and 9, whose value in step t is 10 r + t."""

    def agent(number: int, r: int) -> bytes:
        values = (np.arange(80) + 10 * r).astype("<f4").tobytes()
        arrays = b"".join(field(k, values) for k in (2, 3, 4, 5))
        return field(1, arrays + varint(6 * 8) + varint(number))

    scenes = (field(2, agent(7, r) + agent(9, r)) for r in range(rollouts))
    message = field(1, scenario.encode()) + b"".join(scenes)
    return (
        field(1, message)
        + varint(2 * 8)
        + varint(1)
        + field(3, b"a@b.c")
        + field(4, method.encode())
        + field(8, b"javascript:1")
    )


def test_futures_are_arrays_by_scenario(tmp_path):
    (tmp_path / "m.binproto-00000-of-00002").write_bytes(made("a"))
    (tmp_path / "m.binproto-00001-of-00002").write_bytes(made("b", rollouts=3))
    with open_submission(tmp_path) as submission:
        assert list(submission) == ["a", "b"]
        assert len(submission) == 2
        assert submission.kind == "sim agents"
        assert submission.card == {
            "method": "made",
            "affiliation": "",
            "link": "",
            "parameters": "",
        }
        [futures] = submission["b"]
        with pytest.raises(KeyError):
            submission["c"]
    assert futures.ids.tolist() == [7, 9]
    assert futures.poses.shape == (3, 2, 4, 80)
    assert futures.poses.dtype == np.float32
    assert futures.poses[2, 1, 3, 5] == 25
    assert not futures.poses.flags.owndata
    assert (futures.first_step, futures.step_stride, futures.is_joint) == (11, 1, True)
    assert futures.sizes is futures.valid is futures.scores is None


def own_npz(**more) -> dict[str, object]:
    """Two scenarios of 3 rollouts, 2 agents and 5 steps."""
    futures = np.arange(2 * 3 * 2 * 5 * 4, dtype=np.float32).reshape(2, 3, 2, 5, 4)
    return {
        "futures": futures,
        "scenario_id": np.array(["a", "b"]),
        "track_id": np.array([[7, 9], [8, -1]]),
        "first_step": 11,
    } | more


def test_arrays_of_numpy_are_submissions(tmp_path):
    arrays = own_npz(name="mine", size=np.ones((2, 2, 2)), probability=np.ones((2, 3, 2)))
    np.savez(tmp_path / "m.npz", **arrays)
    with open_submission(tmp_path / "m.npz") as submission:
        assert (submission.kind, submission.card["method"]) == ("joint futures", "mine")
        [both], [one] = submission["a"], submission["b"]
    assert both.ids.tolist() == [7, 9]
    np.testing.assert_array_equal(both.poses, arrays["futures"][0].transpose(0, 1, 3, 2))
    assert both.sizes.tolist() == [[1, 1, 0], [1, 1, 0]]
    assert both.scores.shape == (3, 2)
    assert (both.first_step, both.step_stride, both.is_joint) == (11, 1, True)
    assert (one.ids.tolist(), one.sizes.shape, one.scores.shape) == ([8], (1, 3), (3,))


def test_rows_of_csv_are_submissions(tmp_path):
    (tmp_path / "m.csv").write_text(
        "# name: mine\nscenario_id,track_id,mode,step,x,y,length,width\n"
        "a,AV,0,11,1,2,4,2\na,AV,0,12,3,4,4,2\n"
    )
    [futures] = open_submission(tmp_path / "m.csv")["a"]
    assert futures.ids.tolist() == [2**64 - 1]
    assert futures.poses.tolist() == [[[[1, 3], [2, 4]]]]
    assert futures.sizes.shape == (1, 1, 3, 2)


def test_arrays_that_are_pickles_or_compressed_are_refused(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, **own_npz(track_id=np.array([[{}, {}], [{}, {}]], dtype=object)))
    with pytest.raises(Error, match="track_id: an array of objects is a pickle"):
        open_submission(path)
    np.savez_compressed(path, **own_npz())
    with pytest.raises(Error, match=r"use numpy\.savez"):
        open_submission(path)


def test_files_that_are_no_submission_are_refused(tmp_path):
    with pytest.raises(NotFound, match="absent: not found"):
        open_submission(tmp_path / "absent")
    with pytest.raises(NotFound, match="no files"):
        open_submission(tmp_path)
    damaged = tmp_path / "damaged.binproto"
    damaged.write_bytes(made("a")[:500])
    with pytest.raises(Error, match="damaged.binproto"):
        open_submission(damaged)
    twice = tmp_path / "twice.binproto"
    twice.write_bytes(made("a"))
    with pytest.raises(Error, match="a"):
        open_submission(twice, twice)


@needs_waymo
def test_the_real_submission_has_the_values_of_an_independent_reader():
    [futures] = open_submission(waymo(SUBMISSION))[SCENARIO]
    assert futures.poses.shape == (32, 50, 4, 80)
    digest = hashlib.sha256(np.ascontiguousarray(futures.poses).tobytes()).hexdigest()
    assert digest == "431e86743ef4361ee5197c70b9970bd1fa34218e4b313e1393aa8fd4b040b079"
    assert futures.ids[0] == 1580


@needs_waymo
def test_the_real_submission_has_the_scores_of_an_independent_computation():
    scores = score(open_submission(waymo(SUBMISSION)), [waymo("testdata")])
    [row] = scores.rows
    assert tuple(row) == COLUMNS
    assert row["scenario_id"] == SCENARIO
    assert (row["agents"], row["evaluated"], row["rollouts"]) == (50, 4, 32)
    assert row["mismatches"] == 0
    assert row["collision_rate"] == 0.6875
    assert scores.summary["minADE"] == row["min_ade"] < row["ade"]


@needs_waymo
def test_scenarios_that_the_data_lacks_are_an_error(tmp_path):
    path = tmp_path / "m.binproto"
    path.write_bytes(made("a"))
    with pytest.raises(NotFound, match="no recorded scenario"):
        score(open_submission(path), [waymo("testdata")])


def test_a_side_file_is_used_unless_it_is_of_another_content(tmp_path, program):
    path = tmp_path / "m.binproto"
    path.write_bytes(made("a") + made("b"))
    futures = [program, "futures", path]
    ran = subprocess.run([*futures, "--index"], capture_output=True, text=True)
    side = tmp_path / "m.binproto.index.json"
    assert (ran.stdout, ran.stderr) == (f"{side}\n", "")
    index = json.loads(side.read_text())
    assert [one[0] for one in index["scenarios"]] == ["a", "b"]
    with open_submission(path, side) as submission:
        assert list(submission) == ["a", "b"]
    # Of the same file, but with another name: the index is what is believed.
    side.write_text(side.read_text().replace('["a",', '["c",'))
    with open_submission(tmp_path) as submission:
        assert list(submission) == ["c", "b"]
        with pytest.raises(Error, match="another scenario_id than in the index"):
            submission["c"]
    os.utime(side, ns=(0, 0))
    with pytest.warns(UserWarning, match="m.binproto.index.json: ignored: older"):
        assert list(open_submission(path)) == ["a", "b"]
    side.write_text("{}")
    with pytest.warns(UserWarning, match="ignored: not an index"):
        assert list(open_submission(path)) == ["a", "b"]
    ran = subprocess.run(futures, capture_output=True, text=True)
    assert ran.stderr.startswith(f"bevscope: warning: {side}: ignored: not an index")
    assert json.loads(ran.stdout)["scenarios"][0]["id"] == "a"
