"""Random filters, also without a field, constant or with NaN, pass the rows that Python's
own numbers say; see tests/fixtures/make_random_filters.py."""

import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

import bevscope

FIXTURE = Path(__file__).parents[1] / "fixtures/random_filters.zip"


@pytest.fixture(scope="module")
def filters():
    with zipfile.ZipFile(FIXTURE) as archive:
        return json.load(io.TextIOWrapper(archive.open("filters.json"), "utf-8"))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filters")
    shutil.unpack_archive(FIXTURE, folder)
    return folder / "store.zarr"


def rows_of(dataset, table, where):
    found = 0
    for batch in dataset.reader(table, fields=["row"], where=where):
        found |= sum(1 << int(row) for row in batch["row"])
    return f"{found:x}"


def check(dataset, filters):
    wrong = []
    for table, where, expected in filters:
        count = dataset.reader(table, where=where).count()
        if (
            rows_of(dataset, table, where) != expected
            or count != int(expected, 16).bit_count()
        ):
            wrong.append((table, where))
    assert wrong == []


def test_rows_and_counts(store, filters):
    assert len(filters) == 2000
    check(bevscope.open(store), filters)


def test_with_statistics(store, filters, program, tmp_path):
    indexed = tmp_path / "store.zarr"
    shutil.copytree(store, indexed)
    subprocess.run([program, "index", indexed], check=True, capture_output=True)
    assert (indexed / ".bevscope/statistics.json").exists()
    check(bevscope.open(indexed), filters)
