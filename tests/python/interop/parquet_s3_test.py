"""A Parquet data set in S3: a folder with partitions, listed and read with signatures."""

import numpy as np
import pytest
from parquet_files import rows_of
from s3_bucket import bucket_of

import bevscope

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 900


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    server = bucket_of(monkeypatch)
    for number, begin in enumerate(range(0, ROWS, 300)):
        path = tmp_path / "part.parquet"
        rows = np.arange(begin, begin + 300)
        pq.write_table(pa.table({"row": rows, "half": rows / 2}), path, row_group_size=100)
        key = f"a b/cars/city=town%20{number % 2}/{number}.parquet"
        server.objects[key] = path.read_bytes()
        server.writers[key] = None
    yield server
    server.end()


@pytest.mark.parametrize("address", ["s3://bucket/a b/cars", "s3://bucket/a b/cars/"])
def test_a_folder_has_the_rows_of_its_files(bucket, address):
    dataset = bevscope.parquet(address)
    found = rows_of(dataset.reader(fields=["row", "half", "city"], batch=128))
    rows = found["row"]
    assert sorted(rows) == list(range(ROWS))
    assert np.array_equal(found["half"], rows / 2)
    assert (found["city"] == np.where(rows // 300 % 2, "town 1", "town 0")).all()


def test_partition_keys_exclude_files(bucket):
    dataset = bevscope.parquet("s3://bucket/a b/cars")
    bucket.seen.clear()
    rows = rows_of(dataset.reader(where='city == "town 1"', fields=["row"]))
    assert rows["row"].tolist() == list(range(300, 600))
    read = {key for (_, key), count in bucket.seen.items() if count and "parquet" in key}
    # Not even that one, if this bucket, which sends whole objects, sent it with the footer.
    assert read <= {"a b/cars/city=town%201/1.parquet"}


def test_one_file_is_opened_by_its_name(bucket):
    bucket.objects["one.parquet"] = bucket.objects["a b/cars/city=town%200/0.parquet"]
    bucket.writers["one.parquet"] = None
    dataset = bevscope.open("s3://bucket/one.parquet")
    assert rows_of(dataset.reader())["row"].tolist() == list(range(300))
