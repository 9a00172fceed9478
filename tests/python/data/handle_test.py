"""Threads that use a data set for the first time open it once."""

import pickle
import threading
import time

import numpy as np

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
