"""Mixtures of readers."""

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def readers_of(dataset, **options):
    """Readers of two scenes, and one of a few rows."""
    return [
        dataset.reader("agents", where=where, fields=["row", "scene"], batch=50, **options)
        for where in ("scene = 0", "scene = 1", "scene = 2 and frame < 10")
    ]


def mixed(dataset, **options):
    return bevscope.mix(
        zip(readers_of(dataset), (0.5, 0.3, 0.2), strict=True), **{"seed": 3, **options}
    )


def chosen_of(made, count=None):
    found = []
    while (count is None or len(found) < count) and (one := made.next_batch()):
        assert (one[1]["scene"] == one[0]).all()
        found.append(one[0])
    return found


def test_readers_are_chosen_by_weight(dataset):
    made = mixed(dataset, on_exhausted="restart")
    chosen = chosen_of(made, 3_000)
    share = np.bincount(chosen, minlength=3) / len(chosen)
    assert np.allclose(share, (0.5, 0.3, 0.2), atol=0.04)
    assert chosen == chosen_of(mixed(dataset, on_exhausted="restart"), 3_000)
    other = chosen_of(mixed(dataset, on_exhausted="restart", seed=4), 3_000)
    assert chosen != other


def test_an_exhausted_reader_stops_the_mixture(dataset):
    made = mixed(dataset)
    chosen = chosen_of(made)
    assert chosen.count(2) == len(readers_of(dataset)[2])
    assert chosen_of(made) == []
    made.reset()
    assert chosen_of(made) == chosen


def test_renormalising_reads_everything_once(dataset):
    rows = np.concatenate([b["row"] for b in mixed(dataset, on_exhausted="renormalise")])
    expected = [b["row"] for reader in readers_of(dataset) for b in reader]
    assert np.array_equal(np.sort(rows), np.sort(np.concatenate(expected)))


@pytest.mark.parametrize("rule", ["stop", "renormalise"])
def test_random_stops_continue_with_the_rest(dataset, rule):
    whole = [b["row"].tolist() for b in mixed(dataset, on_exhausted=rule)]
    for stop in np.random.default_rng(1).integers(0, len(whole), 20):
        made = mixed(dataset, on_exhausted=rule)
        for _ in range(stop):
            made.next_batch()
        again = mixed(dataset, on_exhausted=rule)
        again.load_state(made.state())
        assert [b["row"].tolist() for b in again] == whole[stop:]


def test_errors_name_what_was_found(dataset):
    reader = dataset.reader("agents", fields=["row"])
    other = dataset.reader("agents", fields=["yaw"])
    with pytest.raises(bevscope.InvalidArgument, match="schemas differ.*yaw.*row"):
        bevscope.mix([(reader, 1), (other, 1)])
    for weight in (0, -1, float("nan"), float("inf")):
        with pytest.raises(bevscope.InvalidArgument, match="positive"):
            bevscope.mix([(reader, weight)])
    with pytest.raises(bevscope.InvalidArgument, match="no readers"):
        bevscope.mix([])
    with pytest.raises(bevscope.InvalidArgument, match="sometimes"):
        bevscope.mix([(reader, 1)], on_exhausted="sometimes")
    made = bevscope.mix([(reader, 1)])
    for state in ("", "[]", "{}", '{"version": 1}', '{"version": 1' + "[" * 10_000):
        with pytest.raises(bevscope.InvalidArgument, match="state"):
            made.load_state(state)
    with pytest.raises(bevscope.InvalidArgument, match="seed 5, expected 0"):
        made.load_state(bevscope.mix([(reader, 1)], seed=5).state())
