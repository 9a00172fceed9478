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
