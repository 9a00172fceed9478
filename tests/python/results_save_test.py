"""bevscope.results.save: arrays as a file that open_submission reads."""

import numpy as np
import pytest

from bevscope import Error, InvalidArgument
from bevscope.results import open_submission, save


def poses(agents: int, rollouts: int = 3) -> np.ndarray:
    count = rollouts * agents * 5 * 4
    return np.arange(count, dtype=np.float64).reshape(rollouts, agents, 5, 4)


def test_scenarios_may_have_other_numbers_of_agents(tmp_path):
    path = tmp_path / "m.npz"
    given = {
        "a": {"ids": np.float32([7, 9]), "futures": poses(2), "size": np.ones((2, 2))},
        "b": {"ids": [8], "futures": poses(1), "size": [[4, 2]]},
    }
    save(path, given, first_step=11, step_stride=2, name="Größe")
    with open_submission(path) as submission:
        assert (submission.kind, submission.card["method"]) == ("joint futures", "Größe")
        [two], [one] = submission["a"], submission["b"]
    assert (two.ids.tolist(), one.ids.tolist()) == ([7, 9], [8])
    np.testing.assert_array_equal(two.poses, poses(2).transpose(0, 1, 3, 2))
    np.testing.assert_array_equal(one.poses, poses(1).transpose(0, 1, 3, 2))
    assert one.sizes.tolist() == [[4, 2, 0]]
    assert (one.first_step, one.step_stride, one.valid) == (11, 2, None)
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]


def test_the_ego_vehicle_is_a_text_or_the_id_that_was_read(tmp_path):
    path = tmp_path / "m.npz"
    given = {
        "a": {"ids": [7, "AV"], "futures": poses(2)},
        "b": {"ids": np.array([3, 2**64 - 1], np.uint64), "futures": poses(2)},
        "c": {"ids": [5], "futures": poses(1)},
    }
    save(path, given, first_step=0)
    found = open_submission(path)
    assert [found[key][0].ids.tolist() for key in "abc"] == [
        [7, 2**64 - 1],
        [3, 2**64 - 1],
        [5],
    ]


def test_modes_have_probabilities_and_absent_poses(tmp_path):
    path = tmp_path / "m.npz"
    valid = np.ones((3, 2, 5), bool)
    valid[1, 0, 2] = False
    chances = np.array([[0.5, 0.25], [0.25, 0.5], [0.25, 0.25]])
    arrays = {"ids": [7, 9], "futures": poses(2)[..., :2]}
    arrays |= {"probability": chances, "valid": valid}
    save(path, {"a": arrays}, first_step=15, joint=False, fields="y,x")
    [found] = open_submission(path)["a"]
    assert not found.is_joint
    np.testing.assert_array_equal(found.scores, chances)
    np.testing.assert_array_equal(found.valid, valid)
    assert found.poses[0, 0, :, 0].tolist() == [1, 0]


def test_scenarios_may_be_computed_on_access(tmp_path):
    class Computed(dict):
        taken = 0

        def __getitem__(self, key):
            Computed.taken += 1
            return {"ids": [int(key)], "futures": poses(1)}

    given = Computed.fromkeys(str(i) for i in range(20))
    save(tmp_path / "m.npz", given, first_step=0)
    assert Computed.taken == 40
    assert open_submission(tmp_path / "m.npz")["13"][0].ids.tolist() == [13]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": [7]}, "invalid arrays .found futures, id, ids"),
        ({"futures": np.zeros((3, 2, 5))}, "futures: invalid value"),
        ({"ids": [7]}, r"ids: invalid value .*shape \(1,\), expected shape \(2,\)"),
        ({"ids": [7.5, 9]}, "ids: invalid value"),
        ({"size": np.ones((2, 4))}, r"size: .*expected shape \(2, 2\) or \(2, 3\)"),
        ({"valid": np.ones((3, 2))}, "valid: invalid value"),
        ({"futures": poses(2, 4)}, "other rollouts, steps, values or arrays"),
        ({"probability": np.ones(3)}, "other rollouts, steps, values or arrays"),
    ],
)
def test_other_arrays_are_refused_by_scenario(tmp_path, change, message):
    good = {"ids": [7, 9], "futures": poses(2)}
    given = {"a": good, "b": good | change}
    with pytest.raises(InvalidArgument, match=f"^scenario b: {message}"):
        save(tmp_path / "m.npz", given, first_step=0)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_read_does_not_replace_a_file(tmp_path):
    path = tmp_path / "m.npz"
    path.write_text("before")
    good = {"ids": [7, 9], "futures": poses(2)}
    with pytest.raises(Error, match=r"m\.npz: fields: unknown or twice"):
        save(path, {"a": good}, first_step=0, fields="x,y,v,w")
    with pytest.raises(Error, match=r"m\.npz: track_id: neither a whole number nor AV"):
        save(path, {"a": good | {"ids": ["7", "x"]}}, first_step=0)
    with pytest.raises(Error, match=r"m\.npz: scenario_id: empty"):
        save(path, {"": good}, first_step=0)
    with pytest.raises(InvalidArgument, match="scenarios: none"):
        save(path, {}, first_step=0)
    with pytest.raises(InvalidArgument, match="joint"):
        save(path, {"a": good}, first_step=0, joint="no")
    assert path.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]
