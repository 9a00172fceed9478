"""Arrays that can be changed: as NumPy's, whatever others do meanwhile."""

import json
import multiprocessing
import os
import pickle
import random
import shutil
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import bevscope

zarr = pytest.importorskip("zarr")
DTYPE = np.dtype([("track_id", "u8"), ("yaw", "f4"), ("centroid", "f8", (2,))])
ROWS, CHUNK = 95, 10


def rows_of(count=ROWS):
    rows = np.zeros(count, DTYPE)
    rows["track_id"] = np.arange(count)
    rows["centroid"] = np.random.default_rng(count).normal(size=(count, 2))
    return rows


@pytest.fixture
def store(tmp_path):
    return tmp_path / "a.zarr"


@pytest.fixture
def array(store):
    path = store / "agents"
    array = bevscope.open(path, "w", shape=ROWS, dtype=DTYPE, chunks=CHUNK)
    array[:] = rows_of()
    return array


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def stored(folder):
    """Returns what zarr-python reads."""
    return zarr.open(str(folder), mode="r")[...]


KEYS = [
    *(0, 7, 94, -1, -95, np.int64(3)),
    *(slice(None), slice(3, 8), slice(8, 33), slice(90, 200), slice(None, None, -1)),
    *(slice(50, 10, -7), slice(5, 5), slice(-20, -3, 4), ...),
    *([3, 90, 3], np.array([-1, 0]), np.arange(ROWS) % 11 == 0, np.zeros(ROWS, bool)),
    *("yaw", ("yaw", 12), ("track_id", slice(5, 40, 3)), ("centroid", [2, 60])),
    *(["yaw", "centroid"], ("track_id", "yaw", slice(9, 11))),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assignment_is_numpys_and_changes_only_its_chunks(array, store, key):
    parts = key if isinstance(key, (tuple, list)) else (key,)
    names = [one for one in parts if isinstance(one, str)]
    rest = [one for one in parts if not isinstance(one, str)] if names else [key]
    which = rest[0] if rest else slice(None)
    expected, before = rows_of(), contents(store)
    value = 7.5 if len(names) == 1 else np.array([(9, 0.5, (1, 2))], DTYPE)[0]
    if len(names) > 1:
        value = value[names]
        for name in names:
            expected[name][which] = value[name]
    elif names:
        expected[names[0]][which] = value
    else:
        expected[which] = value
    array[key] = value
    assert np.array_equal(array[:], expected)
    assert np.array_equal(stored(store / "agents"), expected)
    found = array[which] if not names else array[(*names, which)]
    known = (
        expected[which]
        if not names
        else expected[names[0] if len(names) == 1 else names][which]
    )
    assert np.array_equal(found, known)
    after = contents(store)
    changed = {name for name in after if after[name] != before.get(name)}
    touched = np.unique(np.atleast_1d(np.arange(ROWS)[which]) // CHUNK)
    assert changed <= {f"agents/{i}" for i in touched}
    assert set(after) == set(before)  # no temporary file


def random_key(chance, shape):
    key = []
    for length in shape:
        if chance.random() < 0.3:
            key.append(chance.randrange(-length, length))
            continue
        ends = [chance.choice([None, *range(-length - 2, length + 3)]) for _ in range(2)]
        key.append(slice(*ends, chance.choice([None, 1, 2, 3, -1, -2])))
    return tuple(key[: chance.randrange(len(shape) + 1)])


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["i2", ">f4", "M8[s]", "U3", "c16", "?"])
def test_arrays_of_any_axes_and_type_equal_numpys(tmp_path, dtype, order):
    chance, numbers = random.Random(5), np.random.default_rng(5)
    for axes in (0, 1, 2, 3):
        shape = tuple(chance.randrange(1, 9) for _ in range(axes))
        chunks = tuple(chance.randrange(1, 5) for _ in range(axes))
        array = bevscope.open(
            tmp_path / "a", "w", shape=shape, dtype=dtype, chunks=chunks, order=order,
            fill_value=None,
        )  # fmt: skip
        expected = np.zeros(shape, dtype)
        for _ in range(25):
            key = random_key(chance, shape)
            value = numbers.integers(0, 99, expected[key].shape).astype(dtype)
            expected[key] = value
            array[key] = value
            assert np.array_equal(array[key], expected[key])
        assert np.array_equal(array[...], expected)
        assert np.array_equal(stored(tmp_path / "a"), expected)
        if axes > 1:
            mask = numbers.random(shape) < 0.4
            expected[mask] = array[mask] = expected.flat[0]
            assert np.array_equal(array[...], expected)
            assert np.array_equal(array[mask], expected[mask])


WRONG = {
    "row": 95,
    "negative row": -96,
    "rows": [0, 95],
    "mask": np.ones(3, bool),
    "float": 0.5,
    "none": None,
    "field": "speed",
    "two axes": (0, 0),
    "list and slice": ([0, 1], slice(None)),
}


@pytest.mark.parametrize("key", WRONG.values(), ids=WRONG)
def test_wrong_indices_change_nothing(array, store, key):
    before = contents(store)
    with pytest.raises((IndexError, ValueError, TypeError, LookupError)):
        array[key] = np.zeros((), DTYPE)
    with pytest.raises((IndexError, ValueError, TypeError, LookupError)):
        array[key]
    assert contents(store) == before


def test_values_of_another_shape_or_type_change_nothing(array, store):
    before = contents(store)
    for value in (np.zeros(3, DTYPE), "text", object(), np.zeros((2, 95), DTYPE)):
        with pytest.raises((ValueError, TypeError)):
            array[:] = value
    with pytest.raises(bevscope.InvalidArgument, match=r"found \(2, 2\), expected \(n, \)"):
        array.append(np.zeros((2, 2), DTYPE))
    assert contents(store) == before


def test_appended_rows_follow_and_shapes_are_seen_by_others(array, store):
    other = bevscope.open(store / "agents", "r+")
    for count in (0, 1, 4, 5, 30):
        before = array[:]
        assert array.append(rows_of(count)) == (len(before) + count,)
        assert np.array_equal(
            stored(store / "agents"), np.concatenate([before, rows_of(count)])
        )
    assert len(other) == ROWS
    assert len(other.refresh()) == ROWS + 40
    array.resize(20)
    assert np.array_equal(other[:], rows_of()[:20])
    array.resize((25,))
    assert not other[20:]["track_id"].any()


@pytest.mark.parametrize("codec", ["none", "zlib", "gzip", "zstd", "lz4", "blosc:zstd"])
def test_the_codec_of_any_array_stays(tmp_path, codec):
    array = bevscope.open(
        tmp_path / "a", "w", shape=100, dtype="i4", chunks=10, codec=codec, fill_value=7
    )
    before = json.loads((tmp_path / "a/.zarray").read_text())
    array[5:25] = range(20)
    array.append([1, 2])
    after = json.loads((tmp_path / "a/.zarray").read_text())
    assert {**before, "shape": [102]} == after
    expected = np.full(102, 7)
    expected[5:25], expected[100:] = range(20), (1, 2)
    assert np.array_equal(stored(tmp_path / "a"), expected)


@pytest.mark.parametrize("separator", "./")
def test_arrays_of_zarr_are_changed(tmp_path, separator):
    known = zarr.open(
        str(tmp_path / "a"), mode="w", shape=(20, 6), chunks=(4, 4), dtype="f8",
        fill_value=np.nan, dimension_separator=separator,
    )  # fmt: skip
    known[2:9] = 1
    array = bevscope.open(tmp_path / "a", "r+")
    array[8:12, 1:5] = 2
    array.resize(21, 7)
    expected = np.full((21, 7), np.nan)
    expected[2:9, :6] = 1
    expected[8:12, 1:5] = 2
    assert np.array_equal(stored(tmp_path / "a"), expected, equal_nan=True)
    assert np.array_equal(array[...], expected, equal_nan=True)


def test_what_cannot_be_written_is_refused(tmp_path):
    filtered = {"mode": "w", "shape": 9, "dtype": "i4", "filters": [zarr.Delta("i4")]}
    zarr.open(str(tmp_path / "f"), **filtered)
    with pytest.raises(bevscope.Unsupported, match="filters"):
        bevscope.open(tmp_path / "f", "r+")
    with pytest.raises(bevscope.NotFound, match=f"{tmp_path}/none: array not found"):
        bevscope.open(tmp_path / "none", "r+")
    with pytest.raises(bevscope.Unsupported, match="cannot be written"):
        bevscope.open("http://127.0.0.1:9/a.zarr/agents", "r+")
    with pytest.raises(bevscope.Unsupported, match="archives"):
        bevscope.open(tmp_path / "a.zip", "r+")
    for options in (
        {"shape": 3},
        {"dtype": "f4"},
        {"shape": 3, "dtype": "O"},
        {"shape": -3, "dtype": "f4"},
        {"shape": 3.5, "dtype": "f4"},
        {"shape": 3, "dtype": "f4", "chunks": 0},
        {"shape": 3, "dtype": "f4", "chunks": (1, 1)},
        {"shape": 3, "dtype": "f4", "codec": "lzma"},
        {"shape": 3, "dtype": "f4", "order": "D"},
        {"shape": 3, "dtype": "i4", "fill_value": "x"},
    ):
        with pytest.raises((bevscope.Error, ValueError)):
            bevscope.open(tmp_path / "a", "w", **options)
    with pytest.raises(TypeError):
        bevscope.open(tmp_path / "a", "w", shape=3, dtype="f4", compressor=None)
    with pytest.raises(bevscope.InvalidArgument, match="mode"):
        bevscope.open(tmp_path / "a", "rw")
    with pytest.raises(bevscope.InvalidArgument, match="chunks"):
        bevscope.open(tmp_path / "a", "r+", chunks=3)
    assert not (tmp_path / "a").exists()


def test_modes_keep_replace_or_refuse(array, store):
    path = store / "agents"
    with pytest.raises(bevscope.InvalidArgument, match="already exists"):
        bevscope.open(path, "w-", shape=3, dtype="f4")
    with pytest.raises(bevscope.InvalidArgument, match="another shape or dtype"):
        bevscope.open(path, "a", shape=3, dtype="f4")
    assert len(bevscope.open(path, "a", shape=ROWS, dtype=DTYPE)) == ROWS
    assert np.array_equal(bevscope.open(path, "a")[:], rows_of())
    assert len(bevscope.open(path, "w", shape=3, dtype="f4")) == 3
    with pytest.raises(bevscope.InvalidArgument, match="a group"):
        bevscope.open(store, "a")
        bevscope.open(store / "g", "w")
        bevscope.open(store / "g", "w", shape=3, dtype="f4")


def test_groups_create_and_open_arrays(store):
    group = bevscope.open(store, "w-")
    group.create_dataset("g/x", shape=(2, 2), dtype="f4", codec="none")[:] = 1
    assert "g/x" in group
    assert "g" not in group
    with pytest.raises(bevscope.NotFound):
        group["y"]
    assert group.require_dataset("g/x", shape=(2, 2), dtype="f4")[0, 0] == 1
    group.attrs["labels"] = ["a"]
    assert bevscope.open(store).attrs == {"labels": ["a"]}
    assert np.array_equal(bevscope.open(store, "r+")["g/x"][:], np.ones((2, 2)))
    with pytest.raises(bevscope.InvalidArgument, match="already exists"):
        bevscope.open(store, "w")


def test_statistics_and_consolidated_metadata_that_no_longer_hold_are_not_used(
    town, store, program
):
    shutil.copytree(town / "scenes/town.zarr", store)
    zarr.consolidate_metadata(str(store))
    subprocess.run([program, "index", store], check=True, capture_output=True)
    agents = bevscope.open(store / "agents", "r+")
    assert (agents["track_id"] < 1_000_000).all()
    agents["track_id", 33] = 5_000_000
    reader = bevscope.open(store).reader("agents", where="track_id > 4000000")
    assert [row for batch in reader for row in batch["track_id"]] == [5_000_000]
    count = len(agents)
    agents.append(agents[:4])
    assert len(zarr.open_consolidated(str(store))["agents"]) == count + 4
    assert len(bevscope.open(store).agents) == count + 4


def test_info_tells_what_is_stored(array):
    lines = dict(line.split(" : ") for line in array.info.splitlines())
    found = {name.strip(): value for name, value in lines.items()}
    assert found["Chunks initialized"] == "10/10"
    assert found["Shape"] == "(95,)"
    assert int(found["No. bytes"]) == ROWS * DTYPE.itemsize
    assert 0 < int(found["No. bytes stored"]) < 10_000
    array.resize(200)
    assert array.info.splitlines()[-1].endswith("10/20")


def test_an_array_is_pickled_as_its_address(array):
    other = pickle.loads(pickle.dumps(array))
    other[3] = 0
    assert array[3]["track_id"] == 0


# Writers that meet


def _write(path, writer, seed, seconds):
    """Assigns every fourth row, and rows that all writers assign, at random."""
    array, chance, count = bevscope.open(path, "r+"), random.Random(seed), 0
    ends = time.monotonic() + seconds
    while count == 0 or time.monotonic() < ends:
        count += 1
        value = writer * 1_000_000 + count
        first = chance.randrange(0, 90) * 5 + writer
        array[first : first + 100 : 5] = value
        chunk = chance.randrange(25) * 20
        array[chunk + 4 : chunk + 20 : 5] = value
    for first in range(writer, 500, 5):
        array[first] = -writer - 1


def _check(rows):
    for writer in range(4):
        mine = rows[writer::5]
        known = (mine == 0) | (mine // 1_000_000 == writer) | (mine == -writer - 1)
        assert known.all(), (writer, mine[~known])
    common = rows[4::5].reshape(25, 4)  # by chunk, of one assignment
    assert (common == common[:, :1]).all()


@pytest.mark.parametrize("run", range(20))
def test_writers_lose_nothing_and_readers_see_no_mixture(store, request, run):
    whole = request.config.getoption("--whole")
    if run > 1 and not whole:
        pytest.skip("only with --whole")
    path = store / "x"
    array = bevscope.open(path, "w", shape=500, dtype="i8", chunks=20)
    array[:] = 0
    context = multiprocessing.get_context("fork" if run % 2 else "spawn")
    seconds = 10 if whole else 1
    arguments = [(path, writer, run * 4 + writer, seconds) for writer in range(4)]
    writers = [context.Process(target=_write, args=one) for one in arguments]
    for one in writers:
        one.start()
    running = True
    while running:
        running = any(one.is_alive() for one in writers)
        _check(array[:])
        _check(stored(path))
    for one in writers:
        one.join(120)
    assert [one.exitcode for one in writers] == [0] * 4
    rows = array[:]
    _check(rows)
    for writer in range(4):
        assert (rows[writer::5] == -writer - 1).all()


def _assign_whole(path, ready, value):
    array = bevscope.open(path, "r+")
    ready.set()
    while True:
        value += 1
        array[:] = value


def test_a_writer_that_is_killed_leaves_old_or_new_chunks(store, request):
    times = 100 if request.config.getoption("--whole") else 8
    path, chance = store / "x", random.Random(4)
    array = bevscope.open(path, "w", shape=400, dtype="i8", chunks=100)
    array[:] = 0
    context = multiprocessing.get_context("fork")
    for _ in range(times):
        ready = context.Event()
        value = int(array[:].max())
        writer = context.Process(target=_assign_whole, args=(path, ready, value))
        writer.start()
        assert ready.wait(60)
        time.sleep(chance.random() * 0.03)
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        rows = array[:].reshape(4, 100)
        assert (rows == rows[:, :1]).all()
        assert rows.max() - rows.min() <= 1
        array[:] = rows.max()  # no lock is left


def test_threads_share_an_array(store):
    array = bevscope.open(store, "w", shape=400, dtype="i8", chunks=10)

    def work(number):
        for row in range(number, 400, 4):
            array[row] = row

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert np.array_equal(array[:], np.arange(400))


def _increment(array):
    array[0] = array[0] + 1


def test_a_forked_child_does_not_wait_for_threads_of_its_parent(store):
    array = bevscope.open(store, "w", shape=4, dtype="i8")
    with array._lock:  # as a thread that reads while another one forks
        child = multiprocessing.get_context("fork").Process(
            target=_increment, args=(array,)
        )
        child.start()
        child.join(20)
        ended = not child.is_alive()
        child.kill()
        child.join()
    assert ended
    assert array[0] == 1


def test_modes_of_groups_that_are_not_understood_are_refused(store):
    with pytest.raises(bevscope.InvalidArgument, match="group: mode"):
        bevscope._data.group.Group(store, "x")
    with pytest.raises(bevscope.Unsupported, match="created with their arrays"):
        bevscope.open("s3://bucket/new.zarr", "w-")


def _append(path, writer):
    array = bevscope.open(path, "r+")
    for count in range(20):
        array.append(np.full(7, writer * 100 + count))


def test_appends_of_processes_follow_each_other_as_wholes(store):
    array = bevscope.open(store, "w", shape=0, dtype="i8", chunks=10)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append, args=(store, i)) for i in range(3)]
    for one in writers:
        one.start()
    for one in writers:
        one.join(120)
    rows = array.refresh()[:].reshape(-1, 7)
    assert (rows == rows[:, :1]).all()
    assert sorted(rows[:, 0]) == [w * 100 + c for w in range(3) for c in range(20)]
