"""xarray and Dask open what bevscope writes; h5py's files are read by a recipe."""

import numpy as np
import pytest

import bevscope

xarray = pytest.importorskip("xarray")
dask_array = pytest.importorskip("dask.array")


@pytest.mark.parametrize("version", [2, 3])
def test_xarray_opens_saved_rows(tmp_path, version):
    path = tmp_path / "digits.zarr"
    config = bevscope.DataConfig(
        "digits", {"image": ("u1", (4, 3)), "label": "i8"}, zarr_format=version
    )
    images = np.arange(120, dtype=np.uint8).reshape(10, 4, 3)
    with bevscope.DataSaver(config, path) as saver:
        saver.save({"image": images, "label": np.arange(10)})
    for consolidated in (True, False):
        # Otherwise the fill value of version 2, 0, stands for missing data.
        found = xarray.open_zarr(path, consolidated=consolidated, mask_and_scale=False)
        assert found["image"].dims == ("rows", "image_1", "image_2")
        assert found["label"].dims == ("rows",)
        assert np.array_equal(found["image"], images)
        assert found["image"].dtype == np.uint8
        mean = found["image"].isel(rows=slice(2, 5)).mean(dim="rows")
        assert np.allclose(mean, images[2:5].mean(axis=0))
    assert np.array_equal(bevscope.DataLoader(path)[:]["image"], images)


@pytest.mark.parametrize("version", [2, 3])
def test_xarray_and_dask_open_a_columnar_copy(town, tmp_path, version):
    path = tmp_path / "columns.zarr"
    dataset = bevscope.open(town / "scenes/town.zarr")
    dataset.copy(path, layout="columnar", zarr_format=version)
    agents = xarray.open_zarr(path, group="agents")
    assert agents["centroid"].dims == ("agents", "centroid_1")
    assert agents["yaw"].dims == ("agents",)
    assert np.array_equal(agents["centroid"], dataset.agents["centroid"])
    speeds = dask_array.from_zarr(str(path), component="agents/velocity")
    assert np.array_equal(speeds.max(axis=0), dataset.agents["velocity"].max(axis=0))


def test_an_array_in_hdf5_is_saved_by_a_loop(tmp_path):
    h5py = pytest.importorskip("h5py")
    values = np.random.default_rng(1).normal(size=(100, 7))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["values"] = values
    config = bevscope.DataConfig("a", {"values": ("f8", (7,))})
    with h5py.File(tmp_path / "a.h5") as file:
        with bevscope.DataSaver(config, tmp_path / "a.zarr") as saver:
            for begin in range(0, len(file["values"]), 30):
                saver.save({"values": file["values"][begin : begin + 30]})
    assert np.array_equal(bevscope.DataLoader(tmp_path / "a.zarr")[:]["values"], values)
