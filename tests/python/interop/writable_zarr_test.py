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


def test_chunks_of_shards_are_what_zarr_reads(tmp_path):
    path = tmp_path / "x.zarr"
    known = zarr.create_array(
        path, shape=(22, 6), chunks=(2, 3), shards=(8, 6), dtype="i4", fill_value=7
    )
    known[3:6] = 1
    array = bevscope.open(path, "r+")
    assert array.chunks == (2, 3)
    array[4:10, 1:4] = 2
    array.append(np.full((5, 6), 3))
    expected = np.full((27, 6), 7)
    expected[3:6], expected[4:10, 1:4], expected[22:] = 1, 2, 3
    assert np.array_equal(zarr.open(path)[...], expected)
    assert np.array_equal(array[...], expected)
    array.resize(7, 5)
    array.resize(9, 6)
    cut = np.full((9, 6), 7)
    cut[:7, :5] = expected[:7, :5]
    assert np.array_equal(zarr.open(path)[...], cut)
    zarr.open(path, mode="r+")[...] = expected[:9]
    assert np.array_equal(array[...], expected[:9])


def test_checksums_are_what_zarr_reads(tmp_path):
    path = tmp_path / "x.zarr"
    codecs = [zarr.codecs.GzipCodec(), zarr.codecs.Crc32cCodec()]
    zarr.create_array(path, shape=(8,), chunks=(4,), dtype="i4", compressors=codecs)
    bevscope.open(path, "r+")[3:6] = 5
    assert zarr.open(path)[...].tolist() == [0, 0, 0, 5, 5, 5, 0, 0]


@pytest.mark.parametrize("codec", ["blosc:zstd", "gzip", "zstd", "none"])
def test_what_is_created_in_version_3_is_what_zarr_reads(tmp_path, codec):
    path = tmp_path / "g.zarr"
    zarr.open_group(path, mode="w", zarr_format=3)
    group = bevscope.open(path, "r+")
    spec = {"shape": (5, 3), "dtype": ">f4", "chunks": (2, 2), "codec": codec}
    array = group.create_dataset("h/x", fill_value=np.nan, zarr_format=3, **spec)
    array[1:, :2] = np.arange(8).reshape(4, 2)
    found = zarr.open_group(path, mode="r", zarr_format=3)["h/x"]
    assert np.array_equal(found[...], array[...], equal_nan=True)
    assert found.metadata.zarr_format == 3
    with pytest.raises(bevscope.Unsupported, match="version 3"):
        group.create_dataset("y", shape=2, dtype="f4")


def test_what_is_created_is_what_zarr_reads(tmp_path):
    path = tmp_path / "x.zarr"
    array = bevscope.open(path, "w", shape=(5, 3), dtype="f4", chunks=(2, 2), order="F")
    array[1:, :2] = np.arange(8).reshape(4, 2)
    assert np.array_equal(zarr.open(path)[...], array[...])
