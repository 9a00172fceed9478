"""Plans, orders and rows of the fixture are those that TypeScript finds."""

import json
import sys
from pathlib import Path

import pytest
from parquet_files import Server

import bevscope

pytest.importorskip("pyarrow")
FOLDER = Path(__file__).parents[2] / "fixtures/parquet"
sys.path.insert(0, str(FOLDER))

import make  # noqa: E402


def test_the_fixture_has_what_is_expected():
    assert make.found() == json.loads((FOLDER / "expected.json").read_text())


def test_petastorms_metadata_lists_files_by_http():
    with Server(FOLDER) as server:
        dataset = bevscope.parquet(f"{server.url}/petastorm")
        assert dataset.attrs["parquet"]["files"] == 6
        batch = next(iter(dataset.reader(where="year = 2021", fields=["id"])))
    assert sorted(batch["id"]) == [1, 4, 7, 10]
