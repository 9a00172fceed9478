"""Descriptions of fields, compared with NumPy."""

import numpy as np
import pytest

import bevscope

FIELDS = ["yaw", "track_id", "centroid", "distance_to_ego", "kept"]
WHERE = "distance_to_ego < 25"


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


@pytest.fixture(scope="module")
def columns(dataset):
    fields = [*FIELDS, "label", "host", "scene"]
    batches = list(dataset.reader("agents", where=WHERE, fields=fields, batch=10_000))
    return {name: np.concatenate([one[name] for one in batches]) for name in fields}


def check(found, columns, rows):
    assert found["rows"] == rows.sum()
    names = ["yaw", "track_id", "centroid", "centroid", "distance_to_ego", "kept"]
    assert [one["name"] for one in found["columns"]] == names
    for one in found["columns"]:
        values = columns[one["name"]][rows]
        if "element" in one:
            values = values[:, one["element"]]
        assert one["count"] == len(values)
        assert (one["nan"], one["infinite"]) == (0, 0)
        assert (one["min"], one["max"]) == (values.min(), values.max())
        exact = values.astype(np.float64)
        assert one["mean"] == pytest.approx(exact.mean(), rel=1e-9)
        assert one["std"] == pytest.approx(exact.std(), rel=1e-6)
        ordered = np.sort(exact)
        for fraction, value in one["quantiles"]:
            low, high = (
                np.searchsorted(ordered, value, side) / len(ordered)
                for side in ("left", "right")
            )
            bound = one["rank_error"] + 1 / len(ordered)
            assert low - bound <= fraction <= high + bound
        histogram = one["histogram"]
        assert sum(histogram["counts"]) == len(values)
        if histogram["width"] > 0:
            bins = np.floor((exact - histogram["begin"]) / histogram["width"])
            assert np.bincount(bins.astype(int)).tolist() == histogram["counts"]


def test_all_rows_are_described_as_numpy_does(dataset, columns):
    reader = dataset.reader("agents", where=WHERE, fields=FIELDS, order="full")
    first = next(iter(reader))
    check(reader.describe(), columns, np.ones(len(columns["yaw"]), bool))
    assert not np.array_equal(reader.next_batch()["yaw"], first["yaw"])


@pytest.mark.parametrize("by", ["label", "host", "scene"])
def test_groups_are_described_apart(dataset, columns, by):
    reader = dataset.reader("agents", where=WHERE, fields=FIELDS)
    found = reader.describe(by=by)
    assert (found["by"], found["rows"]) == (by, len(columns[by]))
    values = np.unique(columns[by]).tolist()
    assert [group["value"] for group in found["groups"]] == values
    for group in found["groups"]:
        check(group, columns, columns[by] == group["value"])
        if by == "label":
            assert group["name"] == reader.names["label"][group["value"]]


def test_what_cannot_be_described_is_an_error(dataset):
    reader = dataset.reader("agents", fields=["yaw"])
    with pytest.raises(bevscope.InvalidArgument, match="group by yaw"):
        reader.describe(by="yaw")
    for name in ("lable", ""):
        with pytest.raises(bevscope.NotFound):
            reader.describe(by=name)
    windows = dataset.reader("agents", fields=["yaw"], window={"past": 1})
    with pytest.raises(bevscope.InvalidArgument, match="windows"):
        windows.describe()
