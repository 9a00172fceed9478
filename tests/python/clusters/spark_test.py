"""Batch work and arrays on Spark's local cluster."""

import itertools
import os
import signal

import batch_data
import numpy as np
import pytest

import bevscope
from bevscope import batch

pytest.importorskip("pyspark")
from pyspark.sql import datasource as ds  # noqa: E402

from bevscope.batch import _spark_source  # noqa: E402
from bevscope.batch import spark as engine  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2, 4]")  # a task may fail three times
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    engine.register(session)
    yield session
    session.stop()


def test_the_bytes_are_those_of_one_process(job, sources, expected, tmp_path, spark):
    work = batch.plan(job, sources.of(job), tmp_path / "out")
    batch.commit(work, engine.run(work, spark))
    assert batch_data.contents(tmp_path / "out") == expected(job)


def test_the_mask_is_l5kits(check_mask, spark):
    check_mask(lambda work: engine.run(work, spark))


def test_a_killed_worker_is_replaced(data, expected, tmp_path, spark):
    work = batch.plan(batch_data.JOBS["mask"], data, tmp_path / "out")
    pids = spark.sparkContext.parallelize([0, 1], 2).map(lambda _: os.getpid()).collect()
    for pid in set(pids):
        os.kill(pid, signal.SIGKILL)
    batch.commit(work, engine.run(work, spark))
    assert batch_data.contents(tmp_path / "out") == expected(batch_data.JOBS["mask"])


def load(spark, data, **options):
    reader = spark.read.format("bevscope").options(partitions=3, **options)
    return reader.load(str(data))


def test_rows_are_an_rdd(data, spark):
    rows = load(spark, data, array="agents", fields="track_id").rdd
    assert rows.getNumPartitions() <= 3
    expected = bevscope.open(data).agents[:]["track_id"]
    assert rows.map(lambda row: row.track_id).collect() == expected.tolist()


def test_rows_and_filters_are_those_of_a_reader(data, spark):
    agents = load(spark, data, fields="track_id,yaw")
    assert agents.columns == ["track_id", "yaw"]
    assert agents.count() == 6 * 31 * 240
    found = agents.where("track_id = 7 and yaw > 0.1").toPandas()
    reader = bevscope.open(data).reader("agents", where="track_id == 7 and yaw > 0.1")
    yaw = np.concatenate([one["yaw"] for one in reader])
    np.testing.assert_array_equal(np.sort(found["yaw"]), np.sort(yaw))


KINDS = (
    ds.EqualTo,
    ds.LessThan,
    ds.LessThanOrEqual,
    ds.GreaterThan,
    ds.GreaterThanOrEqual,
)


def test_filters_that_are_pushed_down_have_sparks_meaning(numbers, spark):
    """Compares with Spark's own evaluation, for NaN, infinities, zeros and large
    integers."""
    from pyspark.sql import functions as f

    store, rows = numbers
    frame = load(spark, store, array="numbers")
    types = {one.name: one.type for one in bevscope_types(store)}
    trees, columns = [], []
    for kind, (name, values) in itertools.product(
        KINDS, batch_data.compared_values(rows).items()
    ):
        for value in values:
            tree = _spark_source._tree(kind((name,), value), name, types[name])
            if tree is None:
                continue
            column = f.col(name)
            compared = {
                "EqualTo": column == f.lit(value),
                "LessThan": column < f.lit(value),
                "LessThanOrEqual": column <= f.lit(value),
                "GreaterThan": column > f.lit(value),
                "GreaterThanOrEqual": column >= f.lit(value),
            }[kind.__name__]
            columns.append(compared.alias(f"c{len(trees)}"))
            trees.append((kind.__name__, name, value, tree))
    assert len(trees) > 100
    expected = frame.select("row", *columns).toPandas().sort_values("row")
    assert len(expected) == len(rows)
    for number, (kind, name, value, tree) in enumerate(trees):
        reader = bevscope.open(store).reader("numbers", where=tree, fields=["row"])
        found = [int(row) for one in reader for row in one["row"]]
        wanted = expected["row"][expected[f"c{number}"]].tolist()
        assert found == wanted, (kind, name, value)


def bevscope_types(store):
    from bevscope.batch._tables import Rows

    return Rows(str(store), "numbers").schema()


@pytest.mark.parametrize(
    "condition",
    [
        "f8 > 1.5D",
        "f8 >= double('NaN')",
        "f8 = double('NaN')",
        "f4 > 0.1",
        "i8 = 9007199254740993",
        "u8 > 9007199254740992",
        "i1 in (1, 2, 3)",
        "flag = true",
        "not (f8 < 1.5D)",
        "f8 <= 0.0D and i1 < 5",
        "f8 <> 0.0D",
    ],
)
def test_queries_with_push_down_have_the_rows_of_queries_without(condition, numbers, spark):
    store, _ = numbers
    rows = []
    for pushdown in ("true", "false"):
        frame = load(spark, store, array="numbers", pushdown=pushdown).where(condition)
        rows.append(sorted(one["row"] for one in frame.select("row").collect()))
    assert rows[0] == rows[1]
    assert rows[0]


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


def test_a_failed_write_leaves_nothing(data, tmp_path, spark):
    from pyspark.sql import functions as f

    store = tmp_path / "copy.zarr"
    agents = load(spark, data, fields="yaw,track_id")
    broken = agents.select(
        f.when(f.col("track_id") == 7, f.raise_error(f.lit("on purpose")))
        .otherwise(f.col("yaw"))
        .cast("double")
        .alias("yaw")
    )
    with pytest.raises(Exception, match="on purpose"):
        broken.write.format("bevscope").mode("append").save(str(store))
    assert not store.exists()
