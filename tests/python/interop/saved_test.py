"""Other readers open what savers write: zarr-python 3, tensorstore, fsspec and obstore."""

import json

import numpy as np
import pytest

from bevscope import DataConfig, DataLoader, DataSaver

ROWS = 1000


def batch_of(begin, end):
    rows = np.arange(begin, end)
    places = rows[:, None, None] * 12 + np.arange(12).reshape(3, 4)
    return {
        "image": ((places * 6364136223846793005).view("u8") >> 40).astype("u1"),
        "label": rows * 3 - 7,
        "speed": np.sqrt(rows).astype("f4"),
        "is_even": rows % 2 == 0,
    }


@pytest.fixture(scope="module", params=[None, "lz4", "zstd", "zlib"])
def store(request, tmp_path_factory):
    made = tmp_path_factory.mktemp("saved") / "d.zarr"
    config = DataConfig.of(
        "d", batch_of(0, 1), compressor=request.param, max_object_size=2048
    )
    with DataSaver(config, made) as saver:
        for row in range(0, ROWS, 130):
            saver.save(batch_of(row, min(row + 130, ROWS)))
    return made


def test_zarr_python_3_reads_every_array(store):
    zarr = pytest.importorskip("zarr", minversion="3.1")
    group = zarr.open_group(str(store), mode="r")
    assert group.attrs["name"] == "d"
    for name, expected in batch_of(0, ROWS).items():
        assert group[name].dtype == expected.dtype
        np.testing.assert_array_equal(group[name][:], expected)
    assert sorted(name for name, _ in group.arrays()) == sorted(batch_of(0, 1))


def test_tensorstore_reads_every_array(store):
    tensorstore = pytest.importorskip("tensorstore")
    for name, expected in batch_of(0, ROWS).items():
        place = {"driver": "file", "path": str(store / name)}
        array = tensorstore.open({"driver": "zarr", "kvstore": place}).result()
        np.testing.assert_array_equal(array.read().result(), expected)


@pytest.fixture(scope="module", params=[(None, 0), ("lz4", 0), ("zstd", 4), ("gzip", 3)])
def store3(request, tmp_path_factory):
    """A data set of version 3, without and with shards, appended to once."""
    made = tmp_path_factory.mktemp("saved") / "d.zarr"
    compressor, per_shard = request.param
    config = DataConfig.of(
        "d",
        batch_of(0, 1),
        compressor=compressor,
        max_object_size=4096,
        zarr_format=3,
        chunks_per_shard=per_shard,
    )
    for mode, begin, end in (("create", 0, 700), ("append", 700, ROWS)):
        with DataSaver(config, made, mode=mode) as saver:
            for row in range(begin, end, 130):
                saver.save(batch_of(row, min(row + 130, end)))
    largest = max(path.stat().st_size for path in made.glob("*/c/**/*") if path.is_file())
    assert 2048 < largest <= 4096
    return made


def test_zarr_python_3_reads_version_3_and_its_shards(store3):
    zarr = pytest.importorskip("zarr", minversion="3.1")
    group = zarr.open_group(str(store3), mode="r", use_consolidated=True)
    assert group.metadata.zarr_format == 3
    per_shard = DataLoader(store3).config.chunks_per_shard
    for name, expected in batch_of(0, ROWS).items():
        array = group[name]
        assert array.dtype == expected.dtype
        np.testing.assert_array_equal(array[:], expected)
        wanted = array.chunks[0] * per_shard if per_shard else None
        assert (array.shards and array.shards[0]) == wanted


def test_tensorstore_reads_version_3_and_its_shards(store3):
    tensorstore = pytest.importorskip("tensorstore")
    for name, expected in batch_of(0, ROWS).items():
        place = {"driver": "file", "path": str(store3 / name)}
        array = tensorstore.open({"driver": "zarr3", "kvstore": place}).result()
        np.testing.assert_array_equal(array.read().result(), expected)


def test_the_loader_reads_version_3_and_its_shards(store3):
    loader = DataLoader(store3)
    for name, expected in batch_of(0, ROWS).items():
        np.testing.assert_array_equal(loader[:][name], expected)
        np.testing.assert_array_equal(loader[[3, -1]][name], expected[[3, -1]])


def test_loaders_read_through_fsspec_and_obstore(store):
    fsspec = pytest.importorskip("fsspec")
    obstore = pytest.importorskip("obstore.store")
    for address in (fsspec.get_mapper(f"file://{store}"), obstore.LocalStore(str(store))):
        loader = DataLoader(address)
        begin = 0
        for batch in loader.batches(64):
            expected = batch_of(begin, begin + len(batch["label"]))
            for name, values in expected.items():
                np.testing.assert_array_equal(batch[name], values)
            begin += len(batch["label"])
        assert begin == ROWS


def test_consolidated_metadata_is_that_of_the_arrays(store):
    listed = json.loads((store / ".zmetadata").read_text())["metadata"]
    assert len(listed) == 2 + 2 * len(batch_of(0, 1))  # .zarray and .zattrs
    for key, document in listed.items():
        assert json.loads((store / key).read_text()) == document
