"""Columns that a copy has are opened by other zarr libraries as they are."""

import numpy as np
import pytest

import bevscope

zarr = pytest.importorskip("zarr")
tensorstore = pytest.importorskip("tensorstore")

NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]
CODECS = [None, "zlib", "zstd", "blosc:zstd"]


@pytest.fixture(scope="module")
def dataset(goldens):
    return bevscope.open(goldens / "inputs/multi_scene.zarr")


@pytest.fixture(scope="module", params=CODECS)
def columns(request, dataset, tmp_path_factory):
    path = tmp_path_factory.mktemp("columnar") / "a.zarr"
    dataset.copy(path, layout="columnar", codec=request.param, chunks={"agents": 1000})
    return path


def expected_columns(dataset):
    for name in NAMES:
        rows = dataset[name][:]
        for field in rows.dtype.names:
            column = rows[field]
            if column.dtype.kind == "U":
                column = np.char.encode(column, "utf-8").astype("S64")
            yield f"{name}/{field}", column


def test_zarr_python_opens_columns(dataset, columns):
    group = zarr.open_group(str(columns), mode="r")
    for path, expected in expected_columns(dataset):
        found = group[path]
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found[:], expected)
    assert sorted(name for name, _ in group.groups()) == sorted(NAMES)
    assert group.attrs["labels"] == dataset.attrs["labels"]


@pytest.fixture(scope="module", params=[0, 1, 3])
def version3(request, dataset, tmp_path_factory):
    if zarr.__version__.startswith("2."):
        pytest.skip("zarr-python 2 does not read version 3")
    path = tmp_path_factory.mktemp("columnar") / "a.zarr"
    dataset.copy(
        path,
        layout="columnar",
        codec="blosc:zstd",
        chunks={"agents": 1000, "frames": 64},
        zarr_format=3,
        chunks_per_shard=request.param,
    )
    return path


@pytest.mark.filterwarnings("ignore::UserWarning")  # strings are no core type
def test_zarr_python_opens_version_3(dataset, version3):
    group = zarr.open_group(str(version3), mode="r", use_consolidated=True)
    for path, expected in expected_columns(dataset):
        found = group[path]
        assert found.metadata.zarr_format == 3
        np.testing.assert_array_equal(found[:], expected)
    assert group.attrs["labels"] == dataset.attrs["labels"]


def test_tensorstore_opens_version_3(dataset, version3):
    opened = 0
    for path, expected in expected_columns(dataset):
        if expected.dtype.kind == "S":
            continue  # tensorstore 0.1 has no such type of version 3
        spec = {
            "driver": "zarr3",
            "kvstore": {"driver": "file", "path": f"{version3}/{path}"},
        }
        np.testing.assert_array_equal(
            tensorstore.open(spec).result().read().result(), expected
        )
        opened += 1
    assert opened > 10


def test_bevscope_reads_version_3(dataset, version3):
    copied = bevscope.open(version3)
    for path, expected in expected_columns(dataset):
        np.testing.assert_array_equal(np.asarray(copied[path][:]), expected)


def test_tensorstore_opens_columns(dataset, columns):
    for path, expected in expected_columns(dataset):
        spec = {
            "driver": "zarr",
            "kvstore": {"driver": "file", "path": f"{columns}/{path}"},
        }
        found = tensorstore.open(spec).result()
        if expected.dtype.kind == "S":
            # Characters, which tensorstore 0.1 does not convert to NumPy's.
            assert found.dtype.name == "char"
            assert found.shape == (*expected.shape, 64)
        else:
            np.testing.assert_array_equal(found.read().result(), expected)
