"""Arrays of zarr-python 3, versions 2 and 3 of the format, changed and read back."""

import numpy as np
import pytest

import bevscope

zarr = pytest.importorskip("zarr", minversion="3")


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("codec", ["auto", None])
def test_what_is_assigned_is_what_zarr_reads(tmp_path, version, codec):
    path = str(tmp_path / "g.zarr")
    group = zarr.open_group(path, mode="w", zarr_format=version)
    known = group.create_array(
        "x", shape=(20, 6), chunks=(4, 4), dtype="f8", fill_value=np.nan, compressors=codec
    )
    known[2:9] = 1
    zarr.consolidate_metadata(path)
    array = bevscope.open(path, "r+")["x"]
    array[8:12, 1:5] = 2
    array.append(np.full((3, 6), 3.0))
    expected = np.full((23, 6), np.nan)
    expected[2:9], expected[8:12, 1:5], expected[20:] = 1, 2, 3
    for found in (zarr.open(path), zarr.open_consolidated(path)):
        assert np.array_equal(found["x"][...], expected, equal_nan=True)
    assert np.array_equal(array[...], expected, equal_nan=True)


def test_shards_are_refused(tmp_path):
    path = tmp_path / "x.zarr"
    zarr.create_array(path, shape=(8,), chunks=(2,), shards=(4,), dtype="i4")
    with pytest.raises(bevscope.Unsupported, match="shards"):
        bevscope.open(path, "r+")


def test_what_is_created_is_what_zarr_reads(tmp_path):
    path = tmp_path / "x.zarr"
    array = bevscope.open(path, "w", shape=(5, 3), dtype="f4", chunks=(2, 2), order="F")
    array[1:, :2] = np.arange(8).reshape(4, 2)
    assert np.array_equal(zarr.open(path)[...], array[...])
