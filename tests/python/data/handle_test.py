"""Threads that use a data set for the first time open it once; a closed one is not read."""

import pickle
import threading
import time

import numpy as np
import pytest

import bevscope


class Counts:
    """A source that is slow to open and counts how often it is."""

    def __init__(self, objects):
        self.source, self.opened = bevscope.MemorySource(objects), 0

    def read(self, key, range):
        if key == ".zmetadata":
            self.opened += 1
            time.sleep(0.05)
        return self.source.read(key, range)


def test_threads_open_a_data_set_once():
    rows = np.arange(20_000, dtype="i8").view([("track_id", "i8")])
    dataset = pickle.loads(pickle.dumps(bevscope.open(Counts({"agents": rows}))))
    before = dataset.address.opened
    barrier, results = threading.Barrier(4), []

    def read():
        barrier.wait()
        for _ in range(5):
            results.append(np.array_equal(dataset.agents[:], rows))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert results == [True] * 20
    assert dataset.address.opened == before + 1


@pytest.fixture
def rows():
    return np.arange(20_000, dtype="i8").view([("track_id", "i8")])


def test_a_closed_data_set_frees_its_source_and_keeps_what_was_read(rows):
    source = Counts({"agents": rows})
    with bevscope.open(source) as dataset:
        read = dataset.agents[:]
        assert not dataset.closed
    assert dataset.closed
    assert np.array_equal(read, rows)
    dataset.close()  # again
    with pytest.raises(bevscope.Closed, match="data set: closed") as found:
        dataset.agents[0]
    assert found.value.code == "closed"


def test_readers_of_a_closed_data_set_are_closed(goldens):
    dataset = bevscope.open(goldens / "inputs/multi_scene.zarr")
    reader = dataset.reader("agents", batch=100)
    batches = iter(reader)
    next(batches)
    dataset.close()
    for ask in (lambda: next(batches), reader.count, lambda: dataset.reader("agents")):
        with pytest.raises(bevscope.Closed):
            ask()


def test_samples_of_a_closed_data_set_are_closed(goldens, configs):
    path = str(goldens / "inputs/multi_scene.zarr")
    with bevscope.open(path) as dataset:
        samples = bevscope.Samples(dataset, configs["B_sem"], root=goldens / "inputs")
        kept = samples[0]["image"]
    with pytest.raises(bevscope.Closed) as found:
        samples[0]
    assert found.value.url == path
    assert kept.any()


def test_a_closed_data_set_does_not_pickle(rows):
    dataset = bevscope.open(bevscope.MemorySource({"agents": rows}))
    dataset.close()
    with pytest.raises(bevscope.Closed):
        pickle.dumps(dataset)


def test_an_exception_within_the_block_closes_and_is_raised(rows):
    with pytest.raises(ZeroDivisionError):
        with bevscope.open(bevscope.MemorySource({"agents": rows})) as dataset:
            raise ZeroDivisionError
    assert dataset.closed


def test_closing_waits_for_the_reads_of_other_threads(rows):
    reading, go_on = threading.Event(), threading.Event()

    class Slow(Counts):
        def read(self, key, range):
            if key == "agents/0":
                reading.set()
                go_on.wait(10)
            return super().read(key, range)

    dataset, found = bevscope.open(Slow({"agents": rows})), []
    reads = threading.Thread(target=lambda: found.append(dataset.agents[:]))
    reads.start()
    assert reading.wait(10)
    closes = threading.Thread(target=dataset.close)
    closes.start()
    go_on.set()
    reads.join()
    closes.join()
    assert np.array_equal(found[0], rows)
    assert dataset.closed
