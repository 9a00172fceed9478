"""Batch work and arrays on Spark's local cluster."""

import batch_data
import numpy as np
import pytest

import bevscope
from bevscope import batch

pytest.importorskip("pyspark")
from bevscope.batch import spark as engine  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.python.filterPushdown.enabled", "true")
        .getOrCreate()
    )
    session.dataSource.register(engine.BevscopeSource)
    yield session
    session.stop()


@pytest.mark.parametrize("name", batch_data.JOBS)
def test_the_bytes_are_those_of_one_process(name, data, expected, tmp_path, spark):
    job = batch_data.JOBS[name]
    work = batch.plan(job, data, tmp_path / "out")
    batch.commit(work, engine.run(work, spark))
    assert batch_data.contents(tmp_path / "out") == expected(job)


def load(spark, data, **options):
    reader = spark.read.format("bevscope").options(partitions=3, **options)
    return reader.load(str(data))


def test_rows_and_filters_are_those_of_a_reader(data, spark):
    agents = load(spark, data, fields="track_id,yaw")
    assert agents.columns == ["track_id", "yaw"]
    assert agents.count() == 6 * 31 * 240
    found = agents.where("track_id = 7 and yaw > 0.1").toPandas()
    reader = bevscope.open(data).reader("agents", where="track_id == 7 and yaw > 0.1")
    yaw = np.concatenate([one["yaw"] for one in reader])
    np.testing.assert_array_equal(np.sort(found["yaw"]), np.sort(yaw))


def test_sql_counts_what_numpy_counts(data, spark):
    load(spark, data).createOrReplaceTempView("agents")
    rows = spark.sql(
        "select count(*) n, max(extent[0]) l from agents where centroid[0] > 50"
    ).collect()
    agents = bevscope.open(data).agents
    assert rows[0]["n"] == int((agents["centroid"][:, 0] > 50).sum())
    assert rows[0]["l"] == 4.0


def test_a_data_set_is_written_by_one_commit(data, tmp_path, spark):
    store = str(tmp_path / "copy.zarr")
    agents = load(spark, data, fields="yaw,centroid")
    writer = agents.write.format("bevscope").option("shapes", '{"centroid": [2]}')
    writer.mode("overwrite").save(store)
    assert len(bevscope.DataLoader(store)) == 6 * 31 * 240
    found = np.sort(bevscope.open(store)["yaw"][:])
    np.testing.assert_array_equal(found, np.sort(bevscope.open(data).agents["yaw"]))
