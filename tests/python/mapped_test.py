"""Arrays that are mapped into memory."""

import gc
import json
import os
import shutil
import subprocess

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="module")
def stored(town, program, tmp_path_factory):
    """The town without a codec."""
    folder = tmp_path_factory.mktemp("mapped") / "none.zarr"
    source = town / "scenes/town.zarr"
    subprocess.run(
        [program, "copy", source, folder, "--codec", "none", "--chunk", "agents=500"],
        check=True,
        capture_output=True,
    )
    return folder


def test_rows_of_a_chunk_are_views_of_its_file(stored):
    agents = bevscope.open(stored).agents
    size = agents.chunks[0]
    rows = agents.mapped(slice(size, size + 20))
    assert rows.dtype == agents.dtype
    assert np.array_equal(rows, agents[size : size + 20])
    assert not rows.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        rows["yaw"] = 0
    with pytest.raises(ValueError):
        rows.flags.writeable = True
    assert np.array_equal(agents.mapped(slice(40, 10, -3)), agents[40:10:-3])
    assert np.array_equal(agents.mapped(slice(2, None, -1)), agents[2::-1])
    assert len(agents.mapped(slice(5, 5))) == 0


def test_chunks_are_mapped_one_by_one(stored):
    agents = bevscope.open(stored).agents
    chunks = list(agents.mapped_chunks())
    assert len(chunks) > 1
    assert np.array_equal(np.concatenate(chunks), agents[:])
    with pytest.raises(bevscope.InvalidArgument, match="in 2 chunks of 500"):
        agents.mapped(slice(490, 510))


def test_a_view_keeps_the_mapping(stored):
    dataset = bevscope.open(stored)
    rows = dataset.agents.mapped(slice(0, 100))["centroid"]
    expected = dataset.agents["centroid", :100]
    del dataset
    gc.collect()
    assert np.array_equal(rows, expected)

    def mappings():
        with open("/proc/self/maps") as file:
            return sum(str(stored) in line for line in file)

    assert mappings() == 1
    del rows
    gc.collect()
    assert mappings() == 0


def test_arrays_with_axes_are_mapped_if_chunks_are_whole_rows(tmp_path):
    zarr = {
        "zarr_format": 2, "shape": [5, 3], "chunks": [2, 3], "dtype": ">f4",
        "compressor": None, "filters": None, "fill_value": 0, "order": "C",
    }  # fmt: skip
    values = np.arange(18, dtype=">f4").reshape(6, 3)

    def write(name, **changes):
        folder = tmp_path / name
        folder.mkdir()
        (folder / ".zarray").write_text(json.dumps({**zarr, **changes}))
        for i in range(3):
            (folder / f"{i}.0").write_bytes(values[2 * i : 2 * i + 2].tobytes())

    (tmp_path / ".zgroup").write_text('{"zarr_format": 2}')
    write("whole")
    write("fortran", order="F")
    write("divided", chunks=[2, 2])
    dataset = bevscope.open(tmp_path)
    found = list(dataset["whole"].mapped_chunks())
    assert [len(one) for one in found] == [2, 2, 1]
    assert np.array_equal(np.concatenate(found), values[:5])
    assert found[0].dtype == np.dtype(">f4")
    for name in ("fortran", "divided"):
        with pytest.raises(bevscope.Unsupported, match="not whole rows in order C"):
            dataset[name].mapped(slice(0, 1))


def test_other_stores_are_refused(stored, town):
    with pytest.raises(bevscope.Unsupported, match="its chunks are compressed"):
        bevscope.open(town / "scenes/town.zarr").agents.mapped(slice(0, 1))
    objects = {
        path.relative_to(stored).as_posix(): path.read_bytes()
        for path in stored.rglob("*")
        if path.is_file()
    }
    with pytest.raises(bevscope.Unsupported, match="only objects in folders"):
        bevscope.open(objects).agents.mapped(slice(0, 1))
    with pytest.raises(bevscope.InvalidArgument, match="expected a slice"):
        bevscope.open(stored).agents.mapped([1, 2])


def test_files_that_were_cut_or_removed_are_errors(stored, tmp_path):
    folder = tmp_path / "cut.zarr"
    shutil.copytree(stored, folder)
    agents = bevscope.open(folder).agents
    first = agents.mapped(slice(0, 10)).copy()
    os.truncate(folder / "agents/0", 1000)
    with pytest.raises(bevscope.ReadError, match="agents/0: changed"):
        agents.mapped(slice(0, 10))
    os.truncate(folder / "agents/1", 1000)
    with pytest.raises(bevscope.Error, match="agents/1: wrong length"):
        agents.mapped(slice(500, 510))
    (folder / "agents/2").unlink()
    with pytest.raises(bevscope.NotFound, match="agents/2: not stored"):
        agents.mapped(slice(1000, 1010))
    assert np.array_equal(first, bevscope.open(stored).agents[:10])
