"""Threads and PyTorch's workers read the same stream as one thread."""

import hashlib
import pickle

import numpy as np
import pytest

import bevscope

PLANS = {
    "none": {},
    "filter": {"where": "speed > 2 and frame > 3"},
    "tracks": {"order": "tracks"},
    "blocks": {"order": {"mode": "blocks", "group": 2}, "seed": 7},
    "full": {"order": "full", "seed": 7},
    "windows": {"window": {"past": 2, "future": 3, "edges": "pad"}},
    "shard": {"shard": (1, 3), "order": "blocks"},
    "equal": {"shard": {"index": 1, "count": 2, "mode": "scene", "equal": "pad"}},
    "scenes": {"batch": {"by_block": True}},
}
FIELDS = ["row", "centroid", "yaw", "time"]


def plan_named(name, **more):
    return {"fields": FIELDS, "batch": 100, **PLANS[name], **more}


@pytest.fixture(scope="module")
def address(goldens):
    return str(goldens / "inputs/multi_scene.zarr")


def digest(batches):
    made = hashlib.sha256()
    for batch in batches:
        made.update(b"batch")
        for key in sorted(batch):
            made.update(np.ascontiguousarray(batch[key]).tobytes())
    return made.hexdigest()


@pytest.mark.parametrize("name", PLANS)
def test_threads_do_not_change_the_stream(address, name):
    dataset = bevscope.open(address)
    expected = [
        digest(dataset.reader("agents", **plan_named(name), epoch=e)) for e in (0, 1)
    ]
    for threads in (1, 2, 4):
        reader = dataset.reader("agents", **plan_named(name), threads=threads)
        assert [digest(reader), digest(reader)] == expected


@pytest.mark.parametrize("name", PLANS)
def test_a_state_continues_with_other_threads(address, name):
    dataset = bevscope.open(address)
    whole = list(dataset.reader("agents", **plan_named(name)))
    first = dataset.reader("agents", **plan_named(name), threads=2)
    middle = len(whole) // 2
    for _ in range(middle):
        first.next_batch()
    for threads in (1, 2, 4):
        second = dataset.reader("agents", **plan_named(name), threads=threads)
        second.load_state(first.state())
        assert second.position == first.position
        if name != "scenes":
            assert digest(second) == digest(whole[middle:])
    copied = pickle.loads(pickle.dumps(first))
    assert digest(copied) == digest(list(first))


def test_an_error_comes_with_the_batch_that_needs_the_chunk(town):
    source = town / "scenes/town.zarr"
    objects = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in source.rglob("*")
        if path.is_file()
    }
    objects["agents/1"] = objects["agents/1"][:100]
    outcomes = []
    for threads in (1, 2, 4):
        found = []
        reader = bevscope.open(objects).reader("agents", fields=FIELDS, threads=threads)
        with pytest.raises(bevscope.Error, match="agents/1: blosc") as error:
            found.extend(batch["row"].tolist() for batch in iter(reader.next_batch, None))
        outcomes.append((digest({"row": np.array(r)} for r in found), str(error.value)))
    assert outcomes[1:] == outcomes[:1] * 2


def test_an_exception_of_the_source_is_not_lost(town):
    class Stopped(Exception):
        pass

    class Stopping:
        def __init__(self, folder):
            self.folder, self.stops = folder, False

        def read(self, key, range):
            if self.stops and key.startswith("agents/"):
                raise Stopped
            path = self.folder / key
            if not path.is_file():
                return None
            found = path.read_bytes()
            return found if range is None else found[range[0] : range[1]]

    source = Stopping(town / "scenes/town.zarr")
    reader = bevscope.open(source).reader("agents", fields=FIELDS, threads=2)
    source.stops = True
    with pytest.raises(Stopped):
        next(iter(reader))
    source.stops = False
    expected = bevscope.open(source).reader("agents", fields=FIELDS)
    assert digest(reader) == digest(expected)


def test_numbers_of_threads_are_checked(address):
    dataset = bevscope.open(address)
    for threads in (0, 65, 1.5, True, "2"):
        with pytest.raises(bevscope.InvalidArgument, match="reader: threads"):
            dataset.reader("agents", threads=threads)
