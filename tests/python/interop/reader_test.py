"""Arrow's readers take a reader; values are those of its batches."""

import numpy as np
import pytest

import bevscope

pa = pytest.importorskip("pyarrow")

FIELDS = ["row", "centroid", "track_id", "yaw", "kept", "host"]


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def reader_of(dataset, **options):
    where = "speed > 1 and distance_to_ego < 40"
    return dataset.reader("agents", where=where, fields=FIELDS, batch=100, **options)


def test_pyarrow_reads_a_batch_per_batch(dataset):
    batches = list(reader_of(dataset, order="blocks"))
    stream = pa.RecordBatchReader.from_stream(reader_of(dataset, order="blocks"))
    found = list(stream)
    assert stream.schema.names == FIELDS
    assert [one.num_rows for one in found] == [len(batch["row"]) for batch in batches]
    for one, batch in zip(found, batches, strict=True):
        one.validate(full=True)
        for name in ("row", "track_id", "yaw", "kept", "host"):
            assert one.column(name).to_pylist() == batch[name].tolist()
        centroid = one.column("centroid").flatten().to_numpy().reshape(-1, 2)
        assert np.array_equal(centroid, batch["centroid"])


def test_windows_become_nested_lists(dataset):
    window = {"past": 1, "future": 1, "edges": "pad"}
    reader = dataset.reader("agents", window=window, fields=["yaw"], batch=500)
    table = pa.table(reader)
    assert table.schema.names == ["yaw", "window.mask"]
    kind = table.schema.field("yaw").type
    assert (kind.list_size, kind.value_type) == (3, pa.float32())
    assert table.num_rows == reader.count() == len(dataset.agents)


def test_an_empty_stream_has_the_schema(dataset):
    table = pa.table(dataset.reader("agents", where="yaw > 100", fields=FIELDS))
    assert table.num_rows == 0
    assert table.schema.names == FIELDS


def test_duckdb_and_polars_take_a_reader(dataset):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    rows = sorted(row for batch in reader_of(dataset) for row in batch["row"].tolist())
    frame = polars.DataFrame(reader_of(dataset))
    assert sorted(frame["row"].to_list()) == rows
    reader = reader_of(dataset)
    found = duckdb.sql('SELECT count(*), sum("row") FROM reader').fetchall()
    assert found == [(len(rows), sum(rows))]
    assert reader.epoch in (0, 1)
