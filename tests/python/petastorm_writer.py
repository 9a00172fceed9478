"""Writes a data set of every codec with Petastorm's materialize_dataset and Spark.

Usage: petastorm_writer.py FOLDER [ROWS], in the environment of scripts/build petastorm,
with Java.
"""

import sys
import warnings
from decimal import Decimal
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")

from petastorm.codecs import (  # noqa: E402
    CompressedImageCodec,
    CompressedNdarrayCodec,
    NdarrayCodec,
    ScalarCodec,
)
from petastorm.etl.dataset_metadata import materialize_dataset  # noqa: E402
from petastorm.unischema import (  # noqa: E402
    Unischema,
    UnischemaField,
    dict_to_spark_row,
)
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.types import (  # noqa: E402
    DecimalType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
)

ROWS = 120
IMAGE = (32, 16, 3)
SCHEMA = Unischema(
    "Everything",
    [
        UnischemaField("city", np.str_, (), ScalarCodec(StringType()), False),
        UnischemaField("year", np.int32, (), ScalarCodec(IntegerType()), False),
        UnischemaField("id", np.int64, (), ScalarCodec(LongType()), False),
        UnischemaField("id2", np.int32, (), ScalarCodec(ShortType()), False),
        UnischemaField("real", np.float64, ()),
        UnischemaField("odd", np.bool_, ()),
        UnischemaField("small", np.uint8, ()),
        UnischemaField("price", Decimal, (), ScalarCodec(DecimalType(10, 4)), False),
        UnischemaField("name", np.str_, (), ScalarCodec(StringType()), False),
        UnischemaField("maybe", np.int32, (), nullable=True),
        UnischemaField("maybe_name", np.str_, (), nullable=True),
        UnischemaField("png", np.uint8, IMAGE, CompressedImageCodec("png"), False),
        UnischemaField("gray", np.uint8, (8, 9), CompressedImageCodec("png"), False),
        UnischemaField("deep", np.uint16, (8, 9), CompressedImageCodec("png"), False),
        UnischemaField("jpeg", np.uint8, IMAGE, CompressedImageCodec("jpeg", 80), False),
        UnischemaField("maybe_png", np.uint8, IMAGE, CompressedImageCodec("png"), True),
        UnischemaField("matrix", np.float32, (4, 3), NdarrayCodec(), False),
        UnischemaField("packed", np.uint16, (5, 2), CompressedNdarrayCodec(), False),
        UnischemaField("points", np.float32, (None, 3), NdarrayCodec(), False),
        UnischemaField("maybe_points", np.float64, (None,), NdarrayCodec(), True),
        UnischemaField("cloud", np.int16, (None, 2), CompressedNdarrayCodec(), False),
        UnischemaField("words", np.str_, (None,), NdarrayCodec(), False),
        UnischemaField("codes", np.bytes_, (None, 2), NdarrayCodec(), False),
    ],
)


def row_of(number):
    """Returns a row, which depends on its number alone."""
    rng = np.random.default_rng(number)
    count = int(rng.integers(0, 6))
    image = rng.integers(0, 256, IMAGE).astype(np.uint8)
    words = np.array([f"w{i}" for i in range(count)], np.str_)
    return {
        "city": f"town {number % 2}",
        "year": np.int32(2020 + number % 3),
        "id": np.int64(number),
        "id2": np.int32(number % 5),
        "real": np.float64(number) / 7,
        "odd": np.bool_(number % 2),
        "small": np.uint8(number),
        "price": Decimal(number) / Decimal(8),
        "name": f"name \u00e9{number}",
        "maybe": None if number % 3 == 0 else np.int32(-number),
        "maybe_name": None if number % 4 == 0 else "x" * (number % 7),
        "png": image,
        "gray": rng.integers(0, 256, (8, 9)).astype(np.uint8),
        "deep": rng.integers(0, 2**16, (8, 9)).astype(np.uint16),
        "jpeg": image,
        "maybe_png": None if number % 2 else image,
        "matrix": rng.random((4, 3)).astype(np.float32),
        "packed": rng.integers(0, 2**16, (5, 2)).astype(np.uint16),
        "points": rng.random((count, 3)).astype(np.float32),
        "maybe_points": None if number % 5 == 0 else rng.random(count),
        "cloud": rng.integers(-99, 99, (count, 2)).astype(np.int16),
        "words": words,
        "codes": np.array([[b"ab", b"c"]] * count, np.bytes_).reshape(count, 2),
    }


def write(folder, count=ROWS):
    url = Path(folder).resolve().as_uri()
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    try:
        with materialize_dataset(spark, url, SCHEMA, row_group_size_mb=1):
            rows = [dict_to_spark_row(SCHEMA, row_of(number)) for number in range(count)]
            frame = spark.createDataFrame(rows, SCHEMA.as_spark_schema())
            frame.coalesce(1).sortWithinPartitions("id").write.partitionBy(
                "city", "year"
            ).parquet(url)
    finally:
        spark.stop()


if __name__ == "__main__":
    write(sys.argv[1], *map(int, sys.argv[2:]))
