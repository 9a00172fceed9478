"""bevscope.Array behaves as zarr-python 2's arrays do."""

import json

import numpy as np
import pytest

import bevscope

zarr = pytest.importorskip("zarr")
if int(zarr.__version__.split(".")[0]) > 2:
    pytest.skip("zarr-python 3 refuses L5Kit's dtypes", allow_module_level=True)

#: As a signed number, -1.
HUGE = np.array([2**64 - 1], np.uint64)
NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]


@pytest.fixture(scope="session", params=["single_scene", "multi_scene", "town"])
def address(request):
    if request.param == "town":
        return str(request.getfixturevalue("town") / "scenes/town.zarr")
    return str(request.getfixturevalue("goldens") / f"inputs/{request.param}.zarr")


@pytest.fixture(scope="session")
def pair(address):
    return bevscope.open(address), zarr.open_group(address, "r")


def assert_same(found, expected):
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    assert np.asarray(found).shape == np.asarray(expected).shape
    assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_description_is_that_of_zarr(pair, name):
    ours, theirs = pair[0][name], pair[1][name]
    assert (ours.shape, ours.dtype, ours.chunks) == (
        theirs.shape,
        theirs.dtype,
        theirs.chunks,
    )
    assert (len(ours), ours.ndim, ours.nbytes) == (len(theirs), theirs.ndim, theirs.nbytes)


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_those_of_zarr(pair, name):
    ours, theirs = pair[0][name], pair[1][name]
    n = len(ours)
    assert_same(ours[:], theirs[:])
    assert_same(np.asarray(ours), theirs[:])
    for key in (0, -1, n // 2, np.int64(n - 1)):
        assert_same(ours[key], theirs[key])
    for key in (
        slice(3, 9),
        slice(n - 2, n + 9),
        slice(5, 5),
        slice(1, n, 7),
        slice(-4, None),
    ):
        assert_same(ours[key], theirs[key])
    assert_same(ours[...], theirs[...])


@pytest.mark.parametrize("name", NAMES)
def test_fields_are_those_of_zarr(pair, name):
    ours, theirs = pair[0][name], pair[1][name]
    for field in ours.dtype.names:
        assert_same(ours[field], theirs[field])
        assert_same(ours[field, 2:5], theirs[2:5][field])


@pytest.mark.parametrize("name", NAMES)
def test_selections_are_those_of_numpy(pair, name):
    ours, rows = pair[0][name], pair[1][name][:]
    random = np.random.default_rng(7)
    mask = random.random(len(rows)) < 0.3
    listed = random.integers(-len(rows), len(rows), 50)
    assert_same(ours[mask], rows[mask])
    assert_same(ours[listed], rows[listed])
    assert_same(ours[listed.tolist()], rows[listed])
    assert_same(ours[[]], rows[[]])
    assert_same(ours[::-1], rows[::-1])
    assert_same(ours[-1:2:-3], rows[-1:2:-3])
    field = ours.dtype.names[-1]
    assert_same(ours[field, mask], rows[mask][field])
    assert_same(ours[field, -1], rows[-1][field])


def test_iteration_gives_rows_in_order(pair):
    ours = pair[0].scenes
    assert [one["start_time"] for one in ours] == list(ours["start_time"])
    assert sum(len(block) for block in pair[0].agents.blocks(1000)) == len(pair[0].agents)


def test_rows_are_views_of_one_buffer_and_can_be_written(pair):
    rows = pair[0].frames[0:3]
    assert not rows.flags.owndata and rows.flags.writeable
    rows["timestamp"][:] = 0
    assert pair[0].frames[0]["timestamp"] != 0


@pytest.mark.parametrize("key", [10**9, -(10**9), [10**9], np.ones(3, bool), HUGE])
def test_rows_out_of_range_raise_index_error(pair, key):
    with pytest.raises(IndexError) as found:
        pair[0].agents[key]
    assert found.value.code == "out_of_range"


def test_unknown_names_raise_not_found(pair):
    with pytest.raises(bevscope.NotFound):
        pair[0].agents["colour"]
    with pytest.raises(bevscope.NotFound):
        pair[0]["cars"]


def test_axes_are_sliced_as_in_numpy(tmp_path):
    data = np.arange(60.0).reshape(5, 4, 3)
    source = bevscope.MemorySource({"grid": data, "flat": data.ravel()})
    grid = bevscope.open(source)["grid"]
    for key in (slice(None), 1, (1, 2), (slice(1, 4), 0), (slice(None), slice(None), 2)):
        assert_same(grid[key], data[key])
    assert_same(grid[np.array([True, False, True, False, False])], data[[0, 2]])
    assert_same(bevscope.open(source)["flat"][7:9], data.ravel()[7:9])


@pytest.mark.parametrize("dtype", ["S5", "U3", ">U2"])
def test_strings_are_those_of_numpy(tmp_path, dtype):
    data = np.array(["a", "", "äbc" if "U" in dtype else "abc", "xy"], dtype)
    group = zarr.open_group(str(tmp_path), "w")
    group.array("names", data, chunks=3)
    zarr.consolidate_metadata(str(tmp_path))
    ours = bevscope.open(tmp_path)
    names = ours["names"]
    for key in (slice(None), slice(-2, None), slice(None, None, -1), 2, [3, 0], (1,)):
        assert_same(names[key], data[key])
    assert_same(names[data != data[1]], data[data != data[1]])
    assert_same(names.columns()[""], data)
    assert names.columns()[""].dtype == data.dtype


@pytest.mark.parametrize(
    "dtype", "?,i2,>i4,u8,f2,>f2,f8,>f8,c8,>c16,M8[ns],>M8[D],m8[ms],S3,U2,V2".split(",")
)
@pytest.mark.parametrize("order", "CF")
def test_elements_of_every_type_are_those_of_numpy(tmp_path, dtype, order):
    rng = np.random.default_rng(7)
    kind = np.dtype(dtype)
    data = rng.integers(0, 2 if kind == "?" else 99, 60).astype(kind.newbyteorder("="))
    if kind.kind == "V":
        data = rng.integers(1, 99, 120).astype(np.uint8).view(kind)
    data = data.astype(kind).reshape(5, 4, 3)
    group = zarr.open_group(str(tmp_path), "w")
    group.array("one", data.ravel(), chunks=7)
    group.array("three", data, chunks=(2, 3, 2), order=order)
    group.array("none", data[0, 0, :1].reshape(()))
    zarr.consolidate_metadata(str(tmp_path))
    ours = bevscope.open(tmp_path)
    rows, whole, last = slice(1, 4), slice(None), slice(None, None, -1)
    assert_same(ours["none"][()], data[0, 0, 0])
    assert ours["none"][...] == data[0, 0, 0]
    for key in (whole, 3, -1, last, [5, 0, 5], [], (rows,), (...,)):
        assert_same(ours["one"][key], data.ravel()[key])
    for key in (whole, 3, [4, 0], np.arange(5) % 2 == 0, (1, 2), (4, -1, 0), (rows, 0)):
        assert_same(ours["three"][key], data[key])
    for key in ((last, 2), (whole, whole, 2), (..., 0), (0, ...), (1, ..., 2), (..., last)):
        assert_same(ours["three"][key], data[key])
    assert_same(np.asarray(ours["three"]), data)
    both = ([0, 1], [0, 1])  # NumPy's pairs of indices, not a box
    for key in ((0, 0, 0, 0), (..., ...), (0, 4), (7,), both, (whole, [0, 1]), ([0], 1)):
        with pytest.raises(IndexError):
            ours["three"][key]


def test_metadata_is_that_of_the_store(pair, address):
    with open(f"{address}/.zattrs") as file:
        assert pair[0].attrs == json.load(file)
