"""Copies in L5Kit's layout are read by L5Kit, and by the package that replaces it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bevscope
from bevscope.l5kit.data import ChunkedDataset

HERE = Path(__file__).parent
#: Options of Dataset.copy().
LAYOUTS = {
    "original": {},
    "viewing": {"layout": "viewing"},
    "chunks": {"chunks": {"agents": 333, "frames": 7}},
    "zstd": {"codec": "zstd", "level": 3},
    "none": {"codec": "none"},
}


@pytest.fixture(scope="module")
def original(goldens):
    return goldens / "inputs/multi_scene.zarr"


@pytest.fixture(scope="module")
def copies(original, tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies")
    dataset = bevscope.open(original)
    for name, options in LAYOUTS.items():
        dataset.copy(folder / f"{name}.zarr", **options)
    return [folder / f"{name}.zarr" for name in LAYOUTS]


def test_the_package_that_replaces_l5kit_reads_copies(original, copies):
    expected = ChunkedDataset(str(original)).open()
    for path in copies:
        found = ChunkedDataset(str(path)).open()
        for name in ("scenes", "frames", "agents", "tl_faces"):
            ours, theirs = getattr(found, name)[:], getattr(expected, name)[:]
            assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes()), path


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_l5kit_itself_reads_copies(original, copies):
    words = [sys.executable, HERE / "with_l5kit.py", HERE / "read_copies.py"]
    words += [original, *copies]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(len(copies))
