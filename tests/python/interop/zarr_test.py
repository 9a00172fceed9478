"""zarr-python 3 with bevscope.zarr, and tensorstore, read what bevscope reads."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import bevscope

zarr = pytest.importorskip("zarr", minversion="3.1")
import bevscope.zarr  # noqa: E402

NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]


@pytest.fixture(scope="module", params=["single_scene", "multi_scene", "town"])
def address(request):
    if request.param == "town":
        return str(request.getfixturevalue("town") / "scenes/town.zarr")
    return str(request.getfixturevalue("goldens") / f"inputs/{request.param}.zarr")


@pytest.mark.parametrize("name", NAMES)
def test_fields_are_equal(address, name):
    ours = bevscope.open(address)[name]
    theirs = zarr.open_group(address, mode="r")[name]
    assert (theirs.shape, theirs.dtype, theirs.chunks) == (
        ours.shape,
        ours.dtype,
        ours.chunks,
    )
    rows = theirs[:]
    for field in ours.dtype.names:
        assert rows[field].tobytes() == ours[field].tobytes(), field


@pytest.mark.parametrize("name", NAMES)
def test_selections_are_equal(address, name):
    ours = bevscope.open(address)[name]
    theirs = zarr.open_array(f"{address}/{name}", mode="r")
    for key in (slice(1, 3), slice(-2, None), slice(0, None, 2)):
        assert theirs[key].tobytes() == ours[key].tobytes()
    assert theirs[-1].tobytes() == ours[-1].tobytes()
    rows = [len(ours) - 1, 0]
    assert theirs.oindex[rows].tobytes() == ours[rows].tobytes()


# The other two arrays contain strings, which tensorstore does not read.
@pytest.mark.parametrize("name", ["frames", "agents"])
def test_tensorstore_reads_equal_fields(address, name):
    tensorstore = pytest.importorskip("tensorstore")
    ours = bevscope.open(address)[name]
    for field in ours.dtype.names:
        spec = {
            "driver": "zarr",
            "kvstore": {"driver": "file", "path": f"{address}/{name}"},
            "field": field,
        }
        theirs = tensorstore.open(spec, open=True, read=True).result().read().result()
        assert theirs.dtype == ours.dtype[field].base
        assert theirs.tobytes() == ours[field].tobytes(), field


def test_arrays_pickle(address):
    array = zarr.open_group(address, mode="r")["agents"]
    again = pickle.loads(pickle.dumps(array))
    assert again[:3].tobytes() == array[:3].tobytes()


def test_written_arrays_are_read_by_bevscope(address, tmp_path):
    rows = bevscope.open(address).agents[:300]
    made = zarr.create_array(
        str(tmp_path / "a.zarr"),
        name="agents",
        shape=(0,),
        chunks=(100,),
        dtype=bevscope.zarr.Records.from_native_dtype(rows.dtype),
        zarr_format=2,
    )
    made.append(rows)
    again = zarr.open_array(str(tmp_path / "a.zarr"), path="agents", mode="r")
    assert again[:].tobytes() == rows.tobytes()
    assert again.fill_value.tobytes() == bytes(rows.dtype.itemsize)
    ours = bevscope.open(tmp_path / "a.zarr").agents
    assert ours.dtype == rows.dtype
    assert ours[:].tobytes() == rows.tobytes()


def test_other_records_are_left_to_zarr():
    with pytest.raises(zarr.dtype.DataTypeValidationError):
        bevscope.zarr.Records.from_native_dtype(np.dtype([("a", "i4"), ("b", "f8")]))
    made = zarr.create_array({}, shape=3, dtype=np.dtype([("a", "i4")]), zarr_format=2)
    assert made.dtype == np.dtype([("a", "i4")])


@pytest.mark.parametrize(
    "name",
    [
        "<f8",
        [["a", "<i4"]],
        [["a", "|O", [2]]],
        [["a", "no type", [2]]],
        [["a"]],
        [],
        [["a", "<f8", ["x"]]],
        [["a", "<f8", [-1]]],
    ],
)
def test_other_descriptions_are_not_records(name):
    with pytest.raises(zarr.dtype.DataTypeValidationError):
        bevscope.zarr.Records.from_json(
            {"name": name, "object_codec_id": None}, zarr_format=2
        )


def test_zarr_alone_refuses_the_arrays(address):
    program = f"import zarr; zarr.open_array({address + '/agents'!r}, mode='r')"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 1
    assert "No Zarr data type found" in ran.stderr
