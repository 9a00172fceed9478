"""Facts beside a data set, as Dataset.facts() reads them."""

import os
import shutil
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest

import bevscope

FILE = ".bevscope/facts.zip"


@pytest.fixture(scope="module")
def indexed(program, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("indexed") / "town"
    words = ["--scenes", "6", "--frames", "30", "--chunk-agents", "2000", "--no-aerial"]
    subprocess.run([program, "town", folder, *words], check=True)
    path = folder / "scenes/town.zarr"
    subprocess.run([program, "index", path, "--quiet"], check=True)
    return path


@pytest.fixture
def copy(indexed, tmp_path) -> Path:
    """A copy of the data set whose files have the same times."""
    return Path(shutil.copytree(indexed, tmp_path / "town.zarr"))


def silently(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return bevscope.open(path).facts(**options)


def assert_equal(found, expected):
    for table, columns in expected.items():
        assert list(found[table]) == list(columns)
        for name, values in columns.items():
            np.testing.assert_array_equal(found[table][name], values, err_msg=name)


def test_facts_beside_the_data_are_those_that_are_computed(copy):
    expected = silently(copy, compute=True)
    assert len(expected["scenes"]["scene"]) == 6
    assert_equal(silently(copy), expected)
    some = silently(copy, scenes=slice(2, 4))
    assert list(some["scenes"]["scene"]) == [2, 3]
    rows = np.isin(expected["tracks"]["scene"], [2, 3])
    for name, values in expected["tracks"].items():
        np.testing.assert_array_equal(some["tracks"][name], values[rows])


def test_facts_beside_the_data_need_no_agents(copy):
    expected = silently(copy)
    for chunk in (copy / "agents").glob("[0-9]*"):
        state = chunk.stat()
        chunk.write_bytes(bytes(state.st_size))
        os.utime(chunk, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert_equal(silently(copy), expected)


def test_facts_of_a_changed_chunk_are_computed_with_a_warning(copy):
    expected = silently(copy)
    os.utime(copy / "agents/0", (2e9, 2e9))
    with pytest.warns(UserWarning, match=r"facts of \d of 6 scenes are computed"):
        found = bevscope.open(copy).facts()
    assert_equal(found, expected)
    assert_equal(silently(copy, compute=True), expected)


@pytest.mark.parametrize("damage", ["cut", "flip", "other"])
def test_damaged_facts_are_computed_with_a_warning(copy, damage):
    expected = silently(copy)
    path = copy / FILE
    data = bytearray(path.read_bytes())
    if damage == "cut":
        del data[len(data) // 2 :]
    elif damage == "flip":
        column = b"track_facts/closest_ego/0"
        data[data.index(column) + len(column) + 9] ^= 4
    else:
        data = bytearray(1000)
    path.write_bytes(data)
    with pytest.warns(UserWarning, match=r"facts\.zip"):
        found = bevscope.open(copy).facts()
    assert_equal(found, expected)
