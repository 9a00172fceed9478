"""GDAL opens columns and saved arrays.

rasterio's wheel contains GDAL 3.10, whose Zarr driver does not read the final version 3.
"""

import numpy as np
import pytest

import bevscope

rasterio = pytest.importorskip("rasterio")
pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")

NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]


def read(path, shape):
    """Returns all values. GDAL presents an array as a raster, its first axis as bands."""
    with rasterio.open(path, driver="Zarr") as opened:
        return opened.read().reshape(shape)


@pytest.fixture(scope="module")
def dataset(goldens):
    return bevscope.open(goldens / "inputs/multi_scene.zarr")


@pytest.mark.parametrize("codec", [None, "zlib", "zstd", "blosc:zstd", "blosc:lz4"])
def test_gdal_opens_columns_of_numbers(dataset, tmp_path, codec):
    path = tmp_path / "a.zarr"
    chunks = {"agents": 1000, "frames": 64}
    dataset.copy(path, layout="columnar", codec=codec, chunks=chunks)
    opened = 0
    for name in NAMES:
        rows = dataset[name][:]
        for field in rows.dtype.names:
            if rows.dtype[field].base.kind == "U":
                continue  # GDAL has no rasters of strings
            found = read(path / name / field, rows[field].shape)
            assert found.dtype == rows[field].dtype
            np.testing.assert_array_equal(found, rows[field])
            opened += 1
    assert opened == 15


def test_gdal_lists_the_columns_of_a_table(dataset, tmp_path):
    dataset.copy(tmp_path / "a.zarr", layout="columnar")
    with rasterio.open(tmp_path / "a.zarr/agents", driver="Zarr") as group:
        found = {name.rsplit("/", 1)[1] for name in group.subdatasets}
    assert found == set(dataset["agents"].dtype.names)


@pytest.mark.parametrize("compressor", [None, "lz4", "zstd", "zlib"])
def test_gdal_opens_what_a_saver_has_written(tmp_path, compressor):
    rows = np.arange(1000)
    batch = {
        "image": (rows[:, None, None] * 7919 + np.arange(12).reshape(3, 4)).astype("u1"),
        "label": rows * 2**53 - 7,
        "speed": np.sqrt(rows).astype("f4"),
        "is_even": rows % 2 == 0,
    }
    config = bevscope.DataConfig.of("d", batch, compressor=compressor, max_object_size=2048)
    with bevscope.DataSaver(config, tmp_path / "d.zarr") as saver:
        saver.save(batch)
    for name, expected in batch.items():
        found = read(tmp_path / "d.zarr" / name, expected.shape)
        np.testing.assert_array_equal(found, expected)
