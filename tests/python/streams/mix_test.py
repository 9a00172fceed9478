"""Mixtures of readers."""

import json
import pathlib
import pickle

import numpy as np
import pytest

import bevscope
from bevscope import _core

VECTORS = pathlib.Path(__file__).parents[2] / "vectors" / "mixture.json"


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


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text())["vectors"])
def test_choices_are_those_of_other_hosts(vector):
    order = _core.MixOrder(json.dumps(vector["mixture"]))
    read, chosen = [0] * len(vector["batches"]), []
    while len(chosen) < 40 and (one := order.choice()) is not None:
        if read[one] < vector["batches"][one]:
            read[one] += 1
            chosen.append(one)
            order.took()
        else:
            read[one] = 0
            order.exhausted()
    assert chosen == vector["chosen"]
    assert (order.choice() is None) == vector["ends"]
    states = order.reader_states(vector["state"])
    assert order.state(states) != vector["state"]
    order.restore(vector["state"])
    assert order.state(states) == vector["state"]


def test_a_mixture_pickles_with_its_position(dataset):
    made = mixed(dataset)
    chosen_of(made, 7)
    again = pickle.loads(pickle.dumps(made))
    assert again.state() == made.state()
    assert chosen_of(again) == chosen_of(made)


def test_a_refused_state_leaves_the_position(dataset):
    made, other = mixed(dataset), mixed(dataset)
    chosen_of(made, 7), chosen_of(other, 7)
    readers = readers_of(dataset)[::-1]
    foreign = bevscope.mix(zip(readers, (0.5, 0.3, 0.2), strict=True), seed=3)
    with pytest.raises(bevscope.InvalidArgument, match="another plan"):
        made.load_state(foreign.state())
    assert [b["row"].tolist() for b in made] == [b["row"].tolist() for b in other]


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
        with pytest.raises(bevscope.InvalidArgument, match="mix: weight"):
            bevscope.mix([(reader, weight)])
    with pytest.raises(bevscope.InvalidArgument, match="number of readers.*found 0"):
        bevscope.mix([])
    with pytest.raises(bevscope.InvalidArgument, match="sometimes"):
        bevscope.mix([(reader, 1)], on_exhausted="sometimes")
    made = bevscope.mix([(reader, 1)])
    for state in ("", "[]", "{}", '{"version": 1}', '{"version": 1' + "[" * 10_000):
        with pytest.raises(bevscope.InvalidArgument, match="state"):
            made.load_state(state)
    with pytest.raises(bevscope.InvalidArgument, match="seed 5, expected 0"):
        made.load_state(bevscope.mix([(reader, 1)], seed=5).state())
