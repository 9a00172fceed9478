"""Arrays and attributes that the drop-in can change: each change is written, or refused
without touching a file."""

import hashlib
import json
import multiprocessing
import os
import zlib
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope.l5kit.data.zarr_array import Attributes, Group, WritableArray

DTYPE = np.dtype([("track_id", "u8"), ("yaw", "f4"), ("centroid", "f8", (2,))])
ROWS, CHUNK = 95, 10


def rows_of(count=ROWS):
    rows = np.zeros(count, DTYPE)
    rows["track_id"] = np.arange(count)
    rows["centroid"] = np.random.default_rng(count).normal(size=(count, 2))
    return rows


@pytest.fixture
def array(tmp_path):
    group = Group(tmp_path / "a.zarr", "w")
    array = group.require_dataset("agents", 0, DTYPE, chunks=(CHUNK,))
    array.append(rows_of())
    return array


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def stored(array):
    """Returns what another process reads."""
    rows = [
        np.frombuffer(zlib.decompress(path.read_bytes()), DTYPE)
        for path in (
            array._folder / array.path / str(i) for i in range(-(-len(array) // CHUNK))
        )
    ]
    return np.concatenate(rows)[: len(array)]


KEYS = [
    *(0, 7, 94, -1, -95, np.int64(3)),
    *(slice(None), slice(3, 8), slice(8, 33), slice(90, 200), slice(None, None, -1)),
    *(slice(50, 10, -7), slice(5, 5), slice(-20, -3, 4)),
    *([3, 90, 3], np.array([-1, 0]), np.arange(ROWS) % 11 == 0, ...),
    *("yaw", ("yaw", 12), ("track_id", slice(5, 40, 3)), ("centroid", [2, 60])),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_assignment_is_numpys_and_changes_only_its_chunks(array, key):
    expected, before = rows_of(), contents(array._folder)
    names = [one for one in np.atleast_1d(np.array(key, object)) if isinstance(one, str)]
    value = 7.5 if names else np.array([(9, 0.5, (1, 2))], DTYPE)[0]
    if names and isinstance(key, tuple):
        expected[names[0]][key[1]] = value
        touched = np.arange(ROWS)[key[1]]
    else:
        expected[key] = value
        touched = np.arange(ROWS)[slice(None) if names else key]
    array[key] = value
    assert np.array_equal(array[:], expected)
    assert np.array_equal(stored(array), expected)
    after = contents(array._folder)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= {f"agents/{i}" for i in np.unique(touched // CHUNK)}
    assert set(after) == set(before)  # no temporary file


@pytest.mark.parametrize("key", [95, -96, [0, 95], np.ones(3, bool), 0.5, None], ids=str)
def test_wrong_indices_change_nothing(array, key):
    before = contents(array._folder)
    with pytest.raises((IndexError, ValueError, TypeError)):
        array[key] = np.zeros(2, DTYPE)
    assert contents(array._folder) == before


def test_appended_rows_follow(array):
    for count in (0, 1, 4, 5, 30):
        before = array[:]
        array.append(rows_of(count))
        assert np.array_equal(stored(array), np.concatenate([before, rows_of(count)]))


def rewritten(folder, **changes):
    path = folder / "agents" / ".zarray"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


CODECS = [
    {"compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}},
    {"compressor": None},
    {"filters": [{"id": "delta", "dtype": "<i8"}]},
    {"order": "F"},
    {"dimension_separator": "/"},
]


@pytest.mark.parametrize("changes", CODECS, ids=str)
def test_arrays_of_other_programs_are_refused(array, changes):
    rewritten(array._folder, **changes)
    before, other = contents(array._folder), Group(array._folder, "a")["agents"]
    with pytest.raises(bevscope.Unsupported, match="cannot be changed"):
        other[3] = np.zeros((), DTYPE)
    with pytest.raises(bevscope.Unsupported, match="cannot be changed"):
        other.append(rows_of(3))
    assert contents(array._folder) == before


@pytest.mark.parametrize("name", [".zmetadata", ".bevscope/statistics.json"])
def test_what_describes_an_array_elsewhere_forbids_changes(array, name):
    path = array._folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"metadata": {"agents/.zarray": {}, ".zattrs": {}}}')
    before = contents(array._folder)
    with pytest.raises(bevscope.Unsupported, match=name):
        array[3] = np.zeros((), DTYPE)
    with pytest.raises(bevscope.Unsupported, match=name):
        array.append(rows_of(3))
    if name == ".zmetadata":
        with pytest.raises(bevscope.Unsupported, match=name):
            Group(array._folder, "a").attrs["x"] = 1
    assert contents(array._folder) == before
    path.write_text('{"metadata": {"frames/.zarray": {}}}')
    if name == ".zmetadata":
        array.append(rows_of(3))


def test_chunks_along_other_axes_are_whole(tmp_path):
    array = WritableArray.create(tmp_path, "a", "f4", (4, 1), (9, 3))
    array[2:7, 1] = 5
    array[8] = [1, 2, 3]
    expected = np.zeros((9, 3), "f4")
    expected[2:7, 1], expected[8] = 5, [1, 2, 3]
    assert np.array_equal(WritableArray(tmp_path, "a")[:], expected)


def _assign(folder, begin, step):
    array = WritableArray(folder, "agents")
    for i in range(begin, ROWS, step):
        array["yaw", i] = i + 1
    array.append(rows_of(3))


def test_processes_do_not_undo_each_others_changes(array):
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=_assign, args=(array._folder, i, 4)) for i in range(4)
    ]
    for one in processes:
        one.start()
    for one in processes:
        one.join(120)
    assert [one.exitcode for one in processes] == [0] * 4
    array._reload()
    assert np.array_equal(stored(array)["yaw"][:ROWS], np.arange(ROWS) + 1)
    assert len(array) == ROWS + 4 * 3


@pytest.mark.parametrize("failing", range(1, 12))
def test_a_failed_write_leaves_whole_chunks(array, monkeypatch, failing):
    before, count, replace = array[:], [0], os.replace

    def fail(*arguments):
        count[0] += 1
        if count[0] == failing:
            raise OSError(28, "No space left on device")
        replace(*arguments)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        array.append(rows_of(100))
    monkeypatch.undo()
    array._reload()
    assert np.array_equal(stored(array)[:ROWS], before)
    assert not [*array._folder.rglob(".*.*")]


CHANGES = {
    "set": lambda a: a.__setitem__("new", [1, {"x": None}]),
    "delete": lambda a: a.__delitem__("x"),
    "update": lambda a: a.update({"x": 5}, z=6),
    "update pairs": lambda a: a.update([("x", 5)]),
    "or": lambda a: a.__ior__({"w": 7}),
    "setdefault": lambda a: a.setdefault("y", 8),
    "setdefault of a known key": lambda a: a.setdefault("x", 8),
    "pop": lambda a: a.pop("x"),
    "pop of an unknown key": lambda a: a.pop("y", 3),
    "popitem": lambda a: a.popitem(),
    "clear": lambda a: a.clear(),
}
REFUSED = {
    "not JSON": lambda a: a.__setitem__("x", {1, 2}),
    "update not JSON": lambda a: a.update(x=object()),
    "delete unknown": lambda a: a.__delitem__("y"),
    "pop unknown": lambda a: a.pop("y"),
    "setdefault not JSON": lambda a: a.setdefault("y", np.zeros(1)),
    "or not JSON": lambda a: a.__ior__({"x": {1}}),
}


@pytest.fixture
def attributes(tmp_path):
    path = tmp_path / ".zattrs"
    path.write_text('{"x": 1, "labels": ["a"]}')
    return Attributes(path)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_attributes_is_written(attributes, change):
    expected = {"x": 1, "labels": ["a"]}
    result = change(expected)
    found = change(attributes)
    assert found == result
    assert dict(attributes) == expected
    assert json.loads(attributes._path.read_text()) == expected
    assert dict(Attributes(attributes._path)) == expected


def test_an_operator_writes_attributes(attributes):
    kept = attributes
    attributes |= {"y": 2}
    assert attributes is kept
    assert json.loads(kept._path.read_text()) == {"x": 1, "labels": ["a"], "y": 2}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_refused_changes_of_attributes_change_nothing(attributes, change):
    before = attributes._path.read_text()
    with pytest.raises((TypeError, KeyError)):
        change(attributes)
    assert attributes._path.read_text() == before
    assert dict(attributes) == json.loads(before)
    assert [path.name for path in attributes._path.parent.iterdir()] == [".zattrs"]


def test_all_mutators_of_a_dict_are_covered():
    changing = {"__setitem__", "__delitem__", "__ior__", "update", "setdefault", "pop"}
    changing |= {"popitem", "clear"}
    assert changing <= set(vars(Attributes))


def test_changes_of_others_are_kept(attributes):
    other = Attributes(attributes._path)
    other["a"], attributes["b"] = 1, 2
    assert set(json.loads(attributes._path.read_text())) == {"x", "labels", "a", "b"}
