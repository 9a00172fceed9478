"""Hugging Face's datasets take the rows of readers."""

import numpy as np
import pytest

import bevscope

datasets = pytest.importorskip("datasets")
pyarrow = pytest.importorskip("pyarrow")

PLAN = {"where": "speed > 5", "fields": ["row", "centroid", "speed"], "order": "blocks"}


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def test_rows_are_those_of_the_reader(dataset):
    rows = datasets.Dataset(pyarrow.table(dataset.reader("agents", **PLAN)))
    expected = list(dataset.reader("agents", **PLAN))
    for name in PLAN["fields"]:
        known = np.concatenate([batch[name] for batch in expected])
        assert np.array_equal(rows[name][:], known), name
    assert len(rows.filter(lambda row: row["speed"] > 8)) == (known > 8).sum()


@pytest.mark.parametrize("workers", [1, 3])
def test_shards_are_divided_among_workers(dataset, workers):
    def read(shards):
        for shard in shards:
            for batch in dataset.reader("agents", shard=(shard, 6), **PLAN):
                for values in zip(*batch.values()):
                    yield dict(zip(batch, values))

    shards = {"shards": list(range(6))}
    streamed = datasets.IterableDataset.from_generator(read, gen_kwargs=shards)
    assert streamed.num_shards == 6
    parts = [streamed.shard(workers, index) for index in range(workers)]
    rows = [row["row"] for part in parts for row in part]
    expected = [batch["row"] for batch in dataset.reader("agents", **PLAN)]
    assert sorted(rows) == sorted(np.concatenate(expected).tolist())
    assert len(next(iter(streamed))["centroid"]) == 2
