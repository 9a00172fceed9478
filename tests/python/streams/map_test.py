"""Streams whose batches a function converts."""

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def reader_of(dataset, **options):
    fields = ["row", "velocity"]
    return dataset.reader("agents", where="scene = 0", fields=fields, batch=100, **options)


def with_speed(batch):
    speed = np.hypot(*batch["velocity"].T)
    return {"row": batch["row"], "speed": speed.astype(np.float32)}


OUTPUTS = {"row": np.int64, "speed": "<f4"}


def test_outputs_are_those_of_the_function(dataset):
    mapped = reader_of(dataset).map(with_speed, OUTPUTS)
    assert mapped.schema == {"row": (np.int64, ()), "speed": (np.float32, ())}
    batches = list(mapped)
    assert len(batches) == len(mapped)
    for found, batch in zip(batches, reader_of(dataset), strict=True):
        assert np.array_equal(found["row"], batch["row"])
        assert np.array_equal(found["speed"], with_speed(batch)["speed"])


def test_without_outputs_the_schema_stays(dataset):
    def doubled(batch):
        return {**batch, "velocity": batch["velocity"] * 2}

    mapped = reader_of(dataset).map(doubled)
    assert mapped.schema == reader_of(dataset).schema
    first, plain = next(iter(mapped)), next(iter(reader_of(dataset)))
    assert np.array_equal(first["velocity"], plain["velocity"] * 2)


def test_a_mapped_reader_continues_at_its_state(dataset):
    def mapped():
        return reader_of(dataset, order="full").map(with_speed, OUTPUTS)

    whole = [batch["row"].tolist() for batch in mapped()]
    for stop in (0, 1, len(whole) - 1, len(whole)):
        made, again = mapped(), mapped()
        for _ in range(stop):
            made.next_batch()
        again.load_state(made.state())
        assert [batch["row"].tolist() for batch in again] == whole[stop:]
    made.reset()
    assert [batch["row"].tolist() for batch in made] == whole


def test_maps_nest_and_take_mixtures_and_concatenations(dataset):
    def rows(batch):
        return {"twice": 2 * batch["row"]}

    mapped = reader_of(dataset).map(with_speed, OUTPUTS).map(rows, {"twice": "<i8"})
    expected = [2 * batch["row"] for batch in reader_of(dataset)]
    assert all(map(np.array_equal, (one["twice"] for one in mapped), expected))
    joined = bevscope.concat_readers([reader_of(dataset), reader_of(dataset)])
    assert len(list(joined.map(rows, {"twice": "<i8"}))) == 2 * len(expected)
    mixed = bevscope.mix([(reader_of(dataset), 1)]).map(rows, {"twice": "<i8"})
    assert all(map(np.array_equal, (one["twice"] for one in mixed), expected))


@pytest.mark.parametrize(
    ("function", "match"),
    [
        (lambda b: {"row": b["row"]}, r"wrong outputs \(found \['row'\]"),
        (lambda b: {**with_speed(b), "more": b["row"]}, "wrong outputs"),
        (lambda b: [b["row"]], "wrong outputs.*list"),
        (lambda b: {**with_speed(b), "row": b["row"].astype("<i4")}, "row.*dtype.*int32"),
        (lambda b: {**with_speed(b), "row": b["row"][1:]}, "row.*shape.*99.*100"),
        (lambda b: {**with_speed(b), "speed": b["velocity"]}, "speed.*shape"),
        (lambda b: {**with_speed(b), "row": b["row"].tolist()}, "row.*array.*list"),
    ],
)
def test_other_outputs_than_declared_are_refused(dataset, function, match):
    with pytest.raises(bevscope.InvalidArgument, match=match):
        next(iter(reader_of(dataset).map(function, OUTPUTS)))


def test_declarations_are_checked(dataset):
    for declared in ("f99", (1, 2, 3), ("<f4", "x")):
        with pytest.raises(bevscope.InvalidArgument, match='output "speed"'):
            reader_of(dataset).map(with_speed, {"row": "<i8", "speed": declared})


def test_shapes_of_items_are_declared(dataset):
    mapped = reader_of(dataset).map(
        lambda b: {"pair": b["velocity"]}, {"pair": ("<f4", (2,))}
    )
    assert mapped.schema == {"pair": (np.float32, (2,))}
    assert next(iter(mapped))["pair"].shape == (100, 2)
