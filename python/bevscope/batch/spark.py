"""Runs batch work on Spark, and is Spark's data source "bevscope". Needs pyspark 4.

    bevscope.batch.spark.register(spark)
    agents = spark.read.format("bevscope").option("array", "agents").load("train.zarr")

Filters are pushed down from pyspark 4.1 on; chunks that they exclude are not read.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from ._spark_source import BevscopeSource
from ._work import Work
from ._work import open as open_work
from ._work import run as run_task

__all__ = ["BevscopeSource", "register", "run"]


def run(work: Work, spark: SparkSession) -> list[str]:
    """Runs the tasks without a result on a cluster, whose machines see the folder
    OUTPUT.batch, and returns their results. Spark repeats failed tasks."""
    missing, output = work.missing(), work.output
    if not missing:
        return []
    tasks = spark.sparkContext.parallelize(missing, len(missing))
    results: list[str] = tasks.map(lambda task: run_task(open_work(output), task)).collect()
    return results


def register(spark: SparkSession) -> None:
    """Makes the format "bevscope" known to a session, and enables that filters are pushed
    down to Python sources (spark.sql.python.filterPushdown.enabled)."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(BevscopeSource)
