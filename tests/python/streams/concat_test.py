"""Concatenated readers."""

import pickle

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="module")
def datasets(town):
    return [bevscope.open(town / "scenes/town.zarr") for _ in range(2)]


def readers_of(datasets, **options):
    options = {"fields": ["row", "centroid"], "batch": 300, "order": "blocks", **options}
    where = ("scene = 1", "scene in (0, 2) and frame < 40")
    return [
        one.reader("agents", where=condition, **options)
        for one, condition in zip(datasets, where, strict=True)
    ]


def rows_of(batches):
    return [batch["row"].tolist() for batch in batches]


def test_readers_follow_each_other(datasets):
    expected = [rows for reader in readers_of(datasets) for rows in rows_of(reader)]
    made = bevscope.concat_readers(readers_of(datasets))
    first = rows_of(made)
    assert first == expected
    assert made.count() == sum(map(len, expected))
    assert len(made) == len(expected)
    second = rows_of(made)
    assert second != first
    assert sorted(sum(second, [])) == sorted(sum(first, []))
    made.reset()
    assert rows_of(made) == first


def test_random_stops_continue_with_the_rest(datasets):
    whole = rows_of(bevscope.concat_readers(readers_of(datasets)))
    for stop in np.random.default_rng(1).integers(0, len(whole) + 1, 15):
        made = bevscope.concat_readers(readers_of(datasets))
        for _ in range(stop):
            made.next_batch()
        again = bevscope.concat_readers(readers_of(datasets))
        again.load_state(made.state())
        assert rows_of(again) == whole[stop:]
        assert rows_of(pickle.loads(pickle.dumps(made))) == whole[stop:]


def test_a_schema_that_differs_is_refused_with_both(datasets):
    readers = [
        datasets[0].reader("agents", fields=["row", "yaw"]),
        datasets[1].reader("agents", fields=["row", "centroid"]),
    ]
    with pytest.raises(bevscope.InvalidArgument, match="centroid.*reader 1.*yaw"):
        bevscope.concat_readers(readers)
    with pytest.raises(bevscope.InvalidArgument, match="no readers"):
        bevscope.concat_readers([])


def test_a_refused_state_leaves_the_position(datasets):
    made, other = (bevscope.concat_readers(readers_of(datasets)) for _ in range(2))
    made.next_batch(), other.next_batch()
    foreign = bevscope.concat_readers(readers_of(datasets, order="full")).state()
    for state in (foreign, "", "{}", '{"version": 1}'):
        with pytest.raises(bevscope.InvalidArgument):
            made.load_state(state)
    assert rows_of(made) == rows_of(other)


def test_a_mixture_of_epochs_is_not_a_state_of_a_concatenation(datasets):
    readers = readers_of(datasets)
    mixed = bevscope.mix([(one, 1) for one in readers])
    with pytest.raises(bevscope.InvalidArgument, match="not a state"):
        bevscope.concat_readers(readers_of(datasets)).load_state(mixed.state())
